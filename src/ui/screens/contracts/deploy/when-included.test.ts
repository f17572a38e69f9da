import { afterEach, expect, test } from 'vitest'
import { toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import { commitFeed, freezeView, unfreezeView } from '#ui/feed/store.ts'
import { whenIncluded } from './settle-awaited.ts'

const TX = {
  hash: toWord(1),
  from: '0xaa',
  to: '0xbb',
  nonce: '0x0',
  value: '0x0',
  input: '0x',
} as unknown as RpcTransaction

function cutPartial(index: number, transactions: readonly RpcTransaction[]): void {
  const partial = {
    index,
    payloadId: '0x1',
    ...(index === 0 && { base: { gasLimit: '0x1', baseFeePerGas: '0x1' } }),
    diff: { blockHash: toWord(100 + index), gasUsed: '0x0', transactions, receipts: [] },
    metadata: { blockNumber: toQuantity(1), transactionCount: transactions.length, cutAtMs: 0, tookMs: 0 },
  } as unknown as PartialBlockDiff
  commitFeed([{ kind: 'partial', partial, arrivedAtMs: 0 }])
}

afterEach(() => {
  unfreezeView()
  commitFeed([{ kind: 'reset' }])
})

test('a transaction counts as included when the chain says so, whatever a frozen view shows', async () => {
  cutPartial(0, [])
  commitFeed([{ kind: 'pooled', tx: TX }])
  const included = whenIncluded(TX.hash)
  freezeView()
  cutPartial(1, [TX])
  expect(await included).toBe(true)
})

test('a dropped transaction, or one whose chain ends, does not', async () => {
  cutPartial(0, [])
  commitFeed([{ kind: 'pooled', tx: TX }])
  const dropped = whenIncluded(TX.hash)
  commitFeed([{ kind: 'gone', hashes: [TX.hash] }])
  expect(await dropped).toBe(false)
  cutPartial(1, [])
  const unknown = whenIncluded(toWord(2))
  commitFeed([{ kind: 'reset' }])
  expect(await unknown).toBe(false)
})
