import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Hash, hexToBytes } from '#primitives/hex.ts'
import { HashIndex } from './hash-index.ts'

/** Few prefixes, so that hashes collide in the table, and few suffixes, so that some repeat. */
const hash = fc
  .tuple(fc.constantFrom('00000000', '00000001', '0000003f', 'ffffffff', '80000000'), fc.nat(20))
  .map(([start, end]): Hash => `0x${start}${end.toString(16).padStart(56, '0')}`)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.array(hash, { minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.nat(150) },
)

test('a look-up finds the newest entry that was not removed, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(step), fc.array(hash), (steps, others) => {
      const hashes: Hash[] = []
      const index = new HashIndex((position) => hashes[position] as Hash)
      for (const change of steps) {
        if (typeof change === 'number') {
          const length = Math.min(change, hashes.length)
          index.truncate(length)
          hashes.length = length
          continue
        }
        for (const added of change) {
          hashes.push(added)
          // As text and as bytes, in turns.
          if (hashes.length % 2 === 0) index.add(added)
          else index.addBytes(hexToBytes(`0x00${added.slice(2)}`), 1)
        }
      }
      expect(index.length).toBe(hashes.length)
      for (const asked of [...hashes, ...others]) {
        const newest = hashes.lastIndexOf(asked)
        expect(index.find(asked)).toBe(newest === -1 ? undefined : newest)
      }
    }),
  )
})
