import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'
import { parseCommand } from './cli/cli.ts'
import { prepare } from './prepare.ts'

const HOLDER = `0x${'99'.repeat(20)}`
/** Sends a transfer over the address that it is told in one of three ways. */
const script = (address: string, status: number) => `
  const call = async (method, params) =>
    (await (await fetch(${address}, { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })).json()).result
  call('eth_accounts', []).then(async ([from]) => {
    const hash = await call('eth_sendTransaction', [{ from, to: '${HOLDER}', value: '0x5' }])
    const receipt = await call('eth_getTransactionReceipt', [hash])
    process.exit(receipt ? ${status} : 98)
  })`

let folder: string
const printed: string[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-prepare-'))
  printed.length = 0
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const run = (file: string, args: readonly string[], ...command: readonly string[]) => {
  const parsed = parseCommand(['prepare', file, ...args, '--', ...command])
  if (parsed.kind !== 'prepare') throw new Error('message' in parsed ? parsed.message : parsed.kind)
  return prepare(parsed, {
    clock: new FakeClock(),
    print: (line) => void printed.push(line),
    log: (_level, line) => void printed.push(line),
    env: process.env,
  })
}
const server = serverOfEachTest()

test('a command prepares a chain file, in which each of its transactions has a block', async () => {
  const file = path.join(folder, 'out.blinknet')
  expect(await run(file, ['--chain-id', '77'], process.execPath, '-e', script('process.env.BLINKNET_URL', 0))).toBe(0)
  expect(printed).toEqual([expect.stringContaining(`${file} has the chain, `)])
  // A second command goes on with it, by forge's variable, and a third one by its argument.
  const more = ['--load-state', file]
  expect(
    await run(
      file,
      more,
      process.execPath,
      '-e',
      script('process.env.ETH_RPC_URL === process.env.FOUNDRY_ETH_RPC_URL && process.env.FOUNDRY_ETH_RPC_URL', 0),
    ),
  ).toBe(0)
  expect(await run(file, more, process.execPath, '-e', script('process.argv[1]', 0), '{url}')).toBe(0)
  await server.start('--clock', 'manual', '--load-state', file)
  expect(await server.rpc('eth_blockNumber')).toBe('0x3')
  expect(await server.rpc('eth_chainId')).toBe('0x4d')
  expect(await server.rpc('eth_getBalance', HOLDER, 'latest')).toBe('0xf')
})

test('a command that fails has its status, and nothing is written', async () => {
  const file = path.join(folder, 'out.blinknet')
  expect(await run(file, [], process.execPath, '-e', script('process.env.BLINKNET_URL', 7))).toBe(7)
  expect(printed).toEqual([`${process.execPath} has ended with status 7: ${file} is not written.`])
  expect(await run(file, [], process.execPath, '-e', 'process.kill(process.pid, "SIGTERM")')).toBe(143)
  await expect(readFile(file)).rejects.toThrow('ENOENT')
})

test('what is no chain file is not written over, and a program that is not there is named', async () => {
  const file = path.join(folder, 'notes.txt')
  await writeFile(file, 'dear diary')
  await expect(run(file, [], process.execPath, '-e', '0')).rejects.toThrow('it is there and is no chain file')
  const nowhere = path.join(folder, 'none')
  await expect(run(path.join(folder, 'out.blinknet'), [], nowhere)).rejects.toThrow(
    `${nowhere} cannot be run: there is no such program.`,
  )
})
