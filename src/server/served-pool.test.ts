import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { exportSample } from '#testing/node/persistence/sample-chain.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { serveChain } from '#testing/server/served-chain.ts'
import { rpcAt, serverOfEachTest } from '#testing/server/test-server.ts'

const server = serverOfEachTest()
const { start } = server
const urlOf = (chain: string) => `http://127.0.0.1:${server.port}${chain}`
const at = (chain: string, method: string, ...params: readonly unknown[]) => rpcAt(urlOf(chain), method, ...params)
const end = async (chain: string) => (await fetch(urlOf(chain), { method: 'DELETE' })).status
const names = async () =>
  ((await (await fetch(urlOf('/chains.json'))).json()) as { pool: { names: readonly string[] } }).pool.names
const [FROM, TO] = DEV_KEYS.map(({ address }) => address)
const PAYMENT = { from: FROM, to: TO, value: '0x1' }

test('chains of the pool are like that of the server, and know nothing of one another', async () => {
  await start('--pool', '--chain-id', '5', '--no-mining', '--accounts', '2')
  await at('/pool/1', 'eth_sendTransaction', PAYMENT)
  await at('/pool/1', 'evm_mine')
  for (const other of ['', '/pool/2', '/pool/tests.spec_ts~3']) {
    expect(await at(other, 'eth_blockNumber'), other).toBe('0x0')
    expect(await at(other, 'eth_chainId')).toBe('0x5')
    expect(await at(other, 'eth_accounts')).toHaveLength(2)
  }
  expect(await at('/pool/1', 'eth_blockNumber')).toBe('0x1')
  // What comes after the name is the client's.
  expect(await at('/pool/1/rpc?latest=preconfirmed', 'eth_blockNumber')).toBe('0x1')
  expect(await at('/any/where', 'eth_blockNumber')).toBe('0x0')
})

test('time goes on in a chain of the pool by itself', async () => {
  await start('--pool', '--block-time', '1')
  await at('/pool/1', 'eth_chainId')
  await server.clock.advance(3_000)
  expect(await at('/pool/1', 'eth_blockNumber')).toBe('0x3')
})

test('with one mnemonic made at random all have the same accounts', async () => {
  await start('--pool', '--mnemonic-random', '12', '--accounts', '1', '--clock', 'manual')
  expect(await at('/pool/1', 'eth_accounts')).toEqual(await at('', 'eth_accounts'))
})

test('several chains are on demand together: the name, then which of them', async () => {
  await start('--chains', 'l1=1,base=8453', '--pool', '--clock', 'manual')
  expect(await at('/pool/7', 'eth_chainId')).toBe('0x1')
  expect(await at('/pool/7/base', 'eth_chainId')).toBe('0x2105')
  expect(await at('/pool/7/8453', 'eth_chainId')).toBe('0x2105')
  expect(await at('/pool/7/l1', 'eth_chainId')).toBe('0x1')
  expect(await names()).toEqual(['7/l1', '7/base'])
  await expect(at('/pool/7/op', 'eth_chainId')).rejects.toThrow('the pool has no chain like /op')
  expect(await end('/pool/7')).toBe(204)
  expect(await names()).toEqual([])
})

test('names have what needs no percent sign, and a refusal makes nothing', async () => {
  await start('--pool', '--clock', 'manual')
  for (const name of ['', 'a%20b', 'a%2Fb', '%61', 'é', 'x'.repeat(65), '%']) {
    await expect(at(`/pool/${name}`, 'eth_chainId'), name).rejects.toThrow('no chain of the pool can be named so')
  }
  expect(await names()).toEqual([])
})

test('only calls make a chain: neither a look by a browser, nor a refused page, nor a body of another type', async () => {
  await start('--pool', '--clock', 'manual')
  const headers = { 'Content-Type': 'application/json', Origin: 'https://evil.example' }
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
  const statuses = [
    await fetch(urlOf('/pool/a'), { headers: { Accept: 'text/html' } }),
    await fetch(urlOf('/pool/b'), { method: 'OPTIONS' }),
    await fetch(urlOf('/pool/c'), { method: 'POST', headers, body }),
    await fetch(urlOf('/pool/d'), { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body }),
  ].map(({ status }) => status)
  expect(statuses).toEqual([200, 204, 403, 415])
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/pool/e`, { origin: 'https://evil.example' })
  await once(socket, 'error')
  expect(await names()).toEqual([])
})

test('a chain ends by DELETE, which pages of other sites may not send, and which ends no other chain', async () => {
  await start('--pool', '--clock', 'manual')
  await at('/pool/1', 'devnet_tick', 11)
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/pool/1`)
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}')
  const [answer] = (await once(socket, 'message')) as [Buffer]
  expect(answer.toString('utf8')).toContain('0x1')
  const foreign = await fetch(urlOf('/pool/1'), { method: 'DELETE', headers: { Origin: 'https://evil.example' } })
  expect(foreign.status).toBe(403)
  const closing = once(socket, 'close')
  expect(await end('/pool/1')).toBe(204)
  await closing
  expect(await end('/pool/1')).toBe(404)
  expect(await at('/pool/1', 'eth_blockNumber')).toBe('0x0')
  expect([await end('/'), await end('/rpc')]).toEqual([405, 405])
  const preflight = await fetch(urlOf('/pool/1'), { method: 'OPTIONS', headers: { Origin: 'http://localhost:3000' } })
  expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE')
})

test('there are as many as --pool-size allows, and one that was not used for --pool-idle is gone', async () => {
  await start('--pool', '--pool-size', '2', '--pool-idle', '60', '--clock', 'manual')
  await at('/pool/1', 'evm_mine')
  await at('/pool/2', 'eth_chainId')
  await expect(at('/pool/3', 'eth_chainId')).rejects.toThrow('the pool is full: it has 2 chains')
  await server.clock.advance(59_000)
  await at('/pool/2', 'eth_chainId')
  await server.clock.advance(1_000)
  await expect.poll(names).toEqual(['2'])
  expect(await at('/pool/1', 'eth_blockNumber')).toBe('0x0')
})

test('a chain of the pool begins with the file of --load-state, which is read once', async () => {
  const file = path.join(server.folder, 'chain.blinknet')
  await writeFile(file, await exportSample())
  await start('--pool', '--load-state', file)
  await writeFile(file, 'something else')
  const head = await at('', 'eth_getBlockByNumber', 'latest', true)
  await at('/pool/1', 'evm_mine')
  expect(await at('/pool/2', 'eth_getBlockByNumber', 'latest', true)).toEqual(head)
  const [one, other] = [await at('/pool/1', 'eth_blockNumber'), await at('/pool/2', 'eth_blockNumber')]
  expect(Number(one)).toBe(Number(other) + 1)
})

test('a chain of the pool has the accounts of a state in JSON, in the same block as the server’s', async () => {
  const file = path.join(server.folder, 'state.json')
  const rich = `0x${'5a'.repeat(20)}`
  const accounts = { [rich]: { balance: '0x7', nonce: 0, code: '0x', storage: {} } }
  await writeFile(file, JSON.stringify({ accounts }))
  await start('--pool', '--load-state', file, '--clock', 'manual')
  await at('', 'evm_mine')
  expect(await at('/pool/1', 'eth_getBalance', rich)).toBe('0x7')
  const [one, own] = [
    await at('/pool/1', 'eth_getBlockByNumber', '0x1', false),
    await at('', 'eth_getBlockByNumber', '0x1', false),
  ]
  expect(one).toEqual(own)
  expect(await at('/pool/1', 'eth_blockNumber')).toBe('0x1')
  await server.stop()
  await start('--pool', '--load-state', file, '--timestamp', '1000')
  await server.clock.advance(4_000)
  await at('/pool/1', 'eth_chainId')
  expect(
    Number(((await at('/pool/1', 'eth_getBlockByNumber', '0x1', false)) as { timestamp: string }).timestamp),
  ).toBeLessThan(2_000)
  expect(await at('/pool/1', 'eth_getBalance', rich)).toBe('0x7')
})

test('a fork is fetched once: a chain of the pool asks its endpoint for nothing that the server’s has', async () => {
  const original = await createTestNode({ chainId: 1 })
  await original.request('evm_mine')
  const served = await serveChain(original)
  onTestFinished(() => served.close())
  await start('--fork-url', served.url, '--pool', '--clock', 'manual')
  await at('', 'eth_getBalance', TO)
  await original.request('evm_mine')
  const before = served.requests.length
  expect(await at('/pool/1', 'eth_blockNumber')).toBe('0x1')
  expect(await at('/pool/1', 'eth_getBalance', TO)).toBe(await at('', 'eth_getBalance', TO))
  // The block of the fork is checked.
  expect(served.requests.length - before).toBeLessThanOrEqual(2)
})

test('the banner says where chains on demand are', async () => {
  await start('--pool', '--pool-size', '7', '--clock', 'manual')
  expect(server.printed).toContain(`${urlOf('/pool/NAME')} (up to 7, gone after 600 s without use)`)
})
