import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestUpTo } from './shallow-steps.ts'

test('the nearest step is the one that a search step by step finds, in both directions', () => {
  // Calls of some thousand steps, so that there are blocks to skip, and steps before and after them.
  const call = fc.record({ depth: fc.nat(3), steps: fc.integer({ min: 1, max: 3_000 }) })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 8 }), fc.nat(25_000), fc.nat(3), (calls, from, most) => {
      const depths = Uint16Array.from(calls.flatMap(({ depth, steps }) => new Array<number>(steps).fill(depth)))
      const after = depths.findIndex((depth, step) => step >= from && depth <= most)
      const before = depths.findLastIndex((depth, step) => step <= from && depth <= most)
      expect(nearestUpTo(depths, from, most, 1)).toBe(after)
      if (from < depths.length) expect(nearestUpTo(depths, from, most, -1)).toBe(before)
    }),
    { numRuns: 200 },
  )
})

test('nothing is found before the first step or after the last one', () => {
  const depths = new Uint16Array(5_000)
  expect(nearestUpTo(depths, -1, 0, -1)).toBe(-1)
  expect(nearestUpTo(depths, 5_000, 0, 1)).toBe(-1)
  expect(nearestUpTo(depths, 0, -1, 1)).toBe(-1)
})
