import { concatBytes } from '#primitives/bytes.ts'
import { bytesToHex, type Hash, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import { keccak256, keccak256Hex } from '../crypto/keccak.ts'

const LABEL_BYTES = 16

/** keccak256(label ‖ seed ‖ number): pseudo-random values that are fixed for a block and repeat with the seed. */
function derive(label: string, seed: number, number: number): Hash {
  const labelBytes = new Uint8Array(LABEL_BYTES)
  for (let i = 0; i < label.length; i++) labelBytes[i] = label.charCodeAt(i)
  return keccak256Hex(concatBytes(labelBytes, hexToBytes(toWord(seed)), hexToBytes(toWord(number))))
}

/** `mixHash` of a block: the value of PREVRANDAO. */
export const deriveMixHash = (seed: number, number: number): Hash => derive('mixHash', seed, number)

/** `parentBeaconBlockRoot` of a block: there is no beacon chain behind it. */
export const deriveBeaconRoot = (seed: number, number: number): Hash => derive('beaconRoot', seed, number)

/** The first 8 bytes of keccak256(parent ‖ timestamp): one id for all partial blocks of a block. */
export function derivePayloadId(parentHash: Hash, timestamp: number): Hex {
  return bytesToHex(keccak256(hexToBytes(parentHash), hexToBytes(toWord(timestamp))).subarray(0, 8))
}
