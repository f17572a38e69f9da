/**
 * Code, with a map of the places that may be jumped to, and zeros behind it: running past the end finds STOP, and a PUSH
 * may read beyond. Codes of accounts are kept from message to message, by their hashes, until there are too many.
 */

import { fork, PRAGUE } from './fork.ts'
import { allocateBlock, freeBlock, startHeap } from './heap.ts'
import { copyCode, loadCode } from './host.ts'
import { equalWords } from './word.ts'

/** Bytes behind the code that are zero: what the longest PUSH can read. */
const PADDING: usize = 40
/** Bytes of the codes that are kept. */
const KEPT_BYTES: usize = 4 << 20
const KEPT_CODES: u32 = 1024

@unmanaged
export class Code {
  hash0: u64
  hash1: u64
  hash2: u64
  hash3: u64
  start: usize
  size: u32
  /** A bit for each byte of the code; 0 until it is first run. */
  jumps: usize
}

const PLACES: usize = memory.data(8192, 8)
let keptStart: usize = 0
let keptNext: usize = 0
let keptCount: u32 = 0

/** Reserves the memory of the kept codes, and gives the rest to the heap. */
export function startCodes(at: usize): void {
  keptStart = at
  keptNext = at
  startHeap(at + KEPT_BYTES)
}

/** Between messages: forgets the kept codes if there is hardly room for more. */
export function trimCodes(): void {
  if (keptNext - keptStart <= KEPT_BYTES / 2 && keptCount <= KEPT_CODES / 2) return
  memory.fill(PLACES, 0, 8192)
  keptNext = keptStart
  keptCount = 0
}

/** The code with a hash, which the host is asked for if it is not kept. @param address - An account that has it. */
export function codeWithHash(hash: usize, address: usize): Code {
  let index = load<u32>(hash) & (2 * KEPT_CODES - 1)
  while (true) {
    const place = PLACES + ((index as usize) << 2)
    const kept = load<u32>(place) as usize
    if (kept == 0) return loadCodeAt(place, hash, address)
    if (equalWords(kept, hash)) return changetype<Code>(kept)
    index = (index + 1) & (2 * KEPT_CODES - 1)
  }
}

function loadCodeAt(place: usize, hash: usize, address: usize): Code {
  const size = loadCode(address) as usize
  const needed = roomFor(size)
  let at: usize
  if (keptNext + needed <= keptStart + KEPT_BYTES && keptCount < KEPT_CODES) {
    at = keptNext
    keptNext += needed
    keptCount++
    store<u32>(place, at as u32)
  } else {
    at = allocateBlock(needed)
  }
  const code = lay(at, size)
  copyCode(code.start)
  memory.copy(at, hash, 32)
  return code
}

/** Code that is run once. {@link freeCode} gives its memory back. */
export function temporaryCode(from: usize, size: usize): Code {
  const code = lay(allocateBlock(roomFor(size)), size)
  memory.copy(code.start, from, size)
  return code
}

/** Code that an account has from now on, for the rest of the message. */
export function newCode(from: usize, size: usize, hash: usize): Code {
  const code = temporaryCode(from, size)
  memory.copy(changetype<usize>(code), hash, 32)
  return code
}

export function freeCode(code: Code): void {
  freeBlock(changetype<usize>(code))
}

/** Rounded up, so that what is behind it lies well. */
function roomFor(size: usize): usize {
  return (offsetof<Code>() + size + PADDING + (size >> 3) + 1 + 15) & ~15
}

function lay(at: usize, size: usize): Code {
  const code = changetype<Code>(at)
  code.start = at + offsetof<Code>()
  code.size = size as u32
  code.jumps = 0
  memory.fill(code.start + size, 0, PADDING)
  return code
}

/** Finds where the code may be jumped to: JUMPDESTs that are not in the data of a PUSH. */
export function analyze(code: Code): void {
  if (code.jumps != 0) return
  const size = code.size as usize
  const jumps = code.start + size + PADDING
  memory.fill(jumps, 0, (size >> 3) + 1)
  for (let i: usize = 0; i < size; i++) {
    const opcode = load<u8>(code.start + i)
    if (opcode == 0x5b) store<u8>(jumps + (i >> 3), load<u8>(jumps + (i >> 3)) | ((1 as u8) << ((i & 7) as u8)))
    else if (opcode >= 0x60 && opcode <= 0x7f) i += (opcode as usize) - 0x5f
  }
  code.jumps = jumps
}

/** Whether a word names a place that may be jumped to. */
export function mayJumpTo(code: Code, word: usize): bool {
  const target = load<u64>(word)
  if (target >= (code.size as u64) || (load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) != 0)
    return false
  const index = target as usize
  return ((load<u8>(code.jumps + (index >> 3)) >> ((index & 7) as u8)) & 1) != 0
}

/** Whether the code is 0xef0100 and an address, which means something since Prague (EIP-7702). */
export function isDelegation(code: Code): bool {
  return fork >= PRAGUE && code.size == 23 && (load<u32>(code.start) & 0xffffff) == 0x0001ef
}

/** Writes the address in a delegation as a word. */
export function delegateOf(code: Code, to: usize): void {
  const address = code.start + 3
  store<u64>(to, bswap<u64>(load<u64>(address, 12)))
  store<u64>(to, bswap<u64>(load<u64>(address, 4)), 8)
  store<u64>(to, bswap<u32>(load<u32>(address)) as u64, 16)
  store<u64>(to, 0, 24)
}
