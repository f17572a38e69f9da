import { expect, test } from 'vitest'
import type { FilmMoments } from '#rpc-types/methods/devnet.ts'
import { ChainTimes } from './chain-times.ts'
import type { SeenPartial } from './test-record.ts'

const RUNS: FilmMoments['runs'] = [
  { number: '0x1', first: 0, transactions: [0, 1, 0] },
  { number: '0x2', first: 0, transactions: [0, 2], takenFrom: 1 },
  { number: '0x2', first: 0, transactions: [0] },
]
const seen = (...places: readonly (readonly [number, number, 'again'?])[]): readonly SeenPartial[] =>
  places.map(([number, index, again], i) => ({
    atMs: 10 * (i + 1),
    number,
    index,
    hash: `${i}`,
    transactions: again ? 0 : i,
    withdrawn: again !== undefined,
  }))

test('before the first partial block that was seen, and after empty ones, the moment is the one that stood', () => {
  const line = new ChainTimes(
    { runs: RUNS, count: 6 },
    { partials: seen([1, 1], [1, 2], [1, 3], [2, 0], [2, 1], [2, 0, 'again']), skipped: 0 },
  )
  expect(line.at(5)).toBe(0)
  expect([10, 20, 30, 40, 50, 60].map((atMs) => line.at(atMs))).toEqual([1, 2, 2, 3, 4, 5])
  expect(line.times).toEqual([undefined, 10, 20, 40, 50, 60])
  expect(new ChainTimes({ runs: RUNS, count: 6 }, { partials: [], skipped: 0 }).at(5)).toBe(5)
})

test('what a reorganisation or a reset has removed is no moment of the film', () => {
  const partials = seen([1, 1], [2, 0], [3, 0], [1, 0], [1, 1])
  const line = new ChainTimes({ runs: RUNS.slice(0, 1), count: 3 }, { partials, skipped: 0 })
  expect(line.times).toEqual([40, 50, undefined])
})

test('a step shows what the test had seen when it ended, also of a partial block of the same millisecond', () => {
  const partials = seen([1, 0], [1, 1])
  const line = new ChainTimes({ runs: RUNS, count: 6 }, { partials, skipped: 0 })
  expect(line.atEndOf({ seen: [1], tookMs: 10 }, 20, 0)).toBe(0)
  expect(line.atEndOf({ seen: [2], tookMs: 10 }, 20, 0)).toBe(1)
  expect(line.atEndOf({ seen: [], tookMs: 10 }, 20, 0)).toBe(1)
  expect(line.atEndOf({ seen: [1], tookMs: -1 }, 20, 0)).toBe(1)
  const cut = new ChainTimes({ runs: RUNS, count: 6 }, { partials: partials.slice(1), skipped: 1 })
  expect(cut.atEndOf({ seen: [2], tookMs: 10 }, 20, 0)).toBe(1)
})
