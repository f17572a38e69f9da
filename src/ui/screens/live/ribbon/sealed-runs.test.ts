import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SealedSummary } from '#ui/feed/feed-state.ts'
import { sealedRuns } from './sealed-runs.ts'

const block = (number: number, transactionCount: number) => ({ number, transactionCount }) as SealedSummary
const shown = (counts: readonly number[], most = 6) =>
  sealedRuns(
    counts.map((count, i) => block(100 - i, count)),
    most,
  ).map(({ block: { number }, from }) => [number, from])

test('empty blocks in a row are one entry, but for the newest block', () => {
  expect(shown([0, 0, 0, 0])).toEqual([
    [100, 100],
    [99, 97],
  ])
  expect(shown([0, 2, 0, 0, 1, 0])).toEqual([
    [100, 100],
    [99, 99],
    [98, 97],
    [96, 96],
    [95, 95],
  ])
})

test('the last entry takes all empty blocks that follow it', () => {
  expect(shown([1, 1, 0, 0, 0, 1], 3)).toEqual([
    [100, 100],
    [99, 99],
    [98, 96],
  ])
})

test('every block up to the last entry is in exactly one entry', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      (counts, most) => {
        const covered = shown(counts, most).flatMap(([newest = 0, oldest = 0]) =>
          Array.from({ length: newest - oldest + 1 }, (_, i) => newest - i),
        )
        expect(covered).toEqual(counts.slice(0, covered.length).map((_, i) => 100 - i))
      },
    ),
  )
})
