import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, hexToBytes } from '#primitives/hex.ts'
import { keccak256 } from './keccak.ts'
import type { RecoverableSignature } from './secp256k1.ts'

/** The first 12 bytes of `r`: so it is below the order of the curve, and no signer meets it by chance. */
const TAG = 0x00_62_6c_69_6e_6b_6e_65_74_3a_61_73n
const ADDRESS_BITS = 160n
/** Keeps `s` in the lower half of the curve's order, as EIP-2 and OpenZeppelin's ECDSA ask. */
const S_MASK = (1n << 254n) - 1n

/**
 * What stands for an account's signature where nobody has its key. Chains that accept such signatures recover the account
 * from it, for this digest alone; everybody else recovers a stranger.
 */
export function impersonatedSignature(account: Address, digest: Uint8Array): RecoverableSignature {
  return { r: (TAG << ADDRESS_BITS) | BigInt(account), s: proofOf(hexToBytes(account), digest), yParity: 0 }
}

/** The account that {@link impersonatedSignature} stands for; `undefined` for every other signature. */
export function impersonatedSigner(digest: Uint8Array, { r, s, yParity }: RecoverableSignature): Address | undefined {
  if (r >> ADDRESS_BITS !== TAG || yParity !== 0) return undefined
  const account: Address = `0x${(r & ((1n << ADDRESS_BITS) - 1n)).toString(16).padStart(40, '0')}`
  return s === proofOf(hexToBytes(account), digest) ? account : undefined
}

function proofOf(account: Uint8Array, digest: Uint8Array): bigint {
  return bytesToBigInt(keccak256(account, digest)) & S_MASK
}
