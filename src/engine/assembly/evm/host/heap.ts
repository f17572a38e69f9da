/**
 * Memory for consecutive messages on the same state: all of it is freed at once when the state changes
 * or too much is in use. Short-lived blocks (stacks, memories of frames, growing tables) are
 * powers of two; free lists keep them for reuse.
 */

/** Bytes before a block: its order, then the next free one. */
const HEADER: usize = 16
const SMALLEST_ORDER: u32 = 7
const FREE_LISTS: usize = memory.data(128, 8)
const PAGE_BITS: usize = 16
/** Memory grows in steps of 1 MiB. */
const PAGES_AT_ONCE: usize = 16
/** Bytes that may be in use before a message; the message can take more. */
const MAX_BYTES: usize = 2 << 20

let start: usize = 0
let next: usize = 0

/** Whether it is time to free memory. */
export function isHeapFull(): bool {
  return next - start > MAX_BYTES
}

/** Start of the memory of messages; everything below stays, and is there from now on. */
export function startHeap(at: usize): void {
  start = at
  reach(at)
  resetHeap()
}

export function resetHeap(): void {
  next = start
  memory.fill(FREE_LISTS, 0, 128)
}

/** Memory that is only freed together with everything else; filled with zeros. */
export function allocate(size: usize): usize {
  const at = take(size)
  memory.fill(at, 0, size)
  return at
}

/** A block of at least `size` bytes, uninitialised. */
export function allocateBlock(size: usize): usize {
  const order = orderOf(size + HEADER)
  const list = FREE_LISTS + ((order as usize) << 2)
  let block = load<u32>(list) as usize
  if (block != 0) store<u32>(list, load<u32>(block, 4))
  else block = take((1 as usize) << order)
  store<u32>(block, order)
  return block + HEADER
}

/** @param at - From {@link allocateBlock}, or 0. */
export function freeBlock(at: usize): void {
  if (at == 0) return
  const block = at - HEADER
  const list = FREE_LISTS + ((load<u32>(block) as usize) << 2)
  store<u32>(block, load<u32>(list), 4)
  store<u32>(list, block as u32)
}

/** Bytes in a block. @param at - From {@link allocateBlock}, or 0. */
export function blockSize(at: usize): usize {
  return at == 0 ? 0 : ((1 as usize) << load<u32>(at - HEADER)) - HEADER
}

/** A block of at least `size` bytes that begins with the first `used` of the given one, which is freed or grows. */
export function growBlock(at: usize, used: usize, size: usize): usize {
  if (size <= blockSize(at) || isExtended(at, size)) return at
  const grown = allocateBlock(size)
  memory.copy(grown, at, used)
  freeBlock(at)
  return grown
}

/** Extends the block that is the last, unless a free one is large enough. @returns Whether it did. */
function isExtended(at: usize, size: usize): bool {
  const block = at - HEADER
  if (at == 0 || block + ((1 as usize) << load<u32>(block)) != next) return false
  const order = orderOf(size + HEADER)
  if (load<u32>(FREE_LISTS + ((order as usize) << 2)) != 0) return false
  take(block + ((1 as usize) << order) - next)
  store<u32>(block, order)
  return true
}

function orderOf(size: usize): u32 {
  const order = (32 as u32) - clz<u32>((size as u32) - 1)
  return order < SMALLEST_ORDER ? SMALLEST_ORDER : order
}

function take(size: usize): usize {
  const at = next
  const end = at + ((size + 15) & ~15)
  // An address that overflows is as far as any out of reach.
  if (end < at) unreachable()
  reach(end)
  next = end
  return at
}

/** Has the memory grow up to an address. */
function reach(end: usize): void {
  const there = (memory.size() as usize) << PAGE_BITS
  if (end <= there) return
  const pages = (end - there + 0xffff) >> PAGE_BITS
  if (memory.grow((pages > PAGES_AT_ONCE ? pages : PAGES_AT_ONCE) as i32) < 0) unreachable()
}
