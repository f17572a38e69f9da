import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { ServedChains } from '#rpc-types/served-chains.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { serveChain } from '#testing/server/served-chain.ts'
import { rpcAt, serverOfEachTest } from '#testing/server/test-server.ts'
import { parseCommand } from './cli/cli.ts'
import { runNode } from './run-node.ts'

const server = serverOfEachTest()
const { start, stop } = server
const urlOf = (chain: string) => `http://127.0.0.1:${server.port}${chain}`
const at = (chain: string, method: string, ...params: readonly unknown[]) => rpcAt(urlOf(chain), method, ...params)
const [FROM, TO] = DEV_KEYS.map(({ address }) => address)
const PAYMENT = { from: FROM, to: TO, value: '0x1' }

async function list(): Promise<ServedChains> {
  return (await (await fetch(urlOf('/chains.json'))).json()) as ServedChains
}

test('each chain answers at its name and at its id, and the first one at the bare address', async () => {
  await start('--chains', 'l1=1,base=8453', '--clock', 'manual')
  for (const where of ['', '/', '/?latest=preconfirmed', '/rpc', '/l1', '/l1/', '/l1/rpc', '/1', '/l1?latest=sealed']) {
    expect(await at(where, 'eth_chainId'), where).toBe('0x1')
  }
  for (const where of ['/base', '/base/rpc', '/8453', '/base?latest=preconfirmed']) {
    expect(await at(where, 'eth_chainId'), where).toBe('0x2105')
  }
  await at('/base', 'devnet_tick', 11)
  expect(await at('/base', 'eth_blockNumber')).toBe('0x1')
  expect(await at('/l1', 'eth_blockNumber')).toBe('0x0')
})

test('a GET of a chain’s path says that it is there, as programs wait for, and of no other path', async () => {
  await start('--chains', 'l1=1,base=8453', '--clock', 'manual')
  const statusOf = async (where: string) => (await fetch(urlOf(where))).status
  expect(await Promise.all(['/', '/l1', '/base/', '/8453', '/op', '/base/tx'].map(statusOf))).toEqual([
    200, 200, 200, 200, 404, 404,
  ])
})

test('a target may be a whole address, as proxies write it', async () => {
  await start('--chains', 'l1=1,base=8453', '--clock', 'manual')
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length }
  const sent = request({ port: server.port, method: 'POST', path: `http://127.0.0.1:${server.port}/base?x`, headers })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  expect(await textOf(response)).toContain('0x2105')
})

test('a path without a chain is refused, and says which there are', async () => {
  await start('--chains', '1,10', '--clock', 'manual')
  for (const where of ['/100', '/Base', '/__proto__', '/constructor', `/${'x'.repeat(5_000)}`]) {
    await expect(at(where, 'eth_chainId')).rejects.toThrow('it has /1 (chain 1), /10 (chain 10)')
  }
  await expect(at('/pool/7', 'eth_chainId')).rejects.toThrow('start it with --pool')
})

test('a server of one chain answers at any path but that of a pool, as ever', async () => {
  await start('--clock', 'manual')
  expect(await at('/any/where', 'eth_chainId')).toBe('0x7a69')
  await expect(at('/pool/7', 'eth_chainId')).rejects.toThrow('start it with --pool')
  expect(await list()).toEqual({ chains: [{ name: 'chain', chainId: '0x7a69', path: '/' }] })
})

test('a WebSocket to a path has the events of its chain alone', async () => {
  await start('--chains', 'l1=1,base=8453', '--clock', 'manual')
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/base`)
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  const heard: string[] = []
  socket.on('message', (data: Buffer) => heard.push(data.toString('utf8')))
  const ask = async (id: number, method: string, ...params: readonly unknown[]) => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    await expect.poll(() => heard.some((message) => message.includes(`"id":${id}`))).toBe(true)
  }
  await ask(1, 'eth_subscribe', 'newHeads')
  await at('/l1', 'evm_mine')
  await at('/base', 'evm_mine')
  await ask(2, 'eth_chainId')
  expect(heard.at(-1)).toContain('0x2105')
  expect(heard.filter((message) => message.includes('eth_subscription'))).toHaveLength(1)
})

test('programs and the page find the chains by /chains.json, under the same rules as calls', async () => {
  await start('--chains', 'l1=1,base=8453', '--clock', 'manual')
  expect(await list()).toEqual({
    chains: [
      { name: 'l1', chainId: '0x1', path: '/l1' },
      { name: 'base', chainId: '0x2105', path: '/base' },
    ],
  })
  const foreign = await fetch(urlOf('/chains.json'), { headers: { Origin: 'https://evil.example' } })
  expect(foreign.status).toBe(403)
  const local = await fetch(urlOf('/chains.json'), { headers: { Origin: 'http://localhost:5173' } })
  expect(local.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
})

test('the banner tells all chains, and the accounts once where they are the same', async () => {
  await start('--chains', 'l1=1,base=8453', '--partial-ms', '100')
  const { printed, port } = server
  expect(printed).toContain(`l1    http://127.0.0.1:${port}/l1  chain id 1; a partial block every 100 ms`)
  expect(printed).toContain(`base  http://127.0.0.1:${port}/base  chain id 8453; a partial block every 100 ms`)
  expect(printed).toContain('Without a path, an address is that of l1.')
  expect(printed.split('Mnemonic:')).toHaveLength(2)
})

test('a file gives each chain options of its own; those of the command line are for all others', async () => {
  const file = path.join(server.folder, 'chains.json')
  const accounts = [{ address: TO, balance: '5' }]
  await writeFile(file, JSON.stringify({ l1: { chainId: 1, clock: 'manual' }, base: { chainId: 8453, accounts } }))
  await start('--chains', file, '--accounts', '2', '--block-time', '1')
  expect(await at('/l1', 'eth_accounts')).toHaveLength(2)
  expect(await at('/base', 'eth_getBalance', TO)).toBe('0x5')
  expect(await at('/base', 'eth_accounts')).toEqual([])
  await server.clock.advance(2_000)
  expect(await at('/l1', 'eth_blockNumber')).toBe('0x0')
  expect(await at('/base', 'eth_blockNumber')).toBe('0x2')
  expect(server.printed).toContain('Accounts of base:')
})

test('with --data each chain lives in a directory of its own, and goes on', async () => {
  const args = ['--chains', 'l1=1,base=8453', '--clock', 'manual', '--data', path.join(server.folder, 'chains')]
  await start(...args)
  await at('/base', 'devnet_tick', 11)
  await expect(start(...args)).rejects.toMatchObject({ cause: { name: 'JournalError', code: 'unavailable' } })
  await stop()
  await start(...args)
  expect(await at('/base', 'eth_blockNumber')).toBe('0x1')
  expect(await at('/l1', 'eth_blockNumber')).toBe('0x0')
  expect(server.printed).toContain(`The chain in ${path.join(server.folder, 'chains', 'base')} goes on after block 1.`)
})

test('if one chain cannot be opened, the others are closed, and the error says which', async () => {
  const data = path.join(server.folder, 'chains')
  await start('--data', path.join(data, 'base'), '--clock', 'manual', '--chain-id', '5')
  await stop()
  const command = ['--chains', 'l1=1,base=8453', '--clock', 'manual', '--data', data]
  await expect(start(...command)).rejects.toMatchObject({
    name: 'ChainStartError',
    chain: { name: 'base' },
    cause: { name: 'InvalidOptionError' },
  })
  await start('--data', path.join(data, 'l1'), '--clock', 'manual')
  expect(await server.rpc('eth_chainId')).toBe('0x1')
})

test('a directory with a single chain gets no others in it', async () => {
  await start('--data', server.folder, '--clock', 'manual')
  await stop()
  await expect(start('--chains', '1,10', '--data', server.folder)).rejects.toThrow('has a single chain')
  expect(existsSync(path.join(server.folder, '1'))).toBe(false)
})

test('two chains with one id are refused, also if it comes from a file', async () => {
  const file = path.join(server.folder, 'chains.json')
  await writeFile(file, '{"a":{},"b":{}}')
  await expect(start('--chains', file)).rejects.toThrow('The chains a and b have the same id, 31337')
})

test.each([
  ['--genesis', 'genesis.json', 'no genesis'],
  ['--base-fee', '0', 'the base fee of a fork follows'],
  ['--genesis-timestamp', '5', 'no timestamp'],
])('a fork among the chains is refused with %s', async (flag, value, why) => {
  await expect(start('--chains', 'l1=http://127.0.0.1:1,base=2', flag, value)).rejects.toThrow(why)
})

test('a fork among the chains has the id of its endpoint, and automine holds for all', async () => {
  const original = await createTestNode({ chainId: 1 })
  await original.request('evm_mine')
  const served = await serveChain(original)
  onTestFinished(() => served.close())
  await start('--chains', `mainnet=${served.url},base=8453`, '--automine')
  expect(await at('/1', 'eth_blockNumber')).toBe('0x1')
  await at('/mainnet', 'eth_sendTransaction', PAYMENT)
  await at('/base', 'eth_sendTransaction', PAYMENT)
  expect(await at('/mainnet', 'eth_blockNumber')).toBe('0x2')
  expect(await at('/base', 'eth_blockNumber')).toBe('0x1')
  await stop()
  await expect(start('--chains', `7=${served.url}`)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('has the chain id 1, not 7') as string },
  })
})

test('a failure that a test has planned for its chain is not met by the list of all chains', async () => {
  await start('--chains', 'l1=1,base=8453', '--clock', 'manual')
  await at('/base', 'devnet_failNext', { methods: ['eth_chainId'], error: { code: -32000, message: 'planned' } })
  expect((await list()).chains).toHaveLength(2)
  await expect(at('/base', 'eth_chainId')).rejects.toThrow('planned')
})

test('if another process takes one directory over, the other chains are still closed in order', async () => {
  const data = path.join(server.folder, 'chains')
  const command = parseCommand(['--port', '0', '--chains', 'l1=1,base=8453', '--clock', 'manual', '--data', data])
  if (command.kind !== 'run') throw new Error(command.kind)
  const lost: string[] = []
  const running = await runNode(command, {
    clock: new FakeClock(),
    log: (_level, message) => lost.push(message),
    print() {},
    onTakenOver: ({ code }) => lost.push(code),
  })
  const url = `http://127.0.0.1:${running.port}`
  await rpcAt(`${url}/l1`, 'devnet_tick', 11)
  const lock = path.join(data, 'base', 'blinknet.lock')
  const record = await readFile(lock, 'utf8')
  await writeFile(lock, record.replace(/"token":"[^"]*"/, `"token":"${'0'.repeat(36)}"`))
  await expect(rpcAt(`${url}/base`, 'evm_mine')).rejects.toThrow('not stored')
  await expect.poll(() => lost).toContain('taken-over')
  expect(lost.find((line) => line.startsWith('base: '))).toBeDefined()
  await running.leave()
  // The process would end here, with the files that it has open.
  await running.close().catch(() => {})
  await start('--chains', 'l1=1', '--clock', 'manual', '--data', data)
  expect(await at('/l1', 'eth_blockNumber')).toBe('0x1')
})
