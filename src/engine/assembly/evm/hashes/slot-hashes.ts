/**
 * A cache of hashes of 64 bytes, mostly slots of mappings, which code computes again and again. Each input
 * has one place; the newest entry replaces the older one. While nothing is found, only one in eight is looked for and kept.
 */

import { copyWord, equalWords, isZero, loadBigEndian } from '../words/word.ts'
import { keccak256 } from './keccak.ts'

const COUNT_BITS: u64 = 10
/** The bytes, then their hash as a word; 0 for an empty entry. */
const ENTRY_BYTES: usize = 96
const ENTRIES: usize = memory.data(1024 * 96, 8)
/** How many in a row were not found. */
let misses: u32 = 0
/** Number of misses after which the cache is mostly passed by. */
const MANY_MISSES: u32 = 1024

/** Writes the hash of the 64 bytes as a word. */
export function hashSlot(to: usize, from: usize): void {
  if (misses >= MANY_MISSES && (misses & 7) != 0) {
    misses++
    keccak256(from, 64, to)
    loadBigEndian(to, to)
    return
  }
  const mixed =
    load<u64>(from) ^
    rotl<u64>(load<u64>(from, 8), 7) ^
    rotl<u64>(load<u64>(from, 16), 13) ^
    rotl<u64>(load<u64>(from, 24), 19) ^
    rotl<u64>(load<u64>(from, 32), 27) ^
    rotl<u64>(load<u64>(from, 40), 37) ^
    rotl<u64>(load<u64>(from, 48), 43) ^
    rotl<u64>(load<u64>(from, 56), 53)
  const entry = ENTRIES + (((mixed * 0x9e3779b97f4a7c15) >> (64 - COUNT_BITS)) as usize) * ENTRY_BYTES
  const hash = entry + 64
  if (!isZero(hash) && equalWords(entry, from) && equalWords(entry + 32, from + 32)) {
    misses = 0
  } else {
    misses++
    copyWord(entry, from)
    copyWord(entry + 32, from + 32)
    keccak256(from, 64, hash)
    loadBigEndian(hash, hash)
  }
  copyWord(to, hash)
}
