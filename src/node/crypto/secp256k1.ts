import { instantiateSecp256k1 } from '@bitauth/libauth'
import { type Address, bytesToHex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { keccak256 } from './keccak.ts'

const secp256k1 = await instantiateSecp256k1()

/** Order of the curve's group. */
export const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** The largest `s` that EIP-2 allows. */
export const SECP256K1_HALF_ORDER = SECP256K1_ORDER / 2n

/**
 * Public key behind a signature.
 *
 * @param digest - 32 bytes that were signed.
 * @param compact - 64 bytes: r ‖ s.
 * @returns 64 bytes (x ‖ y), or `undefined` where no key fits.
 */
export function recoverPublicKey(digest: Uint8Array, compact: Uint8Array, yParity: 0 | 1): Uint8Array | undefined {
  const key = secp256k1.recoverPublicKeyUncompressed(compact, yParity, digest)
  return typeof key === 'string' ? undefined : key.subarray(1)
}

/** Address behind a signature, or `undefined` where no key fits; parameters as in {@link recoverPublicKey}. */
export function recoverAddress(digest: Uint8Array, compact: Uint8Array, yParity: 0 | 1): Address | undefined {
  const key = recoverPublicKey(digest, compact, yParity)
  return key && bytesToHex(keccak256(key).subarray(12))
}

/** Address of a private key, or `undefined` if it is none: not 32 bytes, 0, or not below {@link SECP256K1_ORDER}. */
export function addressOfKey(privateKey: Uint8Array): Address | undefined {
  if (privateKey.length !== 32) return undefined
  const key = secp256k1.derivePublicKeyUncompressed(privateKey)
  return typeof key === 'string' ? undefined : bytesToHex(keccak256(key.subarray(1)).subarray(12))
}

/** A signature and which of the two keys that it fits is meant. */
export interface RecoverableSignature {
  /** 64 bytes: r ‖ s, with `s` in the lower half (EIP-2). */
  readonly compact: Uint8Array
  readonly yParity: 0 | 1
}

/**
 * Signs with the nonce of RFC 6979: the same digest and key always give the same signature.
 *
 * @param digest - 32 bytes.
 * @param privateKey - 32 bytes, above 0 and below {@link SECP256K1_ORDER}.
 */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): RecoverableSignature {
  const signed = secp256k1.signMessageHashRecoverableCompact(privateKey, digest)
  invariant(typeof signed !== 'string', 'a private key is 32 bytes, above 0 and below the order of the group')
  // 2 and 3 would mean an r that was reduced by the order: one signature in 2^127.
  invariant(signed.recoveryId === 0 || signed.recoveryId === 1, 'a signature has a recovery id that Ethereum lacks')
  return { compact: signed.signature, yParity: signed.recoveryId }
}
