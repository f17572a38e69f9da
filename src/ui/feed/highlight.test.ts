import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { EMPTY_FEED, type FeedState, type FeedTransaction, type SealedSummary } from './feed-state.ts'
import { countWanted } from './highlight.ts'

const [ALICE, BOB, CAROL] = ['0x0a', '0x0b', '0x0c'] as const
const transaction = (id: number, from: typeof ALICE, to: typeof BOB) =>
  [toWord(id), { hash: toWord(id), from, to } as unknown as FeedTransaction] as const

const feed: FeedState = {
  ...EMPTY_FEED,
  sealed: [{ number: 3, transactionCount: 5 }, { number: 2 }] as unknown as readonly SealedSummary[],
  live: { number: 4, transactionCount: 2 } as unknown as FeedState['live'],
  transactions: new Map([transaction(1, ALICE, BOB), transaction(2, ALICE, ALICE as never)]),
}

test('a hash matches one transaction, an address all that it sent or received', () => {
  expect(countWanted(feed, toWord(1))).toBe(1)
  expect(countWanted(feed, ALICE)).toBe(2)
  expect(countWanted(feed, BOB)).toBe(1)
  expect(countWanted(feed, CAROL)).toBe(0)
})

test('a block matches all of its transactions, sealed or not', () => {
  expect(countWanted(feed, 3)).toBe(5)
  expect(countWanted(feed, 4)).toBe(2)
  expect(countWanted(feed, 2)).toBe(0)
  expect(countWanted(feed, 9)).toBe(0)
})
