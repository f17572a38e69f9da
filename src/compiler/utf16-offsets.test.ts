import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf16Offsets } from './utf16-offsets.ts'

test('an offset in bytes is found again in the string, whatever the characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
      const bytes = new TextEncoder().encode(before).byteLength
      expect(utf16Offsets(before + after)(bytes)).toBe(before.length)
    }),
  )
})

test('an offset inside a character is its start, an offset past the end is the end', () => {
  const offset = utf16Offsets('a😀b')
  expect([0, 1, 2, 3, 4, 5, 6, 7, 99].map(offset)).toEqual([0, 1, 1, 1, 1, 3, 4, 4, 4])
  expect(utf16Offsets('abc')(99)).toBe(3)
})
