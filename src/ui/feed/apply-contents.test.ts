import { expect, test } from 'vitest'
import { type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcBlock, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import type { BlockContents } from './apply-contents.ts'
import { EMPTY_FEED, type FeedState } from './feed-state.ts'
import { type FeedEvent, reduceFeed } from './reducer.ts'
import { recentTransactions } from './selectors.ts'

const ALICE = '0x0a'
const HEADER = { timestamp: '0x1', gasUsed: '0x0', gasLimit: '0x1000', baseFeePerGas: '0x7' }
const transaction = (id: number) =>
  ({
    hash: toWord(id),
    from: ALICE,
    to: ALICE,
    nonce: toQuantity(id),
    value: '0x10',
    input: '0x',
  }) as unknown as RpcTransaction

const blockHash = (number: number): Hash => toWord(number * 100)

function history(blocks: Readonly<Record<number, readonly number[]>>): FeedEvent {
  const known = Object.entries(blocks).map(([number, ids]) => ({
    ...HEADER,
    number: toQuantity(Number(number)),
    hash: blockHash(Number(number)),
    transactions: ids.map((id) => toWord(id)),
  }))
  return { kind: 'history', blocks: known.toReversed() as unknown as readonly RpcBlock<Hash>[] }
}

function contents(number: number, ids: readonly number[], reverted: readonly number[] = []): BlockContents {
  const block = { ...HEADER, number: toQuantity(number), hash: blockHash(number), transactions: ids.map(transaction) }
  const receipts = ids.map((id) => ({ transactionHash: toWord(id), status: reverted.includes(id) ? '0x0' : '0x1' }))
  return {
    block: block as unknown as RpcBlock<RpcTransaction>,
    receipts: receipts as unknown as readonly RpcReceipt[],
    counts: undefined,
  }
}

const hashes = (state: FeedState) => recentTransactions(state.transactions, 10).map((tx) => tx.hash)

test('transactions of earlier blocks are listed after newer ones, newest first', () => {
  const waiting: FeedEvent = { kind: 'pooled', tx: transaction(9) }
  const before = reduceFeed(EMPTY_FEED, [history({ 1: [1, 2], 2: [3] }), waiting])
  const state = reduceFeed(before, [{ kind: 'contents', contents: [contents(2, [3]), contents(1, [1, 2], [2])] }])
  expect(hashes(state)).toEqual([9, 3, 2, 1].map((id) => toWord(id)))
  expect(state.transactions.get(toWord(2))).toMatchObject({
    status: 'sealed',
    outcome: 'reverted',
    blockNumber: 1,
    partialIndex: undefined,
  })
  expect(state.sealed[1]).toMatchObject({ number: 1, revertedCount: 1, partials: undefined })
  expect(state.sealed[1]?.slots?.flatMap((slot) => slot.transactions.map((tx) => tx.hash))).toEqual([
    toWord(1),
    toWord(2),
  ])
})

test('with the counts of a block’s partial blocks, each transaction has its partial block', () => {
  const before = reduceFeed(EMPTY_FEED, [history({ 1: [1, 2, 3] })])
  const state = reduceFeed(before, [
    { kind: 'contents', contents: [{ ...contents(1, [1, 2, 3]), counts: [0, 1, 0, 2] }] },
  ])
  expect([1, 2, 3].map((id) => state.transactions.get(toWord(id))?.partialIndex)).toEqual([1, 3, 3])
  expect(state.sealed[0]?.partials).toEqual([0, 1, 0, 2])
  expect(state.sealed[0]?.slots?.map((slot) => slot.transactions.length)).toEqual([0, 1, 0, 2])
})

test('blocks from before the known ones add their transactions, as the oldest', () => {
  const before = reduceFeed(EMPTY_FEED, [
    history({ 7: [], 8: [9] }),
    { kind: 'contents', contents: [contents(8, [9])] },
  ])
  const state = reduceFeed(before, [
    { kind: 'contents', contents: [contents(5, [3, 4])] },
    { kind: 'contents', contents: [contents(2, [1])] },
  ])
  expect(hashes(state)).toEqual([9, 4, 3, 1].map((id) => toWord(id)))
  expect(state.sealed).toEqual(before.sealed)
})

test('a block that was reverted meanwhile adds nothing', () => {
  const before = reduceFeed(EMPTY_FEED, [history({ 1: [1] })])
  const other = contents(1, [5])
  const state = reduceFeed(before, [
    { kind: 'contents', contents: [{ ...other, block: { ...other.block, hash: toWord(77) } }] },
  ])
  expect(hashes(state)).toEqual([])
  expect(state.sealed).toEqual(before.sealed)
})

test('blocks that this page followed stay as it saw them', () => {
  const tx = transaction(4)
  const diff = { blockHash: toWord(1), gasUsed: '0x0', transactions: [tx], receipts: [contents(1, [4]).receipts[0]] }
  const partial = {
    index: 3,
    payloadId: '0x1',
    base: HEADER,
    diff,
    metadata: { blockNumber: '0x1', transactionCount: 1 },
  } as unknown as Extract<FeedEvent, { kind: 'partial' }>['partial']
  const header = { ...HEADER, number: '0x1', hash: blockHash(1) } as unknown as Extract<
    FeedEvent,
    { kind: 'head' }
  >['header']
  const before = reduceFeed(EMPTY_FEED, [
    { kind: 'partial', partial, arrivedAtMs: 0 },
    { kind: 'head', header },
  ])
  const state = reduceFeed(before, [{ kind: 'contents', contents: [contents(1, [4])] }])
  expect(state.sealed).toEqual(before.sealed)
  expect(state.transactions).toEqual(before.transactions)
})
