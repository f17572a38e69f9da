/** The memory of the running frame, and the return data of its last call. */
import { blockSize, freeBlock, growBlock } from '../host/heap.ts'
import { clamp, setWord, WORD_BYTES } from '../words/word.ts'

/** The memory's address and paid size, a multiple of 32. Bytes after that may hold anything. */
export let memoryAt: usize = 0
export let memorySize: usize = 0

/** Return data of the last call or creation of this frame. */
export let returnAt: usize = 0
export let returnSize: usize = 0

/** More bytes than any amount of gas can pay for. */
export const OUT_OF_REACH: u64 = 0x80000000
const FEW_BYTES: usize = 256

/** Without memory of its own. */
export function resetMemory(): void {
  returnAt = 0
  beginMemory()
}

/** For the message that begins. */
export function beginMemory(): void {
  memoryAt = 0
  memorySize = 0
  returnSize = 0
}

/** Switches to another frame's memory. */
export function useMemory(at: usize, size: usize): void {
  memoryAt = at
  memorySize = size
}

export function dropMemory(): void {
  freeBlock(memoryAt)
}

/** Copies bytes to the return data; they may be in the memory of a frame that ends. */
export function setReturnData(from: usize, size: usize): void {
  const to = reserveReturnData(size)
  // With no bytes, the address may be invalid.
  if (size != 0) memory.copy(to, from, size)
}

/** @returns The address for that many bytes of return data. */
export function reserveReturnData(size: usize): usize {
  returnAt = growBlock(returnAt, 0, size)
  returnSize = size
  return returnAt
}

/** Gas per word of 32 bytes, rounded up. */
export function perWord(size: u64, gas: u64): i64 {
  return (((size + 31) >> 5) * gas) as i64
}

/** The offset or length in a word, or {@link OUT_OF_REACH}. */
export function toSize(word: usize): u64 {
  return clamp(word, OUT_OF_REACH)
}

/**
 * Expands the memory to `offset + size` if the gas suffices; a size of 0 needs nothing.
 *
 * @returns The remaining gas, below 0 if it was not enough.
 */
export function extend(gas: i64, offset: u64, size: u64): i64 {
  if (size == 0) return gas
  const end = offset + size
  return end <= (memorySize as u64) ? gas : grow(gas, end)
}

function grow(gas: i64, end: u64): i64 {
  if (end > OUT_OF_REACH) return -1
  const words = (end + 31) >> 5
  const left = gas - (costOf(words) - costOf((memorySize as u64) >> 5))
  if (left < 0) return left
  const size = (words as usize) << 5
  if (size > blockSize(memoryAt)) memoryAt = growBlock(memoryAt, memorySize, size < 1024 ? 1024 : size)
  const at = memoryAt + memorySize
  const added = size - memorySize
  // Few words are set sooner than the host's function is called.
  if (added <= FEW_BYTES) for (let i: usize = 0; i < added; i += WORD_BYTES) setWord(at + i, 0, 0, 0, 0)
  else memory.fill(at, 0, added)
  memorySize = size
  return left
}

function costOf(words: u64): i64 {
  return (3 * words + ((words * words) >> 9)) as i64
}

/**
 * Copies bytes into allocated memory and fills with zeros past the end of the source.
 *
 * @param offset - In the source, of `available` bytes.
 */
export function copyPadded(to: usize, from: usize, available: u64, offset: u64, size: u64): void {
  const there = offset < available ? min<u64>(available - offset, size) : 0
  if (there != 0) memory.copy(to, from + (offset as usize), there as usize)
  if (there != size) memory.fill(to + (there as usize), 0, (size - there) as usize)
}
