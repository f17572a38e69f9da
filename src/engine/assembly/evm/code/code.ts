/**
 * Code with a map of its offsets, followed by zeros: running past the end finds STOP, and a PUSH may
 * read past it. Account code is cached between messages by its hash, until there is too much.
 */

import { allocateBlock, freeBlock, startHeap } from '../host/heap.ts'
import { copyCode, loadCode } from '../host/host.ts'
import { fork, PRAGUE } from '../rules/fork.ts'
import { isPush, JUMPDEST, PUSH0 } from '../rules/opcodes.ts'
import { equalWords } from '../words/word.ts'
import { hasKeptRoom, isKeptScarce, renewKept, startKept, takeKept } from './kept.ts'

/** Zero bytes after the code, as many as the longest PUSH can read. */
const PADDING: usize = 40
const KEPT_CODES: u32 = 1024

@unmanaged
export class Code {
  hash0: u64
  hash1: u64
  hash2: u64
  hash3: u64
  start: usize
  size: u32
  /** Whether it outlives the message, so that translating it pays off. */
  isKept: bool
  /** For each offset, 4 bytes: {@link DESTINATION}, {@link USELESS}, the address of the block; 0 until it is first run. */
  map: usize
}

/** A JUMPDEST that is not in the data of a PUSH. */
const DESTINATION: u32 = 1
/** A block that starts here is too short to be worth entering. */
const USELESS: u32 = 2
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
  return code
}

/** Code that runs once. {@link freeCode} frees its memory. */
export function temporaryCode(from: usize, size: usize): Code {
  const code = lay(allocateBlock(roomFor(size)), size, false)
  memory.copy(code.start, from, size)
  return code
}

/** An account's new code, for the rest of the message. */
export function newCode(from: usize, size: usize, hash: usize): Code {
  const code = temporaryCode(from, size)
  memory.copy(changetype<usize>(code), hash, 32)
  return code
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
  code.map = 0
  memory.fill(code.start + size, 0, PADDING)
  return code
}

/** Finds the valid jump destinations. */
export function analyze(code: Code): void {
  if (code.map != 0) return
  const size = code.size as usize
  const map = changetype<usize>(code) + mapOffset(size)
  memory.fill(map, 0, 4 * size)
  for (let i: usize = 0; i < size; i++) {
    const opcode = load<u8>(code.start + i)
    if (opcode == JUMPDEST) store<u32>(map + (i << 2), DESTINATION)
    else if (isPush(opcode)) i += (opcode - PUSH0) as usize
  }
  code.map = map
}

/** Whether a word is a valid jump destination. */
export function isJumpDestination(code: Code, word: usize): bool {
  const target = load<u64>(word)
  if (target >= (code.size as u64) || (load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) != 0)
    return false
  return (load<u32>(code.map + ((target as usize) << 2)) & DESTINATION) != 0
}

/** The block that starts at an offset; 0 if there is none yet. */
export function blockOf(code: Code, offset: u32): usize {
  if (offset >= code.size) return 0
  return (load<u32>(code.map + ((offset as usize) << 2)) & ~FLAGS) as usize
}

export function markBlock(code: Code, offset: u32, block: usize): void {
  const entry = code.map + ((offset as usize) << 2)
  store<u32>(entry, (load<u32>(entry) & DESTINATION) | (block as u32))
}

export function markUseless(code: Code, offset: u32): void {
  if (offset >= code.size) return
  const entry = code.map + ((offset as usize) << 2)
  store<u32>(entry, load<u32>(entry) | USELESS)
}

/** Whether a block may start at an offset. */
export function isUseful(code: Code, offset: u32): bool {
  return code.isKept && offset < code.size && (load<u32>(code.map + ((offset as usize) << 2)) & USELESS) == 0
}

/** Whether the code is 0xef0100 and an address: a delegation since Prague (EIP-7702). */
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
