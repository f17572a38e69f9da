/**
 * Code with a map of its offsets, followed by zeros: running past the end finds STOP, and a PUSH may
 * read past it. Account code is cached between messages by its hash, until there is too much.
 */

import { keccak256 } from '../hashes/keccak.ts'
import { allocateBlock, freeBlock, startHeap } from '../host/heap.ts'
import { copyCode, loadCode } from '../host/host.ts'
import { hardfork, PRAGUE } from '../rules/hardfork.ts'
import { isPush, JUMPDEST, PUSH0 } from '../rules/opcodes.ts'
import { equalWords } from '../words/word.ts'
import { hasKeptRoom, isKeptScarce, renewKept, startKept, takeKept } from './kept.ts'

/** Zero bytes after the code, as many as the longest PUSH can read. */
const PADDING: usize = 40
const KEPT_CODES: u32 = 1024

@unmanaged
export class Code {
  /** keccak256 of the code, once {@link isHashed}. */
  hash0: u64
  hash1: u64
  hash2: u64
  hash3: u64
  start: usize
  size: u32
  /** Whether it outlives the message, so that translating it pays off. */
  isKept: bool
  /** For each offset, 4 bytes: {@link DESTINATION}, {@link EMPTY}, the address of the block. */
  map: usize
  /** Offset up to which the map has the destinations; nothing is in it from there on. */
  analyzed: u32
  isHashed: bool
}

/** A JUMPDEST that is not in the data of a PUSH. */
const DESTINATION: u32 = 1
/** A step here belongs to no block. */
const EMPTY: u32 = 2
/** The bits above these flags hold the address of the block that starts here. */
const FLAGS: u32 = 15

const PLACES: usize = memory.data(8192, 8)
let keptCount: u32 = 0
/** How often the cache was cleared. */
export let trims: u32 = 0

/** Reserves memory for the caches and gives the rest to the heap. */
export function startCodes(at: usize): void {
  startHeap(startKept(at))
}

/** Whether the code cache is nearly full. */
export function areCodesMany(): bool {
  return isKeptScarce() || keptCount > KEPT_CODES / 2
}

/** Clears the code cache if it is nearly full, and with it the heap. Only between messages, when no account refers to it. */
export function trimCodes(): void {
  if (!areCodesMany()) return
  memory.fill(PLACES, 0, 8192)
  keptCount = 0
  trims++
  startHeap(renewKept())
}

/** The code with this hash, from the cache or the host. @param address - An account that has it. */
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
  const isKept = keptCount < KEPT_CODES && hasKeptRoom(needed)
  const at = isKept ? takeKept(needed) : allocateBlock(needed)
  if (isKept) {
    keptCount++
    store<u32>(place, at as u32)
  }
  const code = lay(at, size, isKept)
  copyCode(code.start)
  memory.copy(at, hash, 32)
  code.isHashed = true
  return code
}

/** Code of this message, such as what makes a contract, and what it makes. {@link freeCode} frees its memory. */
export function temporaryCode(from: usize, size: usize): Code {
  const code = lay(allocateBlock(roomFor(size)), size, false)
  memory.copy(code.start, from, size)
  return code
}

/** The 32 bytes of its hash. */
export function hashOf(code: Code): usize {
  if (!code.isHashed) keccak256(code.start, code.size as usize, changetype<usize>(code))
  code.isHashed = true
  return changetype<usize>(code)
}

export function freeCode(code: Code): void {
  freeBlock(changetype<usize>(code))
}

/** Rounded up, so that the next data is aligned. */
function roomFor(size: usize): usize {
  return (mapOffset(size) + 4 * size + 15) & ~15
}

function mapOffset(size: usize): usize {
  return (offsetof<Code>() + size + PADDING + 3) & ~3
}

function lay(at: usize, size: usize, isKept: bool): Code {
  const code = changetype<Code>(at)
  code.start = at + offsetof<Code>()
  code.size = size as u32
  code.isKept = isKept
  code.map = at + mapOffset(size)
  code.analyzed = 0
  code.isHashed = false
  memory.fill(code.start + size, 0, PADDING)
  return code
}

/**
 * Finds all valid jump destinations of a code that is kept. Those of others, which run once, are found where they are
 * asked for.
 */
export function analyze(code: Code): void {
  if (code.isKept && code.analyzed < code.size) analyzeTo(code, code.size)
}

/** Finds the valid jump destinations below an offset. */
function analyzeTo(code: Code, end: u32): void {
  const map = code.map
  const size = code.size
  let at = code.analyzed
  // The last step may be a PUSH of 32 bytes.
  const cleared = min<u32>(size, end + 32)
  memory.fill(map + ((at as usize) << 2), 0, ((cleared - at) as usize) << 2)
  for (; at < end; at++) {
    const opcode = load<u8>(code.start + (at as usize)) as u32
    if (opcode == JUMPDEST) store<u32>(map + ((at as usize) << 2), DESTINATION)
    else if (isPush(opcode)) at += opcode - PUSH0
  }
  code.analyzed = min<u32>(at, size)
}

/** Whether a word is a valid jump destination. */
export function isJumpDestination(code: Code, word: usize): bool {
  const target = load<u64>(word)
  if ((load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) != 0) return false
  if (target >= (code.analyzed as u64)) {
    if (target >= (code.size as u64)) return false
    analyzeTo(code, (target as u32) + 1)
  }
  return (load<u32>(code.map + ((target as usize) << 2)) & DESTINATION) != 0
}

/** The block of a code that is kept that starts at an offset; 0 if there is none yet. */
export function blockOf(code: Code, offset: u32): usize {
  if (offset >= code.size) return 0
  return (load<u32>(code.map + ((offset as usize) << 2)) & ~FLAGS) as usize
}

export function markBlock(code: Code, offset: u32, block: usize): void {
  const entry = code.map + ((offset as usize) << 2)
  store<u32>(entry, (load<u32>(entry) & DESTINATION) | (block as u32))
}

export function markEmpty(code: Code, offset: u32): void {
  if (offset >= code.size) return
  const entry = code.map + ((offset as usize) << 2)
  store<u32>(entry, load<u32>(entry) | EMPTY)
}

/** Whether a block of a code that is kept may start at an offset. */
export function mayHaveBlock(code: Code, offset: u32): bool {
  return offset < code.size && (load<u32>(code.map + ((offset as usize) << 2)) & EMPTY) == 0
}

/** Whether the code is 0xef0100 and an address: a delegation since Prague (EIP-7702). */
export function isDelegation(code: Code): bool {
  return hardfork >= PRAGUE && code.size == 23 && (load<u32>(code.start) & 0xffffff) == 0x0001ef
}

/** Writes the address in a delegation as a word. */
export function delegateOf(code: Code, to: usize): void {
  const address = code.start + 3
  store<u64>(to, bswap<u64>(load<u64>(address, 12)))
  store<u64>(to, bswap<u64>(load<u64>(address, 4)), 8)
  store<u64>(to, bswap<u32>(load<u32>(address)) as u64, 16)
  store<u64>(to, 0, 24)
}
