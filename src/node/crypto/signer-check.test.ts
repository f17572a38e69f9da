import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Signed } from '#engine/key-recovery.ts'
import { signatureBy } from '#testing/node/crypto/signatures.ts'
import { recoverKeys } from './recovery.ts'
import { areSignedBy } from './signer-check.ts'

const SIGNERS = 3
/** The signers take turns. */
const signatures = Array.from({ length: 90 }, (_, i) => signatureBy(i % SIGNERS, i))
const first = recoverKeys(signatures.slice(0, SIGNERS)) as Uint8Array[]
const keys = signatures.map((_, i) => first[i % SIGNERS] as Uint8Array)
/** `CHECK_RUNS` for a long run. */
const numRuns = Number(process.env['CHECK_RUNS'] ?? 40)
const ranges = fc
  .tuple(fc.nat(signatures.length - 2), fc.integer({ min: 2, max: signatures.length }))
  .map(([start, length]) => [start, start + length] as const)

test('signatures pass the check with their own keys, for any number of them', () => {
  fc.assert(
    fc.property(ranges, ([start, end]) => {
      expect(areSignedBy(signatures.slice(start, end), keys.slice(start, end))).toBe(true)
    }),
    { numRuns },
  )
})

/** Changes that make a signature somebody else's, or nobody's. */
const changes: readonly ((signature: Signed) => Signed)[] = [
  (signature) => ({ ...signature, digest: signature.digest.map((byte) => byte ^ 1) }),
  (signature) => ({ ...signature, s: signature.s + 1n }),
  (signature) => ({ ...signature, r: signature.r + 1n }),
  (signature) => ({ ...signature, yParity: signature.yParity === 0 ? 1 : 0 }),
  // No point of the curve has x = 5.
  (signature) => ({ ...signature, r: 5n }),
]

test('one changed signature at any position is found', () => {
  fc.assert(
    fc.property(ranges, fc.nat(), fc.constantFrom(...changes), ([start, end], at, change) => {
      const some = signatures.slice(start, end)
      const i = at % some.length
      some[i] = change(some[i] as Signed)
      expect(areSignedBy(some, keys.slice(start, end))).toBe(false)
    }),
    { numRuns },
  )
})

test('one signature by another key at any position is found', () => {
  fc.assert(
    fc.property(ranges, fc.nat(), ([start, end], at) => {
      const beside = keys.slice(start, end)
      const i = at % beside.length
      beside[i] = first[(start + i + 1) % SIGNERS] as Uint8Array
      expect(areSignedBy(signatures.slice(start, end), beside)).toBe(false)
    }),
    { numRuns },
  )
})

test('two changes that would cancel each other out in a plain sum are found', () => {
  const [one, other] = [signatures[0], signatures[SIGNERS]] as [Signed, Signed]
  const swapped = [
    { ...one, digest: other.digest },
    { ...other, digest: one.digest },
  ]
  expect(areSignedBy(swapped, [keys[0], keys[0]] as Uint8Array[])).toBe(false)
})
