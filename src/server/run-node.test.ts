import { EventEmitter } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { parseCommand } from './cli/cli.ts'
import { logRejections, type NodeServer, runNode } from './run-node.ts'

/** A test vector of BIP-39. */
const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

let folder: string
let running: NodeServer | undefined
let printed: string
let logged: string[]
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-data-'))
  logged = []
})
afterEach(async () => {
  await stop()
  await rm(folder, { recursive: true })
})

async function start(...args: readonly string[]): Promise<void> {
  const command = parseCommand(['--port', '0', ...args])
  if (command.kind !== 'run') throw new Error(JSON.stringify(command))
  running = await runNode(command, {
    clock: new FakeClock(),
    log: (_level, message) => logged.push(message),
    print: (text) => {
      printed = text
    },
  })
}

async function stop(): Promise<void> {
  await running?.close()
  running = undefined
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

test('without --data every start is a new chain', async () => {
  await start('--clock', 'manual')
  await rpc('devnet_tick', 11)
  expect(await rpc('eth_blockNumber')).toBe('0x1')
  await stop()
  await start('--clock', 'manual')
  expect(await rpc('eth_blockNumber')).toBe('0x0')
  expect(printed).not.toMatch(/kept|goes on/)
})

test('with --data the chain is kept, and continues where it stopped', async () => {
  const data = path.join(folder, 'new', 'chain')
  await start('--data', data, '--clock', 'manual')
  expect(printed).toContain(`The chain is kept in ${data}`)
  const [from, to] = DEV_KEYS.map(({ address }) => address)
  const hash = await rpc('eth_sendTransaction', { from, to, value: '0x7' })
  await rpc('devnet_tick', 11)
  const sealed = await rpc('eth_getBlockByNumber', '0x1', true)
  await stop()

  await start('--data', data)
  expect(printed).toContain(`The chain in ${data} goes on after block 1.`)
  expect(printed).toContain('manual clock')
  expect(await rpc('eth_getBlockByNumber', '0x1', true)).toEqual(sealed)
  expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x1', status: '0x1' })
  await rpc('devnet_tick', 10)
  expect(await rpc('eth_blockNumber')).toBe('0x2')
  expect(logged).toEqual([])
})

test('a chain that goes on has the accounts that it was started with, and their keys are not printed', async () => {
  await start('--data', folder, '--clock', 'manual', '--mnemonic', MNEMONIC, '--accounts', '2', '--balance', '5')
  const accounts = (await rpc('eth_accounts')) as string[]
  expect((await stat(path.join(folder, 'blinknet.journal'))).mode & 0o077).toBe(0)
  await stop()
  await start('--data', folder)
  expect(await rpc('eth_accounts')).toEqual(accounts)
  expect(printed).toContain('These accounts are from your mnemonic.')
  expect(printed).toContain(`(1) ${accounts[1]}  5 ETH`)
  expect(printed).not.toContain('key 0x')
})

test('a directory with another chain is refused, and free afterwards', async () => {
  await start('--data', folder, '--clock', 'manual', '--chain-id', '5')
  await stop()
  await expect(start('--data', folder, '--chain-id', '6')).rejects.toMatchObject({ name: 'InvalidOptionError' })
  await start('--data', folder, '--chain-id', '5')
  expect(await rpc('eth_chainId')).toBe('0x5')
})

test('two servers cannot have one directory', async () => {
  await start('--data', folder, '--clock', 'manual')
  const first = running
  await expect(start('--data', folder)).rejects.toMatchObject({ name: 'JournalError', code: 'unavailable' })
  running = first
  expect(await rpc('eth_blockNumber')).toBe('0x0')
})

test('if the server cannot listen, it releases the directory', async () => {
  await start('--clock', 'manual')
  const taken = running
  const data = ['--data', path.join(folder, 'chain'), '--clock', 'manual']
  await expect(start(...data, '--port', String(taken?.port))).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await taken?.close()
  await start(...data)
  expect(await rpc('eth_blockNumber')).toBe('0x0')
})

test('a write that a crash cut short is reported', async () => {
  await start('--data', folder, '--clock', 'manual')
  await stop()
  await writeFile(path.join(folder, 'blinknet.journal'), 'half a write', { flag: 'a' })
  await start('--data', folder)
  expect(logged).toEqual([`a crash had cut the last write to ${folder} short; its 12 bytes are dropped`])
})

test('A17: an unhandled rejection is logged, and the process goes on', async () => {
  const host = new EventEmitter<{ unhandledRejection: [unknown] }>()
  const entries: unknown[] = []
  logRejections(host, (...entry) => entries.push(entry))
  const reason = new Error('a tick that nobody looked at')
  host.emit('unhandledRejection', reason)
  expect(entries).toEqual([['error', 'internal error that nobody waited for', reason]])
})
