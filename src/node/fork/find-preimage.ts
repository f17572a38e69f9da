import type { Clock } from '#primitives/clock.ts'
import { bytesToHex, type Hex, hexToBytes, toWord } from '#primitives/hex.ts'
import { keccak256View } from '../crypto/keccak.ts'
import type { ByteText } from '../state/byte-text.ts'
import { nibbleAt } from '../state/nibbles.ts'

/** The most hashes that are tried: for a path of five nibbles, one in a million fits. */
const MAX_TRIED = 1 << 23
const BETWEEN_PAUSES = 4_096

/**
 * A slot, or an address, whose hash begins like `key`: proofs can be asked only for what is hashed.
 *
 * @param bytes - 32 for a slot, 20 for an address.
 * @param depth - How many nibbles have to agree.
 * @returns `undefined` if none was found.
 */
export async function findPreimage(
  key: ByteText,
  depth: number,
  bytes: 20 | 32,
  clock: Clock,
): Promise<Hex | undefined> {
  if (16 ** depth > MAX_TRIED) return undefined
  // Far from the slots and addresses that are in use.
  const tried = hexToBytes(toWord(1n << 255n)).subarray(0, bytes)
  const view = new DataView(tried.buffer, tried.byteOffset, bytes)
  for (let count = 1; count <= MAX_TRIED; count++) {
    view.setUint32(bytes - 4, count)
    if (beginsLike(keccak256View(tried), key, depth)) return bytesToHex(tried)
    if (count % BETWEEN_PAUSES === 0) await clock.yield()
  }
  return undefined
}

function beginsLike(hash: Uint8Array, key: ByteText, depth: number): boolean {
  for (let at = 0; at < depth; at++) {
    const byte = hash[at >> 1] as number
    if (((at & 1) === 0 ? byte >> 4 : byte & 15) !== nibbleAt(key, at)) return false
  }
  return true
}
