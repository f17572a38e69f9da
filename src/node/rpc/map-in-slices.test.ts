import { expect, test } from 'vitest'
import { mapInSlices } from './map-in-slices.ts'

test('the results are in order, and there may be a pause after each', async () => {
  let pauses = 0
  const guard = {
    async checkpoint() {
      pauses++
    },
  }
  expect(await mapInSlices(['a', 'b', 'c'], (item, index) => `${item}${index}`, guard)).toEqual(['a0', 'b1', 'c2'])
  expect(pauses).toBe(3)
})
