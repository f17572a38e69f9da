import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bigIntToBytes, bytesToBigInt, EMPTY_BYTES } from './bytes.ts'

test('integers of any size become the bytes that their digits spell, and the integers again', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 600n }), fc.integer({ min: 0, max: 590 }), (large, shift) => {
      const value = (large >> BigInt(shift)) + 1n
      const digits = value.toString(16)
      const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
      expect(bigIntToBytes(value)).toEqual(Uint8Array.from(bytes))
      expect(bytesToBigInt(bytes)).toBe(value)
    }),
    { numRuns: 2_000 },
  )
})

test('the integers around each power of 256 have as many bytes as they need, and leading zeros do not count', () => {
  for (let length = 1; length <= 40; length++) {
    const power = 256n ** BigInt(length)
    for (const value of [power - 1n, power, power + 1n]) {
      const bytes = bigIntToBytes(value)
      expect(bytes).toHaveLength(value < power ? length : length + 1)
      expect(bytesToBigInt(bytes)).toBe(value)
      expect(bytesToBigInt(Uint8Array.of(0, 0, 0, ...bytes))).toBe(value)
    }
  }
  expect(bigIntToBytes(0n)).toBe(EMPTY_BYTES)
  expect(bytesToBigInt(EMPTY_BYTES)).toBe(0n)
  expect(bytesToBigInt(new Uint8Array(40))).toBe(0n)
})
