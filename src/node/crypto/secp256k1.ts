import { SECP256K1_ORDER } from '#engine/secp256k1-order.ts'
import { type Address, bytesToHex } from '#primitives/hex.ts'
import { keccak256 } from './keccak.ts'

export { SECP256K1_ORDER }

/** The largest `s` that EIP-2 allows. */
export const SECP256K1_HALF_ORDER = SECP256K1_ORDER / 2n

/** A signature and which of the two keys that it fits is meant. */
export interface RecoverableSignature {
  readonly r: bigint
  readonly s: bigint
  readonly yParity: 0 | 1
}

/** @param publicKey - 64 bytes. */
export function addressOf(publicKey: Uint8Array): Address {
  return bytesToHex(keccak256(publicKey).subarray(12))
}
