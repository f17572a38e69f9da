import { bench, describe } from 'vitest'
import type { Hash } from '#primitives/hex.ts'
import { HashIndex } from './hash-index.ts'

const LOOK_UPS = 1_000
const TAIL = '7'.repeat(56)
/** Spread as hashes are; no two of a million are equal. */
const hashOf = (n: number): Hash => `0x${(Math.imul(n, 0x9e37_79b1) >>> 0).toString(16).padStart(8, '0')}${TAIL}`

for (const size of [10_000, 100_000, 1_000_000]) {
  describe(`${LOOK_UPS} look-ups among ${size} hashes`, () => {
    const hashes = Array.from({ length: size }, (_, n) => hashOf(n))
    const index = new HashIndex((position) => hashes[position])
    for (const hash of hashes) index.add(hash)
    // Apart from each other, as those that somebody asks for are.
    const known = Array.from({ length: LOOK_UPS }, (_, i) => hashes[(i * 7_919) % size] as Hash)
    const unknown = Array.from({ length: LOOK_UPS }, (_, i) => hashOf(size + i * 7_919))

    bench('of hashes that it has', () => {
      for (const hash of known) index.find(hash)
    })
    bench('of hashes that it does not have', () => {
      for (const hash of unknown) index.find(hash)
    })
  })
}
