import { once } from 'node:events'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createNode, type Node } from '#node/node.ts'
import type { Hex } from '#primitives/hex.ts'
import { DEV_KEYS, type DevKey } from '#rpc-types/dev-keys.ts'
import type { JsonRpcNotification, JsonRpcResponse, JsonRpcSuccess } from '#rpc-types/envelope.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { type RunningServer, startServer } from './start-server.ts'

// The real node behind real sockets, on a clock that only `devnet_tick` moves.
let node: Node
let server: RunningServer

beforeAll(async () => {
  const log = (_level: string, message: string) => expect.fail(`the node logged: ${message}`)
  node = await createNode({ mode: 'manual' }, { clock: new FakeClock(), log })
  server = await startServer(node, { host: '127.0.0.1', port: 0, log })
  node.start()
})
afterAll(async () => {
  await server.close()
  await node.close()
})

const rpc = (method: string, ...params: readonly unknown[]) => rpcAt('/', method, ...params)

async function rpcAt(path: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  expect(response.status).toBe(200)
  const answer = (await response.json()) as JsonRpcResponse
  return 'error' in answer ? answer.error : answer.result
}

async function signTransfer(from: number, nonce: number, to: Hex = `0x${'22'.repeat(20)}`) {
  const { privateKey } = DEV_KEYS[from] as DevKey
  return privateKeyToAccount(privateKey).signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce,
    to,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000n,
  })
}

test('a transfer sent over HTTP is pre-confirmed at the next tick and sealed with its block', async () => {
  const hash = await rpc('eth_sendRawTransaction', await signTransfer(0, 0))
  expect(await rpc('eth_getTransactionReceipt', hash)).toBeNull()
  await rpc('devnet_tick')
  const zeroHash = `0x${'00'.repeat(32)}`
  expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1', blockHash: zeroHash })
  await rpc('devnet_tick', 10)
  const sealed = await rpc('eth_getBlockByNumber', '0x1', false)
  expect(sealed).toMatchObject({ number: '0x1', transactions: [hash] })
  expect(await rpc('eth_getTransactionReceipt', hash)).toHaveProperty('blockHash', (sealed as { hash: string }).hash)
})

test('an error of the node arrives over HTTP unchanged', async () => {
  const raw = await signTransfer(1, 0)
  await rpc('eth_sendRawTransaction', raw)
  expect(await rpc('eth_sendRawTransaction', raw)).toMatchObject({ code: -32000, message: 'already known' })
})

test('over HTTP there are no subscriptions; over WebSocket the events come', async () => {
  expect(await rpc('eth_subscribe', 'newPendingTransactions')).toMatchObject({
    code: -32601,
    message: 'notifications not supported',
  })

  const socket = new WebSocket(`ws://127.0.0.1:${server.port}`)
  const received: (JsonRpcResponse | JsonRpcNotification)[] = []
  socket.on('message', (data) => received.push(JSON.parse((data as Buffer).toString('utf8')) as JsonRpcResponse))
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newPendingTransactions'] }))
  await expect.poll(() => received.length).toBe(1)
  const subscription = (received[0] as JsonRpcSuccess).result
  const hash = await rpc('eth_sendRawTransaction', await signTransfer(2, 0))
  await expect.poll(() => received.length).toBe(2)
  expect(received[1]).toEqual({
    jsonrpc: '2.0',
    method: 'eth_subscription',
    params: { subscription, result: hash },
  })
  socket.close()
})

test('garbage and batches are answered by the rules of JSON-RPC', async () => {
  const post = async (body: string): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${server.port}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    return response.json()
  }
  expect(await post('{')).toMatchObject({ id: null, error: { code: -32700 } })
  expect(await post('[]')).toMatchObject({ error: { code: -32600, message: 'empty batch' } })
  expect(
    await post('[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"nope"}]'),
  ).toMatchObject([
    { id: 1, result: '0x7a69' },
    { id: 2, error: { code: -32601 } },
  ])
})

test('an address can ask that latest is the state of the live block, over HTTP and over WebSocket', async () => {
  const paid: Hex = `0x${'77'.repeat(20)}`
  await rpc('eth_sendRawTransaction', await signTransfer(5, 0, paid))
  await rpc('evm_mine')
  await rpc('eth_sendRawTransaction', await signTransfer(5, 1, paid))
  await rpc('devnet_tick')
  const balanceAt = (path: string) => rpcAt(path, 'eth_getBalance', paid, 'latest')
  const [usual, live] = [await balanceAt('/'), await balanceAt('/?latest=preconfirmed')]
  expect([usual, live]).toEqual(['0x1', '0x2'])
  expect(await balanceAt('/?latest=sealed&other=1')).toBe('0x1')

  const overSocket = async (path: string) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`)
    await once(socket, 'open')
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [paid, 'latest'] }))
    const [data] = (await once(socket, 'message')) as [Buffer]
    socket.close()
    return (JSON.parse(data.toString('utf8')) as JsonRpcSuccess).result
  }
  expect(await overSocket('/')).toBe('0x1')
  expect(await overSocket('/?latest=preconfirmed')).toBe('0x2')
})

test('an address can ask for a head of each partial block, and for nothing else', async () => {
  const at = (path: string) => new WebSocket(`ws://127.0.0.1:${server.port}${path}`)
  const heads = async (path: string) => {
    const socket = at(path)
    const numbers: unknown[] = []
    await once(socket, 'open')
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
    await once(socket, 'message')
    socket.on('message', (data) => {
      const { params } = JSON.parse((data as Buffer).toString('utf8')) as JsonRpcNotification
      numbers.push((params.result as { number: Hex }).number)
    })
    return { socket, numbers }
  }
  const [usual, partial] = [await heads('/'), await heads('/?newHeads=partial')]
  await rpc('devnet_tick', 20)
  await expect.poll(() => partial.numbers.length).toBe(20)
  await expect.poll(() => usual.numbers.length).toBe(2)
  for (const { socket } of [usual, partial]) socket.close()
  const [error] = (await once(at('/?newHeads=all'), 'error')) as [Error]
  expect(error.message).toContain('400')
})

test('a server can use the other reading by default', async () => {
  const paid: Hex = `0x${'78'.repeat(20)}`
  await rpc('eth_sendRawTransaction', await signTransfer(6, 0, paid))
  await rpc('devnet_tick')
  const log = (_level: string, message: string) => expect.fail(`the node logged: ${message}`)
  const other = await startServer(node, { host: '127.0.0.1', port: 0, log, latest: 'preconfirmed' })
  const balanceAt = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${other.port}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [paid, 'latest'] }),
    })
    return ((await response.json()) as JsonRpcSuccess).result
  }
  expect([await balanceAt('/'), await balanceAt('/?latest=sealed')]).toEqual(['0x1', '0x0'])
  await other.close()
})

test('an unknown reading is refused with 400, and the answer names the two valid ones', async () => {
  const response = await fetch(`http://127.0.0.1:${server.port}/?latest=Sealed`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
  })
  expect([response.status, await response.text()]).toEqual([400, '?latest= takes one of sealed, preconfirmed\n'])
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/?latest=`)
  const [error] = (await once(socket, 'error')) as [Error]
  expect(error.message).toContain('400')
})
