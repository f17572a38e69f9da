import { createHmacDrbg } from '@noble/curves/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { singleRecovery } from '#engine/single-recovery.ts'
import { bigIntToBytes, bytesToBigInt, concatBytes, padLeft } from '#primitives/bytes.ts'
import type { Address } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { completeFormulas } from './complete-formulas.ts'
import { addressOf, SECP256K1_ORDER as N, type RecoverableSignature, SECP256K1_HALF_ORDER } from './secp256k1.ts'

const WORD_BYTES = 32

/** Address of a private key; `undefined` if the key is invalid: not 32 bytes, 0, or not below {@link SECP256K1_ORDER}. */
export function addressOfKey(privateKey: Uint8Array): Address | undefined {
  if (privateKey.length !== WORD_BYTES) return undefined
  const scalar = bytesToBigInt(privateKey)
  return scalar > 0n && scalar < N ? addressOf(multiplyGenerator(scalar)) : undefined
}

/**
 * Signs with the nonce of RFC 6979: the same digest and key always give the same signature. `s` is in the lower half
 * (EIP-2). Not hardened against an attacker who times it on the same machine: the keys are those of a devnet.
 *
 * @param digest - 32 bytes.
 * @param privateKey - 32 bytes, above 0 and below {@link SECP256K1_ORDER}.
 */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): RecoverableSignature {
  const z = bytesToBigInt(digest) % N
  const d = bytesToBigInt(privateKey)
  const nonces = createHmacDrbg<RecoverableSignature>(WORD_BYTES, WORD_BYTES, hmacOfSha256)
  return nonces(concatBytes(privateKey, toWord(z)), (bytes) => {
    const k = bytesToBigInt(bytes)
    if (k === 0n || k >= N) return undefined
    const point = multiplyGenerator(k)
    const r = bytesToBigInt(point, 0, WORD_BYTES)
    // An x beyond the order would need a recovery id that Ethereum lacks: one point in 2^127.
    invariant(r < N, 'a signature has a recovery id that Ethereum lacks')
    const s = (inverse(k) * ((z + r * d) % N)) % N
    if (r === 0n || s === 0n) return undefined
    const yParity = (point[2 * WORD_BYTES - 1] as number) & 1
    return s > SECP256K1_HALF_ORDER
      ? { r, s: N - s, yParity: yParity === 0 ? 1 : 0 }
      : { r, s, yParity: yParity === 0 ? 0 : 1 }
  })
}

/**
 * The public key of a scalar.
 *
 * @param scalar - Above 0 and below {@link SECP256K1_ORDER}.
 * @returns 64 bytes: x ‖ y.
 */
function multiplyGenerator(scalar: bigint): Uint8Array {
  return singleRecovery().multiplyGenerator(scalar, () =>
    completeFormulas().BASE.multiply(scalar).toBytes(false).subarray(1),
  )
}

const hmacOfSha256 = (key: Uint8Array, message: Uint8Array): Uint8Array => hmac(sha256, key, message)

/** Modulo the order. @param scalar - Not 0. */
function inverse(scalar: bigint): bigint {
  return singleRecovery().inverses([scalar])[0] as bigint
}

const toWord = (value: bigint): Uint8Array => padLeft(bigIntToBytes(value), WORD_BYTES)
