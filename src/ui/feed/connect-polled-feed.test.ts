import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Capabilities, NO_CAPABILITIES } from '#client/session/capabilities.ts'
import { createProvider } from '#client/session/provider.ts'
import { type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { connectPolledFeed } from './connect-polled-feed.ts'
import { EMPTY_FEED, type FeedState } from './feed-state.ts'
import { reduceFeed } from './reducer.ts'

type Method = (params: readonly unknown[]) => unknown

const UNKNOWN = () => ({ error: { code: -32601, message: 'the method does not exist' } })

const transaction = (id: number) => ({
  hash: toWord(id),
  from: '0x01',
  to: '0x02',
  nonce: toQuantity(id),
  value: '0x1',
  input: '0x',
})

const block = (number: number, ids: readonly number[] = [], hash: Hash | null = toWord(number)) => ({
  number: toQuantity(number),
  hash,
  timestamp: '0x5',
  gasUsed: '0x0',
  gasLimit: '0x1000',
  baseFeePerGas: '0x7',
  transactions: ids.map((id) => transaction(id)),
})

/** A chain that answers what the test sets. */
async function follow(capabilities: Partial<Capabilities> = {}, methods: Record<string, Method> = {}) {
  const chain = {
    sealed: [block(0)],
    pending: undefined as ReturnType<typeof block> | undefined,
    /** Hashes that `eth_getTransactionByHash` knows. */
    known: new Set<unknown>(),
    index: 0,
  }
  const answers: Record<string, Method> = {
    eth_getBlockByNumber: ([selector]) => {
      if (selector === 'latest') return chain.sealed.at(-1)
      if (selector === 'pending') return chain.pending ?? null
      return chain.sealed[Number(selector)] ?? null
    },
    eth_getBlockReceipts: () =>
      (chain.pending?.transactions ?? []).map(({ hash }) => ({ transactionHash: hash, status: '0x1' })),
    eth_getTransactionByHash: ([hash]) => (chain.known.has(hash) ? { hash } : null),
    devnet_status: () => ({ live: { number: chain.pending?.number, index: chain.index } }),
    eth_subscribe: ([kind]) => (kind === 'newHeads' ? '0x1' : '0x2'),
    eth_unsubscribe: () => true,
    ...methods,
  }
  const received: string[] = []
  const handle = createProvider((body) => {
    received.push(body)
    const { id, method, params = [] } = JSON.parse(body) as JsonRpcRequest
    const outcome = answers[method]?.(params)
    const failed = typeof outcome === 'object' && outcome !== null && 'error' in outcome
    return Promise.resolve(JSON.stringify({ jsonrpc: '2.0', id, ...(failed ? outcome : { result: outcome }) }))
  })
  let state: FeedState = EMPTY_FEED
  const onUseless = vi.fn<(message: string) => void>()
  const stop = await connectPolledFeed(
    handle.provider,
    { ...NO_CAPABILITIES, ...capabilities },
    {
      read: () => state,
      commit(events) {
        state = reduceFeed(state, events)
      },
    },
    onUseless,
  )
  return {
    chain,
    received,
    /** The chain pushes an event. */
    notify: (subscription: string) =>
      handle.receive(
        JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result: {} } }),
      ),
    stop,
    onUseless,
    read: () => state,
    statusOf: (id: number) => state.transactions.get(toWord(id))?.status,
    /** Lets the next poll happen. */
    pass: (ms = 1_000) => vi.advanceTimersByTimeAsync(ms),
  }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('without pre-confirmations pending transactions wait until their block is sealed', async () => {
  const { chain, pass, read, statusOf } = await follow()
  expect(read().live).toMatchObject({ number: 1, transactionCount: 0 })
  chain.pending = block(1, [7], null)
  await pass()
  expect(read().live).toMatchObject({ number: 1, transactionCount: 1 })
  expect(statusOf(7)).toBe('mempool')
  chain.sealed.push(block(1, [7]))
  chain.pending = block(2)
  await pass()
  expect(statusOf(7)).toBe('sealed')
  expect(read().sealed.map(({ number, transactionCount }) => [number, transactionCount])).toEqual([
    [1, 1],
    [0, 0],
  ])
})

test('with pre-confirmations pending transactions are pre-confirmed, with outcome and partial block', async () => {
  const { chain, pass, read, statusOf } = await follow({ preconfirms: true, devnet: true })
  chain.pending = block(1, [7])
  await pass(250)
  expect(read().transactions.get(toWord(7))).toMatchObject({
    status: 'preconfirmed',
    outcome: 'success',
    blockNumber: 1,
  })
  chain.index = 4
  chain.pending = block(1, [7, 8], toWord(99))
  await pass(250)
  expect(read().live).toMatchObject({ index: 4, transactionCount: 2, hash: toWord(99) })
  expect(read().live?.slots.map((slot) => [slot.index, slot.transactions.length])).toEqual([
    [0, 1],
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 1],
  ])
  // Taken back by a fault.
  chain.pending = block(1, [8])
  await pass(250)
  expect(statusOf(7)).toBe('mempool')
})

test('blocks that were sealed between two polls are fetched', async () => {
  const { chain, pass, read } = await follow()
  chain.sealed.push(block(1, [1]), block(2, [2, 3]), block(3))
  await pass()
  expect(read().sealed.map(({ number }) => number)).toEqual([3, 2, 1, 0])
  expect(read().live?.number).toBe(4)
})

test('another block of the same number replaces the earlier one', async () => {
  const { chain, pass, read, statusOf } = await follow()
  chain.sealed.push(block(1, [1]))
  await pass()
  chain.sealed[1] = block(1, [2], toWord(111))
  await pass()
  expect(read().sealed[0]).toMatchObject({ number: 1, hash: toWord(111) })
  expect(read().reorgs).toBe(1)
  expect([statusOf(1), statusOf(2)]).toEqual(['dropped', 'sealed'])
})

test('a transaction that the chain no longer knows is dropped, others keep waiting', async () => {
  const { chain, pass, statusOf } = await follow()
  chain.pending = block(1, [7, 8])
  await pass()
  chain.known.add(toWord(8))
  chain.sealed.push(block(1))
  chain.pending = block(2)
  await pass()
  expect([statusOf(7), statusOf(8)]).toEqual(['dropped', 'mempool'])
})

test('a chain without a pending block is followed by its sealed blocks', async () => {
  let head = block(0)
  const { pass, read, onUseless } = await follow(
    {},
    { eth_getBlockByNumber: ([selector]) => (selector === 'pending' ? UNKNOWN() : head) },
  )
  head = block(1)
  await pass()
  expect(read().sealed[0]?.number).toBe(1)
  expect(read().live).toMatchObject({ number: 2, transactionCount: 0 })
  expect(onUseless).not.toHaveBeenCalled()
})

test('a chain that pushes events is polled after each', async () => {
  const { chain, notify, pass, read, stop } = await follow({ pushes: true })
  chain.sealed.push(block(1))
  await pass(100)
  expect(read().sealed[0]?.number).toBe(0)
  notify('0x1')
  await pass(0)
  expect(read().sealed[0]?.number).toBe(1)
  stop()
  chain.sealed.push(block(2))
  await pass(10_000)
  expect(read().sealed[0]?.number).toBe(1)
})

test('if a chain refuses to return its blocks, the page stops with its message', async () => {
  const { onUseless, pass, received } = await follow(
    {},
    { eth_getBlockByNumber: () => ({ error: { code: -32005, message: 'rate limit exceeded' } }) },
  )
  expect(onUseless).toHaveBeenCalledExactlyOnceWith('rate limit exceeded')
  const asked = received.length
  await pass(10_000)
  expect(received).toHaveLength(asked)
})
