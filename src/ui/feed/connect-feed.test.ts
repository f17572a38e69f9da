import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProvider, type ProviderHandle } from '#client/session/provider.ts'
import { toQuantity, toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { connectFeed } from './connect-feed.ts'
import { EMPTY_FEED, type FeedState } from './feed-state.ts'
import { type FeedEvent, reduceFeed } from './reducer.ts'

const HEADER = { gasUsed: '0x0', gasLimit: '0x1000', baseFeePerGas: '0x7', timestamp: '0x1' }
const block = (number: number) => ({ ...HEADER, number: toQuantity(number), hash: toWord(number), transactions: [] })

/** The heads of the fake node at first. */
const NAMED = { pending: 2, latest: 1 }

/** Halfway between two ticks. */
const STATUS = {
  live: { transactionsByPartial: [0, 0, 0, 0], nextTickAtMs: 1_100 },
  chainTimeMs: 1_000,
  partialMs: 200,
  speed: 1,
}

/** A node that answers from a table and pushes the test's events. */
function fakeNode() {
  const known = new Set<unknown>()
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_subscribe: ([kind]) => `0x${String(kind).length.toString(16)}`,
    eth_unsubscribe: () => true,
    eth_getBlockByNumber: ([number]) => block(NAMED[number as keyof typeof NAMED] ?? Number(number)),
    eth_getBlockReceipts: () => [],
    devnet_status: () => STATUS,
    txpool_status: () => ({ pending: '0x1', queued: '0x0' }),
    txpool_content: () => ({ pending: {}, queued: {} }),
    chain_transactionStatus: ([hash]) => ({ status: known.has(hash) ? 'Known' : 'Unknown' }),
  }
  const asked: string[] = []
  const handle: ProviderHandle = createProvider((body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest
    asked.push(method)
    return Promise.resolve(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params ?? []) }))
  })
  const push = (kind: string, result: unknown) =>
    handle.receive(
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'eth_subscription',
        params: { subscription: `0x${kind.length.toString(16)}`, result },
      }),
    )
  return { provider: handle.provider, push, known, answers, asked }
}

const pooled = (id: number) => ({ hash: toWord(id), from: '0x01', to: '0x02', nonce: '0x0', value: '0x1', input: '0x' })
const partial = (number: number, index: number, transactions: readonly unknown[] = []) => ({
  index,
  payloadId: toQuantity(number),
  base: HEADER,
  diff: { blockHash: toWord(number), gasUsed: '0x0', transactions, receipts: [] },
  metadata: { blockNumber: toQuantity(number), transactionCount: transactions.length },
})

function recordingSink() {
  let state: FeedState = EMPTY_FEED
  const commits: (readonly FeedEvent[])[] = []
  return {
    commits,
    read: () => state,
    commit(events: readonly FeedEvent[]) {
      commits.push(events)
      state = reduceFeed(state, events)
    },
  }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('all events between two partial blocks are committed with the later one', async () => {
  const { provider, push } = fakeNode()
  const sink = recordingSink()
  await connectFeed(provider, sink)
  push('newPartialBlocks', partial(2, 4))
  await vi.advanceTimersByTimeAsync(100)
  const before = sink.commits.length
  push('newPendingTransactions', pooled(1))
  push('newPendingTransactions', pooled(2))
  push('newHeads', block(2))
  push('newPartialBlocks', partial(3, 0))
  expect(sink.commits).toHaveLength(before + 1)
  expect(sink.commits.at(-1)?.map((event) => event.kind)).toEqual(['pooled', 'pooled', 'head', 'partial'])
})

test('a pool event does not wait for a partial block that may never come', async () => {
  const { provider, push } = fakeNode()
  const sink = recordingSink()
  await connectFeed(provider, sink)
  push('newPendingTransactions', pooled(1))
  await vi.advanceTimersByTimeAsync(50)
  expect(sink.read().transactions.get(toWord(1))?.status).toBe('mempool')
})

test('the current pending block and the history are shown at once, without a partial block', async () => {
  const { provider } = fakeNode()
  const sink = recordingSink()
  await connectFeed(provider, sink)
  expect(sink.read().live).toMatchObject({ number: 2, index: 3, arrivedAtMs: Date.now() - 100 })
  expect(sink.read().sealed.map((sealed) => sealed.number)).toEqual([1, 0])
})

test('all that a page needs of a new chain is asked at once, subscriptions first', async () => {
  const { provider, answers, asked } = fakeNode()
  answers['eth_getBlockByNumber'] = ([number]) => block(number === 'pending' ? 1 : 0)
  const sink = recordingSink()
  const connecting = connectFeed(provider, sink)
  const together = [...asked]
  await connecting
  expect(together.slice(0, 3)).toEqual(['eth_subscribe', 'eth_subscribe', 'eth_subscribe'])
  expect(asked.filter((method) => method === 'eth_getBlockByNumber')).toHaveLength(2)
  expect(sink.read()).toMatchObject({ live: { number: 1 }, sealed: [{ number: 0 }] })
})

test('earlier events are filled in: sealed blocks and waiting transactions', async () => {
  const { provider, answers } = fakeNode()
  const [sealed, waiting] = [pooled(1), pooled(2)]
  answers['eth_getBlockByNumber'] = ([number]) => ({
    ...block(number === 'latest' ? 1 : Number(number)),
    transactions: number === 'latest' ? [sealed.hash] : [],
  })
  answers['eth_getBlockByHash'] = () => ({ ...block(1), transactions: [sealed] })
  answers['txpool_content'] = () => ({ pending: { '0x01': { '0': waiting } }, queued: {} })
  const sink = recordingSink()
  await connectFeed(provider, sink)
  await vi.advanceTimersByTimeAsync(50)
  const { transactions } = sink.read()
  expect(transactions.get(sealed.hash)).toMatchObject({ status: 'sealed', blockNumber: 1, partialIndex: undefined })
  expect(transactions.get(waiting.hash)?.status).toBe('mempool')
  expect([...transactions.keys()]).toEqual([sealed.hash, waiting.hash])
})

test('missed blocks are fetched, and their transactions become sealed', async () => {
  const { provider, push, answers } = fakeNode()
  const sink = recordingSink()
  await connectFeed(provider, sink)
  const tx = pooled(1)
  push('newPartialBlocks', partial(2, 0, [tx]))
  await vi.advanceTimersByTimeAsync(50)
  answers['eth_getBlockByNumber'] = ([number]) => ({
    ...block(number === 'latest' ? 4 : Number(number)),
    transactions: Number(number) === 2 ? [tx.hash] : [],
  })
  push('newPartialBlocks', partial(5, 3))
  await vi.advanceTimersByTimeAsync(50)
  expect(sink.read().sealed.map((sealed) => sealed.number)).toEqual([4, 3, 2, 1, 0])
  expect(sink.read().transactions.get(tx.hash)).toMatchObject({ status: 'sealed', blockNumber: 2 })
})

test('a transaction that waits for two seals and is no longer known is shown as dropped', async () => {
  const { provider, push } = fakeNode()
  const sink = recordingSink()
  await connectFeed(provider, sink)
  push('newPendingTransactions', pooled(1))
  push('newPartialBlocks', partial(2, 9))
  push('newHeads', block(2))
  await vi.advanceTimersByTimeAsync(50)
  expect(sink.read().transactions.get(toWord(1))?.status).toBe('mempool')
  push('newHeads', block(3))
  await vi.advanceTimersByTimeAsync(50)
  expect(sink.read().transactions.get(toWord(1))?.status).toBe('dropped')
})

test('a transaction that the pool dropped is noticed at the next partial block', async () => {
  const { provider, push, known, answers } = fakeNode()
  const sink = recordingSink()
  await connectFeed(provider, sink)
  const [kept, dropped] = [pooled(1), { ...pooled(2), nonce: '0x1' }]
  push('newPendingTransactions', kept)
  push('newPendingTransactions', dropped)
  known.add(kept.hash)
  known.add(dropped.hash)
  answers['txpool_status'] = () => ({ pending: '0x1', queued: '0x1' })
  push('newPartialBlocks', partial(2, 0))
  await vi.advanceTimersByTimeAsync(50)
  const statuses = () => [kept, dropped].map(({ hash }) => sink.read().transactions.get(hash)?.status)
  expect(statuses()).toEqual(['mempool', 'mempool'])

  known.delete(dropped.hash)
  answers['txpool_status'] = () => ({ pending: '0x1', queued: '0x0' })
  push('newPartialBlocks', partial(2, 1))
  await vi.advanceTimersByTimeAsync(50)
  expect(statuses()).toEqual(['mempool', 'dropped'])
})

test('the contents of a sealed block are fetched if its partial blocks were missed', async () => {
  const { provider, push, answers } = fakeNode()
  const sink = recordingSink()
  await connectFeed(provider, sink)
  await vi.advanceTimersByTimeAsync(50)
  const sealed = { ...block(2), hash: toWord(22), transactions: [toWord(7), toWord(8)] }
  answers['eth_getBlockByNumber'] = ([number]) => (number === 'latest' ? sealed : block(Number(number)))
  push('newHeads', sealed)
  await vi.advanceTimersByTimeAsync(100)
  expect(sink.read().sealed[0]).toMatchObject({ number: 2, transactionCount: 2 })
})

test('when a partial block is withdrawn, its lost transactions are shown as dropped at once', async () => {
  const { provider, push, known } = fakeNode()
  const sink = recordingSink()
  await connectFeed(provider, sink)
  const [lost, requeued] = [pooled(1), { ...pooled(2), nonce: '0x1' }]
  push('newPendingTransactions', lost)
  push('newPendingTransactions', requeued)
  push('newPartialBlocks', partial(2, 0, [lost, requeued]))
  const statuses = () => [lost, requeued].map(({ hash }) => sink.read().transactions.get(hash)?.status)
  expect(statuses()).toEqual(['preconfirmed', 'preconfirmed'])
  known.add(requeued.hash)
  await vi.advanceTimersByTimeAsync(100)
  push('newPartialBlocks', partial(2, 0))
  await vi.advanceTimersByTimeAsync(50)
  expect(statuses()).toEqual(['dropped', 'mempool'])

  push('newPendingTransactions', lost)
  await vi.advanceTimersByTimeAsync(50)
  expect(statuses()).toEqual(['mempool', 'mempool'])
})

test('nothing reaches the store after a stop', async () => {
  const { provider, push } = fakeNode()
  const sink = recordingSink()
  const stop = await connectFeed(provider, sink)
  stop()
  const before = sink.commits.length
  push('newPartialBlocks', partial(2, 4))
  await vi.advanceTimersByTimeAsync(50)
  expect(sink.commits).toHaveLength(before)
})
