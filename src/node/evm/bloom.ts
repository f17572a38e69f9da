import { type Hex, hexToBytes } from '#primitives/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { GenerationalCache } from '../state/generational-cache.ts'
import type { EngineLog } from './message.ts'

const BLOOM_BYTES = 256
/** Bits of a bloom. */
export const BLOOM_BITS = 8 * BLOOM_BYTES
/** Bits of recently logged values: the same contracts log the same events of the same accounts. */
const KNOWN = new GenerationalCache<Hex, readonly number[]>(4_096)

/** The bloom of no logs, which most transactions and many blocks have; must not be changed. */
export const EMPTY_BLOOM = new Uint8Array(BLOOM_BYTES)

/** 2,048 bits, none set. */
export function emptyBloom(): Uint8Array {
  return new Uint8Array(BLOOM_BYTES)
}

/** Whether no bit is set, so there are no logs. */
export function isEmptyBloom(bloom: Uint8Array): boolean {
  for (let i = 0; i < BLOOM_BYTES; i++) if (bloom[i] !== 0) return false
  return true
}

/** Number of logs up to which values are looked up one by one; with more logs, values repeat. */
const FEW_LOGS = 4

/**
 * Bloom filter of logs: three bits per address and topic. Must not be changed.
 *
 * @see Yellow Paper, section 4.3.1
 */
export function logsBloom(logs: readonly EngineLog[]): Uint8Array {
  if (logs.length === 0) return EMPTY_BLOOM
  const bloom = emptyBloom()
  addLogs(bloom, logs)
  return bloom
}

/** Adds the bits of logs to a bloom. */
export function addLogs(bloom: Uint8Array, logs: readonly EngineLog[]): void {
  if (logs.length <= FEW_LOGS) {
    for (const { address, topics } of logs) {
      add(bloom, address)
      for (const topic of topics) add(bloom, topic)
    }
    return
  }
  // A transaction can have thousands of logs, mostly of the same few kinds.
  const values = new Set<Hex>()
  for (const { address, topics } of logs) {
    values.add(address)
    for (const topic of topics) values.add(topic)
  }
  for (const value of values) add(bloom, value)
}

/** The three bits that an address or a topic sets in a bloom, for {@link hasBloomBits}. */
export function bloomBits(value: Hex): readonly number[] {
  const known = KNOWN.get(value)
  if (known !== undefined) return known
  const hash = keccak256(hexToBytes(value))
  const bits = [0, 2, 4].map((i) => (((hash[i] as number) << 8) | (hash[i + 1] as number)) & 2047)
  KNOWN.set(value, bits)
  return bits
}

/** Whether a value with these bits may have been logged; `false` is certain. */
export function hasBloomBits(bloom: Uint8Array, bits: readonly number[]): boolean {
  return bits.every((bit) => hasBloomBit(bloom, bit))
}

/** Whether one bit is set. */
export function hasBloomBit(bloom: Uint8Array, bit: number): boolean {
  return ((bloom[BLOOM_BYTES - 1 - (bit >> 3)] as number) & (1 << (bit & 7))) !== 0
}

function add(bloom: Uint8Array, value: Hex): void {
  for (const bit of bloomBits(value)) {
    const index = BLOOM_BYTES - 1 - (bit >> 3)
    bloom[index] = (bloom[index] as number) | (1 << (bit & 7))
  }
}
