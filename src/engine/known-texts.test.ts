import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex } from '#primitives/hex.ts'
import { KnownTexts } from './known-texts.ts'

/** Few enough to come again, at any place; and any other. */
const hash = fc.oneof(
  fc.nat(3).map((last) => new Uint8Array(32).fill(last, 31)),
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
)

test('the text of a hash matches its bytes, whatever the cache held before', () => {
  const texts = new KnownTexts()
  fc.assert(
    fc.property(hash, fc.nat(5), (bytes, at) => {
      const memory = new Uint8Array(at + 32)
      memory.set(bytes, at)
      expect(texts.get(memory, new DataView(memory.buffer), at)).toBe(bytesToHex(bytes))
    }),
    { numRuns: 5_000 },
  )
})
