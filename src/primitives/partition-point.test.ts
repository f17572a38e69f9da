import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partitionPoint } from './partition-point.ts'

test('the first item that is not before is the one that a search from the start finds', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.integer({ min: -1, max: 51 }), (numbers, limit) => {
      const sorted = numbers.toSorted((a, b) => a - b)
      const first = sorted.findIndex((number) => number > limit)
      expect(partitionPoint(sorted, (number) => number <= limit)).toBe(first < 0 ? sorted.length : first)
    }),
  )
})
