/** Steps on memory, input and the stack. Steps with dynamic gas return the remaining gas, below 0 if it was not enough. */

import { Frame } from '../frames/frame.ts'
import { copyPadded, extend, memoryAt, perWord, returnSize, toSize } from '../frames/memory.ts'
import { TRACING, tellLog, tellSettled } from '../frames/tracing.ts'
import { keccak256 } from '../hashes/keccak.ts'
import { hashSlot } from '../hashes/slot-hashes.ts'
import { loadBlockHash } from '../host/host.ts'
import { COPY_WORD_GAS, KECCAK_WORD_GAS, LOG_BYTE_GAS } from '../rules/gas.ts'
import { Account } from '../state/account.ts'
import { blobCount, blobHashes, NUMBER } from '../state/environment.ts'
import { addLog } from '../state/log.ts'
import { transientAt } from '../state/storage.ts'
import { keepWord } from '../state/undo-log.ts'
import { clamp, copyWord, loadBigEndian, setSmall, setWord, storeBigEndian, WORD_BYTES } from '../words/word.ts'

/** Earlier blocks whose hashes code can ask for. */
const REMEMBERED_BLOCKS: u64 = 256

/** KECCAK256 of `length` bytes from an offset on. */
export function hash(gas: i64, to: usize, offset: usize, length: usize): i64 {
  const at = toSize(offset)
  const size = toSize(length)
  const left = extend(gas - perWord(size, KECCAK_WORD_GAS), at, size)
  if (left < 0) return left
  if (size == 64) {
    hashSlot(to, memoryAt + (at as usize))
  } else {
    keccak256(size == 0 ? 0 : memoryAt + (at as usize), size as usize, to)
    loadBigEndian(to, to)
  }
  return left
}

export function mload(gas: i64, to: usize, offset: usize): i64 {
  const at = toSize(offset)
  const left = extend(gas, at, 32)
  if (left >= 0) loadBigEndian(to, memoryAt + (at as usize))
  return left
}

export function mstore(gas: i64, offset: usize, word: usize): i64 {
  const at = toSize(offset)
  const left = extend(gas, at, 32)
  if (left >= 0) storeBigEndian(memoryAt + (at as usize), word)
  return left
}

export function mstore8(gas: i64, offset: usize, word: usize): i64 {
  const at = toSize(offset)
  const left = extend(gas, at, 1)
  if (left >= 0) store<u8>(memoryAt + (at as usize), load<u8>(word))
  return left
}

export function mcopy(gas: i64, sp: usize): i64 {
  const to = toSize(sp)
  const from = toSize(sp + 32)
  const size = toSize(sp + 64)
  const left = extend(gas - perWord(size, COPY_WORD_GAS), max<u64>(to, from), size)
  if (left >= 0 && size != 0) memory.copy(memoryAt + (to as usize), memoryAt + (from as usize), size as usize)
  return left
}

/** CALLDATACOPY, CODECOPY and RETURNDATACOPY: from `available` bytes, with zeros behind them. */
export function copyToMemory(gas: i64, sp: usize, from: usize, available: u64): i64 {
  const to = toSize(sp)
  const size = toSize(sp + 64)
  const left = extend(gas - perWord(size, COPY_WORD_GAS), to, size)
  if (left >= 0 && size != 0) copyPadded(memoryAt + (to as usize), from, available, toSize(sp + 32), size)
  return left
}

/** Whether RETURNDATACOPY stays within the return data; it is not padded with zeros. */
export function isWithinReturnData(sp: usize): bool {
  return toSize(sp + 32) + toSize(sp + 64) <= (returnSize as u64)
}

export function calldataload(to: usize, offset: usize, frame: Frame): void {
  const at = toSize(offset)
  const size = frame.inputSize as u64
  if (at >= size) {
    setSmall(to, 0)
    return
  }
  const from = frame.input + (at as usize)
  if (at + 32 <= size) loadBigEndian(to, from)
  else loadFew(to, from, (size - at) as usize)
}

/** The word that begins with so many bytes, 1 to 31, and ends with zeros. */
function loadFew(to: usize, from: usize, count: usize): void {
  setWord(
    to,
    count > 24 ? highLimb(from + 24, count - 24) : 0,
    count > 16 ? highLimb(from + 16, count - 16) : 0,
    count > 8 ? highLimb(from + 8, count - 8) : 0,
    highLimb(from, count),
  )
}

/** The number of up to eight bytes that come first in it. */
function highLimb(from: usize, count: usize): u64 {
  if (count >= 8) return bswap<u64>(load<u64>(from))
  let limb: u64 = 0
  for (let i: usize = 0; i < count; i++) limb = (limb << 8) | (load<u8>(from + i) as u64)
  return limb << ((8 - (count as u64)) << 3)
}

export function blockhash(sp: usize): void {
  const current = load<u64>(NUMBER)
  const number = clamp(sp, u64.MAX_VALUE)
  if (number >= current || number + REMEMBERED_BLOCKS < current) setSmall(sp, 0)
  else loadBlockHash(number as f64, sp)
}

/** BLOBHASH: the hash of the transaction's blob of that index; 0 where it has none. */
export function blobhash(sp: usize): void {
  const index = clamp(sp, blobCount as u64)
  if (index == (blobCount as u64)) setSmall(sp, 0)
  else copyWord(sp, blobHashes + (index as usize) * WORD_BYTES)
}

export function tstore(sp: usize, account: Account): void {
  const value = transientAt(account, sp)
  keepWord(value)
  copyWord(value, sp + 32)
}

export function log(gas: i64, sp: usize, topics: usize, account: Account): i64 {
  const at = toSize(sp)
  const size = toSize(sp + 32)
  const left = extend(gas - (size as i64) * LOG_BYTE_GAS, at, size)
  if (left < 0) return left
  const written = addLog(account, sp + 64, topics, memoryAt + (at as usize), size as usize)
  if (TRACING) {
    tellSettled(left, 0)
    tellLog(written)
  }
  return left
}

export function swapWords(a: usize, b: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  copyWord(a, b)
  setWord(b, a0, a1, a2, a3)
}

/** The number that up to 32 bytes of code spell. */
export function pushBytes(to: usize, from: usize, count: usize): void {
  setWord(
    to,
    limb(from, count),
    count > 8 ? limb(from, count - 8) : 0,
    count > 16 ? limb(from, count - 16) : 0,
    count > 24 ? limb(from, count - 24) : 0,
  )
}

/** The number of the last up to eight of `count` bytes. */
function limb(from: usize, count: usize): u64 {
  if (count >= 8) return bswap<u64>(load<u64>(from + count - 8))
  return bswap<u64>(load<u64>(from)) >> ((8 - (count as u64)) << 3)
}
