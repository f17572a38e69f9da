import fc from 'fast-check'
import { expect, test } from 'vitest'
import { histogram, percentile, spread } from './latency.ts'

test('half of the values are at most the median, and 95 in 100 at most the 95th percentile', () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i)
  expect(percentile(values, 0.5)).toBe(50)
  expect(percentile(values, 0.95)).toBe(95)
  expect(percentile([7], 0.5)).toBe(7)
  expect(percentile([], 0.5)).toBeUndefined()
})

test('a histogram counts every value once; those beyond its end count in the last bin', () => {
  expect(histogram([0, 99, 100, 399, 4_000], 4, 400)).toEqual([2, 1, 0, 2])
  fc.assert(
    fc.property(fc.array(fc.nat(5_000)), (values) => {
      expect(histogram(values, 24, 2_000).reduce((sum, count) => sum + count, 0)).toBe(values.length)
    }),
  )
})

test('a sample is spread over all items, and never larger than requested', () => {
  expect(spread([1, 2, 3], 5)).toEqual([1, 2, 3])
  expect(spread([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 5)).toEqual([0, 2, 4, 6, 8])
  fc.assert(
    fc.property(fc.nat(500), fc.integer({ min: 1, max: 20 }), (length, count) => {
      expect(spread(Array.from({ length }), count)).toHaveLength(Math.min(length, count))
    }),
  )
})
