import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { exportSample } from '#testing/node/persistence/sample-chain.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'
import { parseCommand } from './cli/cli.ts'
import { UsageError } from './cli/usage-error.ts'

const server = serverOfEachTest()
const { rpc } = server
let file: string
beforeEach(() => {
  file = path.join(server.folder, 'chain.blinknet')
})

test.each([
  ['as it is', (bytes: Uint8Array) => bytes],
  ['packed with gzip', (bytes: Uint8Array) => gzipSync(bytes)],
])('open serves a chain file, %s, as a film on a free port and says what is in it', async (_how, pack) => {
  await writeFile(file, pack(await exportSample()))
  await server.run('open', file)
  expect(server.port).toBeGreaterThan(0)
  expect(server.printed).toContain(`${file} as a film, read-only.`)
  expect(server.printed).toContain('Blocks 1 to 3, and 4, which was pending: 7 moments, of which the last is shown.')
  expect(server.printed).toContain(`Listening on http://127.0.0.1:${server.port}`)
  expect(await rpc('devnet_showMoment', 1)).toEqual({ moment: 1, number: '0x2', index: 0 })
  expect(await rpc('eth_blockNumber')).toBe('0x1')
  await expect(rpc('evm_mine')).rejects.toThrow('this chain is a film and cannot be changed')
})

test('open keeps the access rules of the server', async () => {
  await writeFile(file, await exportSample())
  await server.run('open', file)
  const foreign = await fetch(`http://127.0.0.1:${server.port}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: 'https://evil.example' },
    body: '{"jsonrpc":"2.0","id":1,"method":"devnet_showMoment","params":[0]}',
  })
  expect(foreign.status).toBe(403)
})

test('a file that cannot be opened is refused with the reason and what a film is', async () => {
  await expect(server.run('open', file)).rejects.toThrow(
    `${file} cannot be opened: there is no such file. A film is a chain file`,
  )
  await expect(server.run('open', path.dirname(file))).rejects.toThrow(
    'cannot be opened: it is a folder, without state.blinknet or state.json. A film is a chain file',
  )
  await writeFile(file, '{"accounts":{}}')
  await expect(server.run('open', file)).rejects.toThrow(
    'it is a state in JSON, which has no blocks: begin a chain with it',
  )
  await writeFile(file, 'hello')
  await expect(server.run('open', file)).rejects.toThrow('it is neither a chain file nor a state in JSON')
  const damaged = (await exportSample()).fill(7, 100, 110)
  await writeFile(file, damaged)
  await expect(server.run('open', file)).rejects.toThrow('the file is damaged: its checksum does not match')
  await writeFile(file, gzipSync(damaged).subarray(0, 500))
  await expect(server.run('open', file)).rejects.toThrow('it cannot be unpacked')
  await expect(server.run('open', file)).rejects.toBeInstanceOf(UsageError)
})

test.each([
  [[], 'open takes the name of a chain file'],
  [['--port', '1'], 'open takes the name of a chain file'],
  [['a', '--data', 'b'], '--data does not go with open'],
  [['a', '--accounts', '3'], '--accounts does not go with open'],
  [['a', 'b'], "Unexpected argument 'b'"],
  [['a', '--nonsense'], "Unknown option '--nonsense'"],
])('open refuses %j', async (args, words) => {
  expect(parseCommand(['open', ...args])).toMatchObject({
    kind: 'bad',
    message: expect.stringContaining(words) as string,
  })
})

test('open takes the options of the server', () => {
  expect(parseCommand(['open', 'a', '-p', '7', '--host', '::1', '--quiet'])).toMatchObject({
    kind: 'run',
    film: 'a',
    port: 7,
    hosts: ['::1'],
    quiet: true,
  })
  expect(parseCommand(['open', '--help'])).toEqual({ kind: 'help' })
})
