import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { concatBytes } from '#primitives/bytes.ts'
import { bytesToHex } from '#primitives/hex.ts'
import { listSize, RlpWriter, stringSize } from './rlp-writer.ts'

/** Lengths around each change of the header's size. */
const lengths = fc.oneof(fc.nat(60), fc.constantFrom(255, 256, 257, 65_535, 65_536, 65_537))
const strings = fc
  .tuple(lengths, fc.nat(255))
  .map(([length, seed]) => Uint8Array.from({ length }, (_, i) => (seed + i) & 255))

test('the encoding equals the library’s, and its length is as computed', () => {
  fc.assert(
    fc.property(fc.array(strings, { maxLength: 5 }), (items) => {
      const size = items.reduce((sum, item) => sum + stringSize(item), 0)
      const writer = new RlpWriter(new Uint8Array(listSize(size)))
      writer.list(size)
      for (const item of items) writer.string(item)
      expect(bytesToHex(writer.bytes)).toBe(bytesToHex(RLP.encode(items)))
    }),
  )
})

test('every single byte is itself, or a string of it', () => {
  const all = Array.from({ length: 256 }, (_, value) => Uint8Array.of(value))
  const writer = new RlpWriter(new Uint8Array(all.reduce((sum, item) => sum + stringSize(item), 0)))
  for (const item of all) writer.string(item)
  expect(writer.bytes).toEqual(concatBytes(...all.map((item) => RLP.encode(item))))
})
