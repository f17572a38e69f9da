import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { FeedLiveBlock, SealedSummary } from '#ui/feed/feed-state.ts'
import { describeChange } from './describe-change.ts'

const live = { number: 128, transactionCount: 0, change: undefined, withdrawn: [] } as unknown as FeedLiveBlock
const change = { index: 5, added: 3, reverted: 1, tookMs: 4.2, hash: toWord(1), replacedHash: toWord(2) }
const sealed = { number: 127, hash: toWord(3), transactionCount: 34 } as unknown as SealedSummary

test('a partial block is described with what it added, how long that took and which hash it replaced', () => {
  expect(describeChange({ ...live, change }, sealed)).toBe(
    'Partial block 6 of block 128 added 3 transactions, of which 1 reverted, in 4\u00a0ms; the block’s hash is now ' +
      '0x0000…0001 in place of 0x0000…0002.',
  )
})

test('an empty block is described with the seal before it', () => {
  expect(describeChange(live, sealed)).toContain('Block 127 was sealed with 34 transactions')
  expect(describeChange(live, undefined)).toContain('Block 128 is open')
})

test('a block with earlier transactions is not called empty, and they get no partial block', () => {
  const told = describeChange({ ...live, transactionCount: 2 }, sealed)
  expect(told).toContain('Block 128 is open, with 2 transactions from before this page was open')
  expect(told).not.toContain('empty')
})

test('a withdrawal is described first', () => {
  expect(describeChange({ ...live, change, withdrawn: [{ index: 6, count: 1 }] }, sealed)).toBe(
    'Partial block 7 of block 128 was withdrawn: 1 transaction is no longer pre-confirmed.',
  )
  const several = [5, 6, 7].map((index) => ({ index, count: index - 4 }))
  expect(describeChange({ ...live, change, withdrawn: several }, sealed)).toBe(
    'Partial blocks 6 to 8 of block 128 were withdrawn: 6 transactions are no longer pre-confirmed.',
  )
})
