import { expect, test } from 'vitest'
import type { SealedSummary } from '#ui/feed/feed-state.ts'
import { countSealed, NOTHING_SEEN } from './evening.ts'

const sealed = (...blocks: readonly [number, number | undefined][]) =>
  blocks.map(([number, transactionCount]) => ({ number, transactionCount }) as SealedSummary)

test('what was sealed before the stage was opened is not counted', () => {
  expect(countSealed(NOTHING_SEEN, sealed([7, 5], [6, 1]))).toEqual({ blocks: 0, transactions: 0, upTo: 7 })
  expect(countSealed(NOTHING_SEEN, [])).toBe(NOTHING_SEEN)
})

test('each block is counted once, also after a reorg', () => {
  let evening = countSealed(NOTHING_SEEN, sealed([7, 5]))
  evening = countSealed(evening, sealed([9, 3], [8, 2], [7, 5]))
  expect(evening).toEqual({ blocks: 2, transactions: 5, upTo: 9 })
  evening = countSealed(evening, sealed([8, 4], [7, 5]))
  evening = countSealed(evening, sealed([9, 4], [8, 4]))
  expect(evening).toEqual({ blocks: 2, transactions: 5, upTo: 9 })
})

test('a block whose contents were not seen is counted as a block', () => {
  const evening = countSealed({ blocks: 1, transactions: 2, upTo: 9 }, sealed([11, undefined], [10, 3]))
  expect(evening).toEqual({ blocks: 3, transactions: 5, upTo: 11 })
})
