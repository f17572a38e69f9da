import { createPublicClient } from 'viem'
import { expect, test } from 'vitest'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { FakeEndpoint, type FakeMethod } from '#testing/transport/fake-endpoint.ts'
import { createProvider } from './provider.ts'
import { blinknetChain, blinknetTransport } from './viem-transport.ts'

function setUp(methods: Record<string, FakeMethod>) {
  const endpoint = new FakeEndpoint(methods)
  const connection = endpoint.connect((body) => handle.receive(body))
  const handle = createProvider((body) => connection.handle(body))
  const client = createPublicClient({ chain: blinknetChain(), transport: blinknetTransport(handle.provider) })
  return { endpoint, client }
}

test("viem's block watching subscribes to new heads and does not poll", async () => {
  const { client, endpoint } = setUp({
    eth_subscribe: ([kind]) => (kind === 'newHeads' ? '0x1' : { error: { code: -32602, message: 'other kind' } }),
    eth_unsubscribe: () => true,
  })
  const numbers = new Promise<bigint[]>((resolve, reject) => {
    const seen: bigint[] = []
    const stop = client.watchBlockNumber({
      onBlockNumber(number) {
        seen.push(number)
        if (seen.length < 2) return
        stop()
        resolve(seen)
      },
      onError: reject,
    })
  })
  await expect.poll(() => endpoint.received.length).toBe(1)
  // The answer to eth_subscribe is on its way; events that overtake it are kept.
  endpoint.notify('0x1', { number: '0x7' })
  endpoint.notify('0x1', { number: '0x8' })
  expect(await numbers).toEqual([7n, 8n])
  const methods = endpoint.received.map((body) => (JSON.parse(body) as JsonRpcRequest).method)
  expect(methods).toEqual(['eth_subscribe', 'eth_unsubscribe'])
})

test('a client of the chain reads the pre-confirmed state by default', async () => {
  const { client, endpoint } = setUp({ eth_getBalance: () => '0x5' })
  const address = `0x${'11'.repeat(20)}` as const
  expect(await client.getBalance({ address })).toBe(5n)
  expect(JSON.parse(endpoint.received[0] ?? '')).toHaveProperty('params', [address, 'pending'])
})

test('viem finds the code and the revert data of an error, and does not ask again', async () => {
  const { client, endpoint } = setUp({
    eth_call: () => ({ error: { code: 3, message: 'execution reverted', data: '0xdeadbeef' } }),
  })
  const error = await client.request({ method: 'eth_call', params: [{}, 'pending'] }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ cause: { code: 3, message: 'execution reverted', data: '0xdeadbeef' } })
  expect(endpoint.received).toHaveLength(1)
})

test('a refused subscription is an error of the watch', async () => {
  const { client } = setUp({ eth_subscribe: () => ({ error: { code: -32602, message: 'no such kind' } }) })
  const error = await new Promise<Error>((resolve) => {
    client.watchBlockNumber({ onBlockNumber: () => {}, onError: resolve })
  })
  expect(error).toMatchObject({ code: -32602 })
})
