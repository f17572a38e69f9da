import { expect, test } from 'vitest'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import { briefWithdrawalWords, withdrawalsOf, withdrawalWords } from './withdrawals.ts'

const received: TimelineEvent = { kind: 'received', atMs: 0 }
const preconfirmed: TimelineEvent = { kind: 'preconfirmed', atMs: 120, blockNumber: '0x5', index: 3, status: 'success' }
const sealed: TimelineEvent = { kind: 'sealed', atMs: 1_500, blockNumber: '0x5', blockHash: '0x01' }

test('each withdrawal names the step it undid', () => {
  const events: TimelineEvent[] = [
    received,
    preconfirmed,
    { kind: 'withdrawn', atMs: 300, requeued: true },
    { ...preconfirmed, atMs: 400 },
    sealed,
    { kind: 'withdrawn', atMs: 2_500, requeued: false },
  ]
  expect(withdrawalsOf(events).map(withdrawalWords)).toEqual([
    'Pre-confirmed in block #5, then withdrawn after 180 ms: it went back to the mempool.',
    'Sealed in block #5, then withdrawn after 1,000 ms: the transaction was lost.',
  ])
  expect(withdrawalsOf(events).map(briefWithdrawalWords)).toEqual([
    'Withdrawn from block #5: back in the mempool.',
    'Withdrawn from block #5: lost.',
  ])
  expect(withdrawalsOf([received, preconfirmed, sealed])).toEqual([])
})

test('a transaction that was lost and sent again is not called lost', () => {
  const events: TimelineEvent[] = [
    received,
    preconfirmed,
    { kind: 'withdrawn', atMs: 300, requeued: false },
    { kind: 'received', atMs: 900 },
  ]
  const words =
    'Pre-confirmed in block #5, then withdrawn after 180 ms: the transaction was lost, and sent again later.'
  expect(withdrawalsOf(events).map(withdrawalWords)).toEqual([words])
  const sealedLater = [...events, { ...preconfirmed, atMs: 1_000 }, sealed]
  expect(withdrawalsOf(sealedLater).map(withdrawalWords)).toEqual([words])
})
