import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { addLog } from './EventList.tsx'

function log(block: number, index: number, tx: number, more: Partial<RpcLog> = {}): RpcLog {
  return {
    address: `0x${'aa'.repeat(20)}`,
    topics: [],
    data: '0x',
    blockNumber: toQuantity(block),
    blockHash: toWord(block),
    logIndex: toQuantity(index),
    transactionHash: toWord(tx),
    transactionIndex: '0x0',
    removed: false,
    ...more,
  } as RpcLog
}

const after = (...told: readonly RpcLog[]) => told.reduce<readonly RpcLog[]>(addLog, [])

test('a log that arrives both pre-confirmed and sealed is listed once', () => {
  const sealed = log(5, 0, 1)
  expect(after(log(5, 0, 1, { blockHash: toWord(0) }), sealed)).toEqual([sealed])
})

test('the newest come first, in whatever order they arrive', () => {
  const logs = [log(6, 1, 3), log(6, 0, 2), log(5, 7, 1)]
  fc.assert(
    fc.property(fc.shuffledSubarray(logs, { minLength: 3 }), (told) => {
      expect(after(...told)).toEqual(logs)
    }),
  )
})

test('withdrawn logs disappear, and the logs of their transaction in another block replace them', () => {
  expect(after(log(5, 0, 1), log(5, 0, 1, { removed: true }))).toEqual([])
  expect(after(log(5, 0, 1), log(6, 3, 1), log(6, 4, 1))).toEqual([log(6, 4, 1), log(6, 3, 1)])
})

test('only the newest hundred are kept', () => {
  const many = after(...Array.from({ length: 130 }, (_, i) => log(i, 0, i)))
  expect(many).toHaveLength(100)
  expect(many[0]).toEqual(log(129, 0, 129))
})
