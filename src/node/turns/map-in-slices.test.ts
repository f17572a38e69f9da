import { expect, test } from 'vitest'
import { countingGuard } from '#testing/node/evm/counting-guard.ts'
import { mapInSlices, portionsOf } from './map-in-slices.ts'

test('the results are in order, and there may be a pause after each', async () => {
  const { guard, looks } = countingGuard()
  expect(await mapInSlices(['a', 'b', 'c'], (item) => item.toUpperCase(), guard)).toEqual(['A', 'B', 'C'])
  expect(looks()).toBe(3)
})

test.each([
  ['', []],
  ['abcd', ['ab', 'cd']],
  ['abcde', ['ab', 'cd', 'e']],
])('%j in portions of two is %j', (text, portions) => {
  expect([...portionsOf(text, 2)]).toEqual(portions)
  expect([...portionsOf(Array.from(text), 2)]).toEqual(portions.map((portion) => Array.from(portion)))
})
