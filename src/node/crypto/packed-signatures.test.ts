import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packSignatures, unpackSignatures } from './packed-signatures.ts'

const scalar = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const signature = fc.record({
  digest: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  r: scalar,
  s: scalar,
  yParity: fc.constantFrom<0 | 1>(0, 1),
})

test('packed signatures are unpacked with their hints, at any offset', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(signature, fc.nat(2 ** 32 - 1))), fc.nat(40), (made, offset) => {
      const signatures = made.map(([one]) => one)
      const hints = made.map(([, one]) => one)
      const packed = packSignatures(signatures, hints)
      const moved = new Uint8Array(offset + packed.length)
      moved.set(packed, offset)
      const unpacked = unpackSignatures(moved.subarray(offset))
      expect(unpacked.hints).toEqual(hints)
      expect(unpacked.signatures.map(({ digest, r, s, yParity }) => ({ digest, r, s, yParity }))).toEqual(signatures)
    }),
  )
})
