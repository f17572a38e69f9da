import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Address } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { addressOf, type RecoverableSignature } from './secp256k1.ts'

/** Address of a private key; `undefined` if the key is invalid: not 32 bytes, 0, or not below {@link SECP256K1_ORDER}. */
export function addressOfKey(privateKey: Uint8Array): Address | undefined {
  if (!secp256k1.utils.isValidSecretKey(privateKey)) return undefined
  return addressOf(secp256k1.getPublicKey(privateKey, false).subarray(1))
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
