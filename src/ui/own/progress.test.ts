import { expect, test } from 'vitest'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { hasReached, knownProgress, progressByAnswers, progressOf, progressOfAll, stepTimes } from './progress.ts'

const RECEIVED: TimelineEvent = { kind: 'received', atMs: 1_000 }
const PRECONFIRMED: TimelineEvent = {
  kind: 'preconfirmed',
  atMs: 1_184,
  blockNumber: '0x3',
  index: 5,
  status: 'reverted',
}
const SEALED: TimelineEvent = { kind: 'sealed', atMs: 2_412, blockNumber: '0x3', blockHash: '0x01' }

test('progress is the newest step and keeps the details of earlier ones', () => {
  expect(progressOf([RECEIVED])).toMatchObject({ status: 'mempool', blockNumber: undefined })
  expect(progressOf([RECEIVED, PRECONFIRMED])).toMatchObject({ status: 'preconfirmed', partialIndex: 5 })
  expect(progressOf([RECEIVED, PRECONFIRMED, SEALED])).toEqual({
    status: 'sealed',
    outcome: 'reverted',
    blockNumber: 3,
    partialIndex: 5,
  })
  expect(progressOf([RECEIVED, { kind: 'replaced', atMs: 1_100, by: '0x02' }]).status).toBe('replaced')
})

test('steps are measured from the moment the node received the transaction', () => {
  expect(stepTimes([RECEIVED, PRECONFIRMED, SEALED])).toEqual({
    receivedAtMs: 1_000,
    preconfirmedMs: 184,
    sealedMs: 1_412,
  })
  expect(stepTimes([RECEIVED]).preconfirmedMs).toBeUndefined()
})

test('after its partial block is withdrawn, the transaction waits or is lost', () => {
  const requeued: TimelineEvent = { kind: 'withdrawn', atMs: 1_300, requeued: true }
  expect(progressOf([RECEIVED, PRECONFIRMED, requeued])).toMatchObject({ status: 'mempool', blockNumber: undefined })
  expect(progressOf([RECEIVED, PRECONFIRMED, { ...requeued, requeued: false }]).status).toBe('dropped')
  expect(stepTimes([RECEIVED, PRECONFIRMED, requeued])).toEqual({
    receivedAtMs: 1_000,
    preconfirmedMs: undefined,
    sealedMs: undefined,
  })
  expect(stepTimes([RECEIVED, PRECONFIRMED, requeued, { ...PRECONFIRMED, atMs: 1_400 }]).preconfirmedMs).toBe(400)
})

test('without timelines the progress comes from the transaction and its receipt', () => {
  const waiting = { blockHash: null, blockNumber: null } as RpcTransaction
  const sealed = { blockHash: '0x01', blockNumber: '0x7' } as unknown as RpcTransaction
  const receipt = (blockHash: string) => ({ blockHash, blockNumber: '0x7', status: '0x0' }) as unknown as RpcReceipt
  expect(progressByAnswers(null, null)).toMatchObject({ status: 'mempool' })
  expect(progressByAnswers(waiting, null)).toMatchObject({ status: 'mempool' })
  expect(progressByAnswers(waiting, receipt('0x00'))).toMatchObject({ status: 'preconfirmed', outcome: 'reverted' })
  // The transaction was sealed between the two calls.
  expect(progressByAnswers(waiting, receipt('0x01'))).toMatchObject({ status: 'sealed', blockNumber: 7 })
  expect(progressByAnswers(sealed, null)).toMatchObject({ status: 'sealed', outcome: undefined, blockNumber: 7 })
})

test('after a restart of the node, the progress of older transactions comes from its answers', () => {
  const tx = { blockHash: '0x01', blockNumber: '0x3' } as unknown as RpcTransaction
  const receipt = { blockHash: '0x01', blockNumber: '0x3', status: '0x1' } as unknown as RpcReceipt
  expect(progressOfAll([], tx, receipt)).toMatchObject({ status: 'sealed', outcome: 'success', blockNumber: 3 })
  // The transaction was pre-confirmed before, and sealed since.
  expect(progressOfAll([SEALED], tx, receipt)).toMatchObject({ status: 'sealed', outcome: 'success', blockNumber: 3 })
  expect(progressOfAll([RECEIVED, PRECONFIRMED, SEALED], tx, null)).toMatchObject({ partialIndex: 5 })
  expect(progressOfAll([RECEIVED, { kind: 'dropped', atMs: 1_100, reason: 'evicted' }], null, null).status).toBe(
    'dropped',
  )
})

test('a step is reached with the status of its name or a later one', () => {
  expect(hasReached(progressOf([RECEIVED]), 'preconfirmed')).toBe(false)
  expect(hasReached(progressOf([RECEIVED, PRECONFIRMED]), 'preconfirmed')).toBe(true)
  expect(hasReached(progressOf([RECEIVED, PRECONFIRMED]), 'sealed')).toBe(false)
  expect(hasReached(progressOf([SEALED]), 'preconfirmed')).toBe(true)
})

test('at the same status the answer has more details; otherwise the later status counts', () => {
  const feed = { status: 'sealed', outcome: undefined, blockNumber: 3, partialIndex: undefined } as const
  expect(knownProgress(feed, progressOf([RECEIVED, PRECONFIRMED, SEALED]))).toMatchObject({ outcome: 'reverted' })
  expect(knownProgress(feed, progressOf([RECEIVED]))).toBe(feed)
  expect(knownProgress(undefined, progressOf([RECEIVED]))).toMatchObject({ status: 'mempool' })
})

test('what an answer lacks is filled in by the feed, if both speak of the same block', () => {
  const feed = { status: 'preconfirmed', outcome: 'success', blockNumber: 3, partialIndex: 1 } as const
  const tx = { blockHash: `0x${'0'.repeat(64)}`, blockNumber: '0x3' } as unknown as RpcTransaction
  expect(knownProgress(feed, progressOfAll([], tx, null))).toEqual(feed)
  const moved = { ...tx, blockNumber: '0x4' } as RpcTransaction
  expect(knownProgress(feed, progressOfAll([], moved, null))).toMatchObject({ blockNumber: 4, partialIndex: undefined })
})
