import { secp256k1 } from '@noble/curves/secp256k1.js'
import { recoverKeys, type Signed } from '#engine/recover-keys.ts'
import { bigIntToBytes, bytesToBigInt, concatBytes, padLeft } from '#primitives/bytes.ts'
import { type Address, bytesToHex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { keccak256 } from './keccak.ts'

const { Point } = secp256k1

/** Order of the curve's group. */
export const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** The largest `s` that EIP-2 allows. */
export const SECP256K1_HALF_ORDER = SECP256K1_ORDER / 2n

export type { Signed }

/** A signature and which of the two keys that it fits is meant. */
export interface RecoverableSignature {
  readonly r: bigint
  readonly s: bigint
  readonly yParity: 0 | 1
}

/**
 * Public key behind a signature.
 *
 * @param digest - 32 bytes that were signed.
 * @returns 64 bytes (x ‖ y), or `undefined` where no key fits.
 */
export function recoverPublicKey(digest: Uint8Array, signature: RecoverableSignature): Uint8Array | undefined {
  return recoverKeys([{ digest, ...signature }], recoverByCompleteFormulas)[0]
}

/** Slower by far, and right for points that are equal or opposite, too. */
function recoverByCompleteFormulas({ digest, r, s, yParity }: Signed): Uint8Array | undefined {
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

/** The same for many, each of which takes about half as long then. */
export function recoverAddresses(signatures: readonly Signed[]): (Address | undefined)[] {
  return recoverKeys(signatures, recoverByCompleteFormulas).map((key) => key && addressOf(key))
}

/** Address of a private key, or `undefined` if it is none: not 32 bytes, 0, or not below {@link SECP256K1_ORDER}. */
export function addressOfKey(privateKey: Uint8Array): Address | undefined {
  if (!secp256k1.utils.isValidSecretKey(privateKey)) return undefined
  return addressOf(secp256k1.getPublicKey(privateKey, false).subarray(1))
}

/** @param publicKey - 64 bytes. */
function addressOf(publicKey: Uint8Array): Address {
  return bytesToHex(keccak256(publicKey).subarray(12))
}

/**
 * Signs with the nonce of RFC 6979: the same digest and key always give the same signature. `s` is in the lower half
 * (EIP-2).
 *
 * @param digest - 32 bytes.
 * @param privateKey - 32 bytes, above 0 and below {@link SECP256K1_ORDER}.
 */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): RecoverableSignature {
  const bytes = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' })
  const { r, s, recovery } = secp256k1.Signature.fromBytes(bytes, 'recovered')
  // 2 and 3 would mean an r that was reduced by the order: one signature in 2^127.
  invariant(recovery === 0 || recovery === 1, 'a signature has a recovery id that Ethereum lacks')
  return { r, s, yParity: recovery }
}
