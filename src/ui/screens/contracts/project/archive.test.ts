import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { bytesToHex } from '#primitives/hex.ts'
import { MAX_ARCHIVE_BYTES, unzipFiles, zipProject } from './archive.ts'
import { createProject } from './examples.ts'
import { projectOf } from './make-project.ts'

const archive = (entries: Readonly<Record<string, string | Uint8Array>>) =>
  new Blob([
    zipSync(
      Object.fromEntries(
        Object.entries(entries).map(([path, content]) => [
          path,
          typeof content === 'string' ? strToU8(content) : content,
        ]),
      ),
    ),
  ])

test('a project is the same after it is zipped and unzipped', async () => {
  const files = { 'src/Ä.sol': 'contract Ü {}'.repeat(9_000), 'src/B.sol': '', 'remappings.txt': 'a/=b/' }
  const before = { ...createProject(), name: 'Two words', files, current: 'src/B.sol' }
  const { project, leftOut } = await projectOf((await unzipFiles(zipProject(before))).files, 'x', [])
  expect(leftOut).toEqual([])
  expect(project).toMatchObject({ name: 'Two words', files, current: 'src/B.sol', settings: before.settings })
})

test('only what belongs to a project is unpacked, and the folders left out are named', async () => {
  const entries = { 'p/A.sol': 'x', 'p/node_modules/B.sol': 'y', 'p/node_modules/x/C.sol': 'y', 'p/logo.png': 'z' }
  const { files, leftOut } = await unzipFiles(archive(entries))
  expect(files.map(({ path }) => path)).toEqual(['p/A.sol'])
  expect(await files[0]?.file.text()).toBe('x')
  expect(leftOut).toEqual(['p/node_modules/'])
})

test('an archive that unpacks to too much is refused as soon as it exceeds the limit', async () => {
  const zeros = new Uint8Array(64 * 1024 * 1024)
  const bomb = archive({ 'A.sol': zeros })
  expect(bomb.size).toBeLessThan(100_000)
  await expect(unzipFiles(bomb)).rejects.toThrow('A.sol is longer than 1000000 characters')
  const many = archive(Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`${i}.sol`, ''])))
  await expect(unzipFiles(many)).rejects.toThrow(/at most 1000 files/)
})

test('an archive that is read in several chunks is unpacked whole', async () => {
  const random = () => bytesToHex(crypto.getRandomValues(new Uint8Array(60_000)))
  const entries = { 'a/A.sol': random(), 'a/B.sol': random(), 'a/C.sol': random() }
  const large = archive(entries)
  expect(large.size).toBeGreaterThan(150_000)
  const { files } = await unzipFiles(large)
  const texts = await Promise.all(files.map(async ({ path, file }) => [path, await file.text()] as const))
  expect(Object.fromEntries(texts)).toEqual(entries)
})

test('a damaged archive, or a file that is not an archive, is refused', async () => {
  await expect(unzipFiles(new Blob(['contract A {}']))).rejects.toThrow('it is not a zip file, or it is empty')
  const bytes = new Uint8Array(await archive({ 'A.sol': 'contract A {}'.repeat(1_000) }).arrayBuffer())
  bytes.fill(0xff, 40, 80)
  await expect(unzipFiles(new Blob([bytes]))).rejects.toThrow('the zip file is damaged')
  await expect(unzipFiles(new Blob([new Uint8Array(MAX_ARCHIVE_BYTES + 1)]))).rejects.toThrow(/at most 32 MiB/)
})
