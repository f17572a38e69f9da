import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { EMPTY_FEED, type FeedState, type FeedTransaction, type SealedSummary } from '#ui/feed/feed-state.ts'
import { announcement } from './announcer.tsx'

const OWN = toWord(1)

function feed(tx: Partial<FeedTransaction>, sealed: Partial<SealedSummary>[] = []): FeedState {
  return {
    ...EMPTY_FEED,
    transactions: new Map([[OWN, { hash: OWN, ...tx } as FeedTransaction]]),
    sealed: sealed as SealedSummary[],
  }
}

test('each step of an own transaction is announced once', () => {
  const waiting = feed({ status: 'mempool' })
  const included = feed({ status: 'preconfirmed', outcome: 'reverted', blockNumber: 3 })
  expect(announcement(waiting, included, [OWN])).toBe('Transaction 0x0000…0001 pre-confirmed in block 3, reverted')
  expect(announcement(included, included, [OWN])).toBeUndefined()
})

test('a seal is announced only if the block has transactions', () => {
  const before = feed({}, [{ number: 1 }])
  expect(announcement(before, feed({}, [{ number: 2, transactionCount: 0 }]), [])).toBeUndefined()
  expect(announcement(before, feed({}, [{ number: 2, transactionCount: 3 }]), [])).toBe(
    'Block 2 sealed with 3 transactions',
  )
})
