import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { exportSample } from '#testing/node/persistence/sample-chain.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { parseCommand } from './cli/cli.ts'
import { UsageError } from './cli/usage-error.ts'
import { type NodeServer, runNode } from './run-node.ts'

let folder: string
let file: string
let running: NodeServer | undefined
let printed: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-film-'))
  file = path.join(folder, 'chain.blinknet')
})
afterEach(async () => {
  await running?.close()
  running = undefined
  await rm(folder, { recursive: true })
})

async function open(...args: readonly string[]): Promise<void> {
  const command = parseCommand(['open', ...args])
  if (command.kind !== 'run') throw new UsageError('message' in command ? command.message : command.kind)
  running = await runNode(command, {
    clock: new FakeClock(),
    log: () => {},
    print: (text) => {
      printed = text
    },
  })
}

async function rpc(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${running?.port}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as JsonRpcResponse
  if ('error' in answer) throw new Error(answer.error.message)
  return answer.result
}

test.each([
  ['as it is', (bytes: Uint8Array) => bytes],
  ['packed with gzip', (bytes: Uint8Array) => gzipSync(bytes)],
])('open serves a chain file, %s, as a film on a free port and says what is in it', async (_how, pack) => {
  await writeFile(file, pack(await exportSample()))
  await open(file)
  expect(running?.port).toBeGreaterThan(0)
  expect(printed).toContain(`${file} as a film, read-only.`)
  expect(printed).toContain('Blocks 1 to 3, and 4, which was pending: 7 moments, of which the last is shown.')
  expect(printed).toContain(`Listening on http://127.0.0.1:${running?.port}`)
  expect(await rpc('devnet_showMoment', 1)).toEqual({ moment: 1, number: '0x2', index: 0 })
  expect(await rpc('eth_blockNumber')).toBe('0x1')
  await expect(rpc('evm_mine')).rejects.toThrow('this chain is a film and cannot be changed')
})

test('open keeps the access rules of the server', async () => {
  await writeFile(file, await exportSample())
  await open(file)
  const foreign = await fetch(`http://127.0.0.1:${running?.port}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: 'https://evil.example' },
    body: '{"jsonrpc":"2.0","id":1,"method":"devnet_showMoment","params":[0]}',
  })
  expect(foreign.status).toBe(403)
})

test('a file that cannot be opened is refused with the reason and what a film is', async () => {
  await expect(open(file)).rejects.toThrow(`${file} cannot be opened: there is no such file. A film is a chain file`)
  await writeFile(file, '{"accounts":{}}')
  await expect(open(file)).rejects.toThrow('it is a state in JSON, which has no blocks: begin a chain with it')
  await writeFile(file, 'hello')
  await expect(open(file)).rejects.toThrow('it is neither a chain file nor a state in JSON')
  const damaged = (await exportSample()).fill(7, 100, 110)
  await writeFile(file, damaged)
  await expect(open(file)).rejects.toThrow('the file is damaged: its checksum does not match')
  await writeFile(file, gzipSync(damaged).subarray(0, 500))
  await expect(open(file)).rejects.toThrow('it cannot be unpacked')
  await expect(open(file)).rejects.toBeInstanceOf(UsageError)
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
