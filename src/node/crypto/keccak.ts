import { Keccak256Stream, keccak256, keccak256View } from '#engine/keccak.ts'
import { bytesToHex, type Hash } from '#primitives/hex.ts'

export { Keccak256Stream, keccak256, keccak256View }

/** keccak256 as a map key. */
export function keccak256Hex(bytes: Uint8Array): Hash {
  return bytesToHex(keccak256View(bytes))
}
