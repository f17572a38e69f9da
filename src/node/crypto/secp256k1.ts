import { instantiateSecp256k1 } from '@bitauth/libauth'
import { type Address, bytesToHex } from '#primitives/hex.ts'
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
