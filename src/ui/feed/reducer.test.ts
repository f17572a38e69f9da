import { expect, test } from 'vitest'
import { type Hash, type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcBlock, RpcTransaction } from '#rpc-types/objects.ts'
import { head, partial, pooled, receipt, run, statusOf, transaction } from '#testing/ui/feed.ts'
import { EMPTY_FEED, SEALED_CAPACITY, TRANSACTION_CAPACITY } from './feed-state.ts'
import { type FeedEvent, reduceFeed } from './reducer.ts'
import { pooledTransactions, recentTransactions, sealDueAtMs } from './selectors.ts'

test('a transaction goes from the mempool through a partial block into a sealed one', () => {
  const waiting = run(partial(1, 0), pooled(7))
  expect(statusOf(waiting, 7)).toBe('mempool')
  expect(pooledTransactions(waiting.transactions)).toHaveLength(1)

  const included = reduceFeed(waiting, [partial(1, 1, [7])])
  expect(included.transactions.get(toWord(7))).toMatchObject({
    status: 'preconfirmed',
    outcome: 'success',
    blockNumber: 1,
    partialIndex: 1,
  })
  expect(pooledTransactions(included.transactions)).toHaveLength(0)

  const sealed = reduceFeed(included, [head(1), partial(2, 0)])
  expect(statusOf(sealed, 7)).toBe('sealed')
  expect(sealed.sealed[0]).toMatchObject({ number: 1, transactionCount: 1, partials: [0, 1] })
  expect(sealed.live).toMatchObject({ number: 2, index: 0, transactionCount: 0 })
})

test('the constant fields of a block come from its first message', () => {
  const { live } = run(partial(1, 0), partial(1, 1))
  expect(live).toMatchObject({ gasLimit: 0x1000n, baseFeePerGas: 7n, index: 1, complete: true })
  expect(live?.slots.map((slot) => slot.index)).toEqual([0, 1])
})

test('a subscription that starts in the middle of a block gives earlier transactions no index', () => {
  const state = run(partial(3, 4, [1, 2], { first: true }), partial(3, 5, [3], { count: 3 }), head(3))
  expect(state.transactions.get(toWord(1))?.partialIndex).toBeUndefined()
  expect(state.transactions.get(toWord(3))?.partialIndex).toBe(5)
  expect(state.sealed[0]).toMatchObject({ transactionCount: 3, partials: undefined })
})

test('a block that was empty when the subscription started is known completely', () => {
  const state = run(partial(3, 2, [], { first: true }), partial(3, 3, [1]), head(3))
  expect(state.live?.slots.map((slot) => slot.index)).toEqual([0, 1, 2, 3])
  expect(state.sealed[0]?.partials).toEqual([0, 0, 0, 1])
})

test('a paused chain shows its pending block, and its next partial block adds only new transactions', () => {
  const block = { number: '0x4', hash: toWord(400), gasUsed: '0x1', gasLimit: '0x1000', baseFeePerGas: '0x7' }
  const pending = { ...block, transactions: [transaction(1)] } as unknown as RpcBlock<RpcTransaction>
  const seeded = run({ kind: 'pending', block: pending, receipts: [receipt(1, true)], counts: [1], arrivedAtMs: 5 })
  expect(seeded.live).toMatchObject({ number: 4, index: 0, transactionCount: 1, complete: true })
  expect(seeded.transactions.get(toWord(1))).toMatchObject({ outcome: 'reverted', partialIndex: 0 })

  const { live } = reduceFeed(seeded, [partial(4, 1, [1, 2], { first: true, count: 2, reverted: [1] })])
  expect(live?.slots.map((slot) => slot.transactions.map((tx) => tx.hash))).toEqual([[toWord(1)], [toWord(2)]])
})

/** The fetched pending block, with transaction 1 in it. */
function standing(
  number: number,
  index: number,
  counts = Array.from({ length: index + 1 }, (_, i) => +(i === 0)),
): FeedEvent {
  const hash = toWord(number * 100 + index)
  const block = { number: toQuantity(number), hash, gasUsed: '0x1', gasLimit: '0x1000', baseFeePerGas: '0x7' }
  const pending = { ...block, transactions: [transaction(1)] } as unknown as RpcBlock<RpcTransaction>
  return { kind: 'pending', block: pending, receipts: [receipt(1)], counts, arrivedAtMs: 5 }
}

test('if a partial block is cut while its block is being fetched, its transactions appear once', () => {
  const { live } = run(standing(4, 1), partial(4, 2, [1, 2], { first: false, count: 2 }))
  expect(live?.slots.flatMap((slot) => slot.transactions.map((tx) => tx.hash))).toEqual([toWord(1), toWord(2)])
})

test('in a block that grew before the page opened, each transaction is in its partial block', () => {
  const state = run(standing(4, 2, [0, 1, 0]))
  expect(state.live).toMatchObject({ index: 2, complete: true })
  expect(state.live?.slots.map((slot) => slot.transactions.length)).toEqual([0, 1, 0])
  expect(state.transactions.get(toWord(1))?.partialIndex).toBe(1)
})

test('a block that grew between two calls gives its transactions no index', () => {
  const state = run(standing(4, 2, [0, 0, 0]))
  expect(state.live).toMatchObject({ index: 2, complete: false, transactionCount: 1 })
  expect(state.transactions.get(toWord(1))?.partialIndex).toBeUndefined()
})

test('a block that was sealed as fetched is complete, one that was sealed with more is not', () => {
  expect(run(standing(4, 9), head(4)).sealed[0]?.transactionCount).toBe(1)
  expect(run(standing(4, 8), head(4)).sealed[0]?.transactionCount).toBeUndefined()
})

test('a fetched pending block is ignored if it arrives after the first event', () => {
  const state = run(partial(3, 2, [], { first: true }))
  const block = { number: '0x2', transactions: [] } as unknown as RpcBlock<RpcTransaction>
  expect(
    reduceFeed(state, [{ kind: 'pending', block, receipts: [], counts: [0, 0], arrivedAtMs: 0 }]).live?.number,
  ).toBe(3)
})

test('once the node has changed, the pending block that was shown gives way to the fetched one, unless a later one came first', () => {
  const before = run(partial(1, 0), pooled(7), partial(1, 1, [7]))
  const fetched = { ...standing(3, 0), replaces: before.live } as FeedEvent
  const after = reduceFeed(before, [fetched])
  expect(after.live).toMatchObject({ number: 3, index: 0, transactionCount: 1 })
  expect(statusOf(after, 7)).toBe('mempool')

  const ahead = reduceFeed(before, [partial(1, 2)])
  expect(reduceFeed(ahead, [fetched]).live).toBe(ahead.live)
})

test('a partial block of an unknown block without its base is ignored', () => {
  expect(run(partial(3, 4, [1])).live).toBeUndefined()
})

test('a reverted transaction keeps its outcome beside its status', () => {
  const state = run(partial(1, 0, [1, 2], { reverted: [2] }), head(1))
  expect(state.transactions.get(toWord(2))).toMatchObject({ status: 'sealed', outcome: 'reverted' })
  expect(state.sealed[0]?.revertedCount).toBe(1)
})

test('a transaction with the same sender and nonce replaces the waiting one', () => {
  const state = run(pooled(1, 5), pooled(2, 5))
  expect(statusOf(state, 1)).toBe('replaced')
  expect(statusOf(state, 2)).toBe('mempool')
})

test('a pool event that arrives after the partial block changes nothing', () => {
  expect(statusOf(run(partial(1, 0, [1]), pooled(1)), 1)).toBe('preconfirmed')
})

test('a transaction in no pool and no block is shown as dropped', () => {
  expect(statusOf(run(pooled(1), { kind: 'gone', hashes: [toWord(1)] }), 1)).toBe('dropped')
})

test('history is added before the events of the subscription', () => {
  const block = (number: number) => ({
    number: toQuantity(number),
    hash: toWord(number),
    timestamp: '0x1' as Hex,
    gasUsed: '0x0' as Hex,
    gasLimit: '0x1' as Hex,
    transactions: [] as Hash[],
  })
  const blocks = [block(2), block(1), block(0)] as never
  const state = run(partial(2, 0), head(2), { kind: 'history', blocks })
  expect(state.sealed.map((summary) => summary.number)).toEqual([2, 1, 0])
  expect(state.sealed[0]?.hash).toBe(toWord(209))
})

test('a restart forgets the old chain', () => {
  const before = run(partial(1, 0, [1]), head(1))
  expect(reduceFeed(before, [{ kind: 'reset' }])).toEqual(EMPTY_FEED)
})

test('the rings are bounded and keep the newest', () => {
  const blocks = Array.from({ length: SEALED_CAPACITY + 5 }, (_, i) => head(i))
  const transactions = Array.from({ length: TRANSACTION_CAPACITY + 5 }, (_, i) => pooled(i))
  const state = run(...blocks, ...transactions)
  expect(state.sealed).toHaveLength(SEALED_CAPACITY)
  expect(state.sealed[0]?.number).toBe(SEALED_CAPACITY + 4)
  expect(state.transactions.size).toBe(TRANSACTION_CAPACITY)
  expect(recentTransactions(state.transactions, 2).map((tx) => tx.hash)).toEqual([
    toWord(TRANSACTION_CAPACITY + 4),
    toWord(TRANSACTION_CAPACITY + 3),
  ])
})

test('a batch does not change the previous state', () => {
  const before = run(pooled(1))
  reduceFeed(before, [partial(1, 0, [1])])
  expect(statusOf(before, 1)).toBe('mempool')
})

test('the deadline follows the index and the speed', () => {
  const pace = { partialMs: 200, partialsPerBlock: 10, speed: 1 }
  expect(sealDueAtMs({ index: 6, arrivedAtMs: 1_000 }, pace)).toBe(1_800)
  expect(sealDueAtMs({ index: 6, arrivedAtMs: 1_000 }, { ...pace, speed: 0.1 })).toBe(9_000)
})

test('the newest partial block with transactions is kept, with the hash it replaced', () => {
  const state = run(partial(1, 0), partial(1, 1, [7, 8], { reverted: [8] }), partial(1, 2, [], { count: 2 }))
  expect(state.live?.change).toEqual({
    index: 1,
    added: 2,
    reverted: 1,
    tookMs: 0,
    hash: toWord(101),
    replacedHash: toWord(100),
  })
  const dropped = reduceFeed(state, [partial(1, 0, [], { first: true })])
  expect(dropped.live?.change).toBeUndefined()
})

test('a sealed block keeps its contents for drawing while it is among the newest', () => {
  let state = run(partial(1, 0, [7]), head(1))
  expect(state.sealed[0]?.slots?.[0]?.transactions[0]).toMatchObject({ hash: toWord(7), reverted: false })
  for (let number = 2; number <= 9; number++) state = reduceFeed(state, [partial(number, 0), head(number)])
  expect(state.sealed.at(-1)).toMatchObject({ number: 1, transactionCount: 1, slots: undefined })
})
