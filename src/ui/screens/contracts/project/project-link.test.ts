import { expect, test } from 'vitest'
import { toBase64 } from '#primitives/base64.ts'
import { createProject } from './examples.ts'
import { packProject, unpackProject } from './project-link.ts'

async function pack(value: unknown): Promise<string> {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const packed = toBase64(new Uint8Array(await new Response(stream).arrayBuffer()))
  return packed.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

test('a project is the same after it is packed and unpacked, apart from what only its own page knows', async () => {
  const project = {
    ...createProject(),
    compiler: '0.8.37',
    files: { 'src/Ä.sol': 'contract Ü {}' },
    current: 'src/Ä.sol',
  }
  const { id: _id, ...content } = project
  const link = await packProject(project)
  expect(link).toMatch(/^[\w-]+$/)
  expect(await unpackProject(link ?? '')).toEqual({ ...content, compiler: undefined, example: undefined })
})

test('a project that is too large has no link', async () => {
  const random = Array.from({ length: 30_000 }, () => Math.random().toString(36)).join('')
  expect(await packProject({ ...createProject(), files: { 'A.sol': random } })).toBeUndefined()
  expect(await packProject({ ...createProject(), files: { 'A.sol': ' '.repeat(900_000) } })).toBeUndefined()
})

test('a hostile link is refused with a reason', async () => {
  const refused = (text: string) => unpackProject(text).catch(({ message }: Error) => message)
  expect(await refused('a'.repeat(16_001))).toBe('it is too long')
  expect(await refused('<script>')).toBe('it contains invalid characters')
  expect(await refused('AAAA')).toBe('it is damaged')
  expect(await refused(await pack([2, {}]))).toBe('it is of another version of this page')
  expect(await refused(await pack([1, { files: { '../a.sol': '' } }]))).toMatch(/names in a path cannot be empty/)
  expect(await refused(await pack([1, { files: [] }]))).toBe('it has no files')
  expect(await refused(await pack([1, { files: { 'a.sol': 7 } }]))).toBe('it has no files')
  expect(await refused(await pack([1, { files: { 'a.sol': ' '.repeat(600_000) } }]))).toBe(
    'it is too long when unpacked',
  )
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`${i}`, '']))
  expect(await refused(await pack([1, { files: many }]))).toMatch(/at most 1000 files/)
})

test('unknown settings become the defaults', async () => {
  const settings = { optimizer: 'yes', runs: -1, evmVersion: 'homestead', viaIR: 1 }
  expect((await unpackProject(await pack([1, { files: { 'a.sol': '' }, settings }]))).settings).toEqual({
    optimizer: true,
    runs: 200,
    evmVersion: 'osaka',
    viaIR: false,
  })
})
