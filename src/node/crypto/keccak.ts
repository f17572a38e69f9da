import { createKeccak } from 'hash-wasm'
import { bytesToHex, type Hash } from '#primitives/hex.ts'

const hasher = await createKeccak(256)

/** keccak256, 32 bytes. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return hasher.init().update(bytes).digest('binary')
}

/** keccak256 as a map key. */
export function keccak256Hex(bytes: Uint8Array): Hash {
  return bytesToHex(keccak256(bytes))
}
