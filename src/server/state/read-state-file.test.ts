import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportSample } from '#testing/node/persistence/sample-chain.ts'
import { readStateFile } from './read-state-file.ts'

const TEN_MIB_OF_NOTHING = gzipSync(new Uint8Array(10 * 2 ** 20))

let folder: string
let chain: Uint8Array
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-state-'))
  chain = await exportSample()
})
afterAll(() => rm(folder, { recursive: true }))

async function file(content: string | Uint8Array): Promise<string> {
  const name = path.join(folder, 'file')
  await writeFile(name, content)
  return name
}

describe('a chain file is read', () => {
  test.each<[how: string, content: () => string | Uint8Array]>([
    ['as it is', () => chain],
    ['packed with gzip', () => gzipSync(chain)],
    ['in Base64', () => Buffer.from(chain).toString('base64')],
    ['in Base64, as cast prints it', () => `"${Buffer.from(chain).toString('base64')}"\n`],
  ])('%s', async (_how, content) => {
    const read = await readStateFile(await file(content()))
    expect(read?.kind).toBe('chain')
    expect(read?.kind === 'chain' && Buffer.from(read.file).equals(chain)).toBe(true)
  })
})

test('of anvil’s JSON, blocks and transactions are left out', async () => {
  const json = { block: { number: '0x5' }, accounts: { a: 1 }, blocks: [1], transactions: [2], historical_states: null }
  expect(await readStateFile(await file(JSON.stringify(json)))).toEqual({
    kind: 'accounts',
    state: { accounts: { a: 1 } },
  })
})

test('Blinknet’s JSON keeps the name of its format, packed or not', async () => {
  const state = { format: 'blinknet-state', version: 1, accounts: {} }
  const read = { kind: 'accounts', state }
  expect(await readStateFile(await file(`\uFEFF ${JSON.stringify(state)}`))).toEqual(read)
  expect(await readStateFile(await file(gzipSync(JSON.stringify(state))))).toEqual(read)
})

test('a file that is not there is none', async () => {
  expect(await readStateFile(path.join(folder, 'none'))).toBeUndefined()
})

test('in a directory it is the file that a dump writes there, else that of anvil', async () => {
  const directory = path.join(folder, 'directory')
  await mkdir(directory)
  expect(await readStateFile(directory)).toBeUndefined()
  await writeFile(path.join(directory, 'state.json'), '{"accounts":{}}')
  expect(await readStateFile(directory)).toMatchObject({ kind: 'accounts' })
  await writeFile(path.join(directory, 'state.blinknet'), chain)
  expect(await readStateFile(directory)).toMatchObject({ kind: 'chain' })
})

describe('refused is', () => {
  test.each<[what: string, content: () => string | Uint8Array, message: string | RegExp]>([
    ['an empty file', () => '', 'it is neither a chain file nor a state in JSON'],
    ['a picture', () => Uint8Array.of(0x89, 0x50, 0x4e, 0x47), 'it is neither'],
    ['a list', () => '[]', 'it is neither'],
    ['half a JSON', () => '{"accounts":', /^it is neither a chain file nor a state in JSON: /u],
    ['a JSON without accounts', () => '{"alloc":{}}', 'its JSON has no "accounts"'],
    ['half a gzip', () => gzipSync(chain).subarray(0, 100), 'it cannot be unpacked: '],
    [
      'a file that unpacks without end',
      () => Buffer.concat(Array.from({ length: 26 }, () => TEN_MIB_OF_NOTHING)),
      'it has more than 268435456 bytes',
    ],
    [
      'a JSON that is nested without end (14)',
      () => `{"accounts":${'['.repeat(15 * 2 ** 20)}${']'.repeat(15 * 2 ** 20)}}`,
      'its JSON has more than 256 levels of arrays and objects',
    ],
    [
      'a JSON whose error would quote what a terminal obeys (14)',
      () => '{"accounts":\u202e\u009b2J}',
      /^it is neither a chain file nor a state in JSON: .*\\u\{202e\}\\u\{9b\}2J/u,
    ],
    [
      'a huge JSON',
      () => `{"accounts":${'['.repeat(33 * 2 ** 20)}`,
      /^its JSON has \d+ bytes, and at most 33554432 are read/u,
    ],
  ])('%s', async (_what, content, message) => {
    const refused = readStateFile(await file(content()))
    await expect(refused).rejects.toMatchObject({ name: 'StateFileError' })
    await expect(refused).rejects.toThrow(message)
  })

  test('a file that is larger than a chain may be, before it is read', async () => {
    const name = await file('')
    await truncate(name, 2 ** 40)
    await expect(readStateFile(name)).rejects.toThrow('it has 1099511627776 bytes, and at most 268435456 are read')
  })

  test.skipIf(process.platform === 'win32')('a device, and a pipe that nobody writes to', async () => {
    await expect(readStateFile('/dev/zero')).rejects.toThrow('it is not a regular file')
    const pipe = path.join(folder, 'pipe')
    await promisify(execFile)('mkfifo', [pipe])
    await expect(readStateFile(pipe)).rejects.toThrow('it is not a regular file')
  })
})
