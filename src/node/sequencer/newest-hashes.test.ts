import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Hash, toWord } from '#primitives/hex.ts'
import { NewestHashes } from './newest-hashes.ts'

test('the newest hashes are found at their own places, and older ones are not, also where hashes begin alike', () => {
  // Numbers as hashes all begin with zeros, so that they are all in one row of slots.
  const hash = fc.tuple(fc.nat(300), fc.constantFrom(0n, 1n << 224n, 127n << 224n, 255n << 248n))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(hash, { maxLength: 600 }), (capacity, added) => {
      const index = new NewestHashes(capacity)
      const places = new Map<Hash, number>()
      for (const [low, high] of added) {
        const each = toWord(high + BigInt(low))
        expect(index.find(each)).toBe(places.get(each))
        if (places.has(each)) continue
        const place = index.add(each)
        const [oldest] = places.keys()
        if (places.size === capacity && oldest !== undefined) {
          expect(place).toBe(places.get(oldest))
          places.delete(oldest)
          expect(index.find(oldest)).toBeUndefined()
        }
        places.set(each, place)
      }
      for (const [each, place] of places) expect(index.find(each)).toBe(place)
      expect(new Set(places.values()).size).toBe(places.size)
    }),
    { numRuns: 50 },
  )
})
