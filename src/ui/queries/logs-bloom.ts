import { keccak256 } from 'viem'
import { type Hash, type Hex, hexToBytes } from '#primitives/hex.ts'

/**
 * Reads a bloom filter of logs, as blocks have it: for each topic, whether one of the logs may have it; `false` is certain.
 *
 * @see Yellow Paper, section 4.3.1
 */
export function readBloom(bloom: Hex): (topic: Hash) => boolean {
  const bytes = hexToBytes(bloom)
  return (topic) => {
    const hash = keccak256(topic, 'bytes')
    return [0, 2, 4].every((i) => {
      const bit = (((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) & 2047
      return (((bytes[255 - (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 1
    })
  }
}
