import { afterEach, expect, test, vi } from 'vitest'
import { FakeEndpoint, type FakeMethod } from '#testing/transport/fake-endpoint.ts'
import { DisconnectedError } from '#transport/port/connect-port.ts'
import type { ProviderEvents } from './provider.ts'
import { createProvider, ProviderRpcError } from './provider.ts'
import { subscribe } from './subscribe.ts'

function setUp(methods: Record<string, FakeMethod>) {
  const endpoint = new FakeEndpoint(methods)
  const connection = endpoint.connect((body) => handle.receive(body))
  const handle = createProvider((body) => connection.handle(body))
  return { endpoint, handle, provider: handle.provider }
}

const thrownBy = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it resolved'),
    (error: unknown) => error,
  )

afterEach(() => {
  vi.restoreAllMocks()
})

test('a request has its method, its params and a unique id', async () => {
  const { provider, endpoint } = setUp({ eth_getBalance: () => '0x1', eth_chainId: () => '0x7a69' })
  expect(await provider.request({ method: 'eth_getBalance', params: ['0xaa', 'pending'] })).toBe('0x1')
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  expect(endpoint.received.map((body): unknown => JSON.parse(body))).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: ['0xaa', 'pending'] },
    { jsonrpc: '2.0', id: 2, method: 'eth_chainId', params: [] },
  ])
})

test('an error keeps its code, message and data', async () => {
  const { provider } = setUp({
    eth_sendRawTransaction: () => ({
      error: { code: -32000, message: 'nonce too low', data: { nextNonce: '0x5', txNonce: '0x3' } },
    }),
  })
  const error = await thrownBy(provider.request({ method: 'eth_sendRawTransaction', params: ['0x02'] }))
  expect(error).toBeInstanceOf(ProviderRpcError)
  expect(error).toMatchObject({
    code: -32000,
    message: 'nonce too low',
    data: { nextNonce: '0x5', txNonce: '0x3' },
  })
})

test('an error without data has no data property, since libraries check for it', async () => {
  const { provider } = setUp({ nope: () => ({ error: { code: -32601, message: 'the method nope does not exist' } }) })
  const error = await thrownBy(provider.request({ method: 'nope' }))
  expect(error).toMatchObject({ code: -32601 })
  expect('data' in (error as object)).toBe(false)
})

test('when the node is gone, calls fail with 4900 and the cause', async () => {
  const cause = new DisconnectedError('the worker ran out of memory')
  const { provider } = createProvider(() => Promise.reject(cause))
  const error = await thrownBy(provider.request({ method: 'eth_chainId' }))
  expect(error).toBeInstanceOf(ProviderRpcError)
  expect(error).toMatchObject({ code: 4900, message: 'The node is gone: the worker ran out of memory', cause })
})

test('a notification is a message event until its listener is removed', () => {
  const { provider, endpoint } = setUp({})
  const seen: unknown[] = []
  const listener = (message: ProviderEvents['message']) => seen.push(message)
  provider.on('message', listener).on('message', listener)
  endpoint.notify('0x9', { number: '0x1' })
  provider.removeListener('message', listener)
  endpoint.notify('0x9', { number: '0x2' })
  expect(seen).toEqual([{ type: 'eth_subscription', data: { subscription: '0x9', result: { number: '0x1' } } }])
})

test('a listener that throws does not stop the others, and its error is reported', () => {
  const reported = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {})
  const { provider, endpoint } = setUp({})
  const seen: unknown[] = []
  provider.on('message', () => {
    throw new Error('mine')
  })
  provider.on('message', ({ data }) => seen.push(data))
  endpoint.notify('0x9', 1)
  expect(seen).toEqual([{ subscription: '0x9', result: 1 }])
  expect(reported.mock.calls[0]?.[0]).toThrow('mine')
})

test('connect is announced with the chain; a later node with another chain announces chainChanged', async () => {
  let chainId = '0x1'
  let accounts = ['0xaa']
  const { provider, handle } = setUp({ eth_chainId: () => chainId, eth_accounts: () => accounts })
  const events: unknown[] = []
  provider.on('connect', (info) => events.push(['connect', info.chainId]))
  provider.on('disconnect', ({ code, message }) => events.push(['disconnect', code, message]))
  provider.on('chainChanged', (id) => events.push(['chainChanged', id]))
  provider.on('accountsChanged', (list) => events.push(['accountsChanged', list]))
  await handle.announceConnect()
  handle.announceDisconnect('gone')
  await handle.announceConnect()
  chainId = '0x2'
  accounts = ['0xbb']
  await handle.announceConnect()
  expect(events).toEqual([
    ['connect', '0x1'],
    ['disconnect', 4900, 'gone'],
    ['connect', '0x1'],
    ['connect', '0x2'],
    ['chainChanged', '0x2'],
    ['accountsChanged', ['0xbb']],
  ])
})

test('a subscription gets its own events, from any that arrived before its id until it is ended', async () => {
  const { provider, endpoint } = setUp({
    eth_subscribe: () => {
      endpoint.notify('0x5', '0xearly')
      return '0x5'
    },
    eth_unsubscribe: () => true,
  })
  const seen: unknown[] = []
  const subscription = await subscribe(provider, 'newPendingTransactions', [], (hash) => seen.push(hash))
  endpoint.notify('0x6', '0xother')
  endpoint.notify('0x5', '0xlater')
  expect(await subscription.unsubscribe()).toBe(true)
  endpoint.notify('0x5', '0xtoo-late')
  expect(seen).toEqual(['0xearly', '0xlater'])
  expect(JSON.parse(endpoint.received.at(-1) ?? '')).toMatchObject({ method: 'eth_unsubscribe', params: ['0x5'] })
})

test('a refused subscription leaves no listener behind', async () => {
  const { provider, endpoint } = setUp({ eth_subscribe: () => ({ error: { code: -32602, message: 'no such kind' } }) })
  const seen: unknown[] = []
  const error = await thrownBy(subscribe(provider, 'newHeads', [], (head) => seen.push(head)))
  expect(error).toMatchObject({ code: -32602 })
  endpoint.notify('0x1', 'head')
  expect(seen).toEqual([])
})

test('a subscription that the node ended for slowness starts again under another id', async () => {
  const ids = ['0x1', '0x2']
  const { provider, handle, endpoint } = setUp({ eth_subscribe: () => ids.shift(), eth_unsubscribe: () => true })
  const seen: unknown[] = []
  const subscription = await subscribe(provider, 'newPartialBlockTransactions', [], (hash) => seen.push(hash))
  endpoint.notify('0x1', '0xa')
  const error = { code: -32000, message: 'subscription closed: its notifications are read too slowly' }
  const end = { jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: '0x1', error } }
  handle.receive(JSON.stringify(end))
  await vi.waitFor(() => expect(ids).toEqual([]))
  endpoint.notify('0x1', '0xb')
  endpoint.notify('0x2', '0xc')
  expect(await subscription.unsubscribe()).toBe(true)
  expect(endpoint.received.at(-1)).toContain('"method":"eth_unsubscribe","params":["0x2"]')
  expect(seen).toEqual(['0xa', '0xc'])
})
