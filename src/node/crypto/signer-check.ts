import { randomBytes } from '@noble/curves/utils.js'
import { FACTORS_BYTES, multiplierOf, type Signed } from '#engine/key-recovery.ts'
import { keyRecoveryFor } from '#engine/recover-keys.ts'
import { SECP256K1_ORDER as N } from '#engine/secp256k1-order.ts'
import { bigIntToBytes, bytesToBigInt, padLeft } from '#primitives/bytes.ts'
import { completeFormulas } from './complete-formulas.ts'
import { recoverKeys } from './recovery.ts'

/** Sums over the signatures of one key: multiples of the key and of the generator. */
interface Share {
  ofKey: bigint
  ofGenerator: bigint
}

/**
 * Whether every signature is one of the key beside it, by one equation for all of them, which takes about a third of what it
 * takes to recover the keys:
 *
 *     Σ zR = Σ (zr / s) Q + (Σ z · digest / s) G
 *
 * with a random z of 64 bits for each, so that one that is not passes once in 2^64 times (the small exponents test of
 * Bellare, Garay and Rabin, 1998). Nobody can try without asking: at 100,000 a second that is once in six million years.
 * The factors must be unpredictable, so they come from the system and not from a seed, unlike all else in `node/`; what is answered does
 * not depend on them.
 *
 * @param signatures - At least two, with r and s in the range of scalars.
 * @param keys - As many, 64 bytes (x ‖ y) each; signatures of one key are to have the same array.
 * @returns `false` also if the equation cannot be computed, which happens only to signatures made for that purpose.
 */
export function areSignedBy(signatures: readonly Signed[], keys: readonly Uint8Array[]): boolean {
  // An odd number is made even by counting the first signature twice, each time with another factor. Counting the last
  // one twice could put its point beside itself, and the sum would meet equal points.
  const all = signatures.length % 2 === 0 ? signatures : [...signatures, signatures[0] as Signed]
  const factors = randomBytes(all.length * FACTORS_BYTES)
  const recovery = keyRecoveryFor(all.length)
  const sums = recovery.sum(all, factors)
  if (!sums) return false
  const view = new DataView(factors.buffer, factors.byteOffset)
  const inverses = recovery.inverses(all.map(({ s }) => s))
  const shares = new Map<Uint8Array, Share>()
  for (const [i, { digest, r }] of all.entries()) {
    const key = keys[i % keys.length] as Uint8Array
    const share = shares.get(key) ?? { ofKey: 0n, ofGenerator: 0n }
    const overS = (multiplierOf(view, i * FACTORS_BYTES) * (inverses[i] as bigint)) % N
    share.ofKey += overS * r
    share.ofGenerator += overS * bytesToBigInt(digest)
    shares.set(key, share)
  }
  const expected = recoverKeys([...shares].map(([key, share]) => signatureOf(key, share)))
  if (!expected.every((point) => point !== undefined)) return false
  return addUp(sums).equals(addUp(expected))
}

/** A signature whose public key is that sum: keys are recovered as (s / r) R − (digest / r) G. */
function signatureOf(key: Uint8Array, { ofKey, ofGenerator }: Share): Signed {
  const r = bytesToBigInt(key.subarray(0, 32))
  const { Fn } = completeFormulas()
  const digest = padLeft(bigIntToBytes(Fn.create(-ofGenerator * r)), 32)
  return { digest, r, s: Fn.create(ofKey * r), yParity: ((key[63] ?? 0) & 1) as 0 | 1 }
}

function addUp(points: readonly Uint8Array[]) {
  const Point = completeFormulas()
  return points.reduce(
    (sum, point) =>
      sum.add(Point.fromAffine({ x: bytesToBigInt(point.subarray(0, 32)), y: bytesToBigInt(point.subarray(32)) })),
    Point.ZERO,
  )
}
