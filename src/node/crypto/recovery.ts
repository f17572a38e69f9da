import type { Signed } from '#engine/key-recovery.ts'
import { keyRecoveryFor } from '#engine/recover-keys.ts'
import { bigIntToBytes, bytesToBigInt, concatBytes, padLeft } from '#primitives/bytes.ts'
import type { Address } from '#primitives/hex.ts'
import { completeFormulas } from './complete-formulas.ts'
import { addressOf, type RecoverableSignature } from './secp256k1.ts'

export type { Signed }

/**
 * Public key behind a signature. Its point R has the x that r says: recovery ids 2 and 3, for an x beyond the group's order,
 * cannot be written down in Ethereum.
 *
 * @param digest - 32 bytes that were signed.
 * @returns 64 bytes (x ‖ y), or `undefined` where no key fits.
 */
export function recoverPublicKey(digest: Uint8Array, signature: RecoverableSignature): Uint8Array | undefined {
  return recoverKeys([{ digest, ...signature }])[0]
}

/** Public keys behind signatures, as {@link recoverPublicKey} finds them; in large groups each takes about half as long. */
export function recoverKeys(signatures: readonly Signed[]): (Uint8Array | undefined)[] {
  return keyRecoveryFor(signatures.length).recover(signatures, recoverByCompleteFormulas)
}

/** Slower by far, and right for points that are equal or opposite, too. */
function recoverByCompleteFormulas({ digest, r, s, yParity }: Signed): Uint8Array | undefined {
  const Point = completeFormulas()
  const { BASE, Fn } = Point
  const pointOfR = Point.fromBytes(concatBytes(Uint8Array.of(2 + yParity), padLeft(bigIntToBytes(r), 32)))
  const inverse = Fn.inv(r)
  const fromBase = BASE.multiplyUnsafe(Fn.create(-bytesToBigInt(digest) * inverse))
  const key = fromBase.add(pointOfR.multiplyUnsafe(Fn.create(s * inverse)))
  return key.is0() ? undefined : key.toBytes(false).subarray(1)
}

/** Address behind a signature, or `undefined` where no key fits; parameters as in {@link recoverPublicKey}. */
export function recoverAddress(digest: Uint8Array, signature: RecoverableSignature): Address | undefined {
  return recoverAddresses([{ digest, ...signature }])[0]
}

/** Addresses of many signers at once, as {@link recoverKeys} recovers their keys. */
export function recoverAddresses(signatures: readonly Signed[]): (Address | undefined)[] {
  return recoverKeys(signatures).map((key) => key && addressOf(key))
}
