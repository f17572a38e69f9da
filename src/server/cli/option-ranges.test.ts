import { describe, expect, test } from 'vitest'
import { createSpec } from '#node/spec/create-spec.ts'
import { OPTION_RANGES, parseRangedOption } from '#rpc-types/option-ranges.ts'
import { NUMBERS } from '#rpc-types/option-tables.derived.ts'

// Here, because only an entry point may import both the node and the option texts.
describe.each(NUMBERS.filter((name) => name !== 'speed'))('the range of %s', (name) => {
  test('has exactly the limits of the node', () => {
    const { min, max } = OPTION_RANGES[name]
    for (const value of [min, max]) {
      expect(parseRangedOption(name, String(value))).toBe(value)
      expect(() => createSpec({ [name]: value })).not.toThrow()
    }
    for (const value of [min - 1, max + 1]) {
      expect(parseRangedOption(name, String(value))).toBeUndefined()
      expect(() => createSpec({ [name]: value })).toThrow('must be a whole number')
    }
  })
})

test('a speed may be a fraction, but not zero', () => {
  expect(parseRangedOption('speed', '0.1')).toBe(0.1)
  expect(parseRangedOption('speed', '100')).toBe(100)
  expect(parseRangedOption('speed', '0.0')).toBeUndefined()
  expect(parseRangedOption('speed', '100.1')).toBeUndefined()
})
