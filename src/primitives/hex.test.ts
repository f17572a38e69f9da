import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from './hex.ts'

test('bytes of any length become the digits that Node.js makes of them, and digits become the bytes again', () => {
  const sizes = fc.oneof(fc.nat({ max: 40 }), fc.constantFrom(1023, 1024, 1025, 4095, 4096, 4097, 8192, 10_000))
  fc.assert(
    fc.property(sizes, fc.nat({ max: 255 }), (size, seed) => {
      const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 31 + seed * (i >> 3)) & 255)
      const hex = bytesToHex(bytes)
      expect(hex).toBe(`0x${Buffer.from(bytes).toString('hex')}`)
      expect(hexToBytes(hex)).toEqual(bytes)
    }),
  )
})
