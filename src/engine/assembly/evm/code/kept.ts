/**
 * Memory that lasts between messages until it is nearly full: code and its translations. It begins small and grows
 * fourfold where that does not suffice: most chains have little code, and hosts count what is reserved.
 */
const FIRST_BYTES: usize = 1 << 20
const MAX_BYTES: usize = 16 << 20

let start: usize = 0
let capacity: usize = FIRST_BYTES
/** Whether something did not fit that would fit into a larger one. */
let isTooSmall = false
/** Used are the bytes below the first and from the second on. */
let below: usize = 0
let from: usize = 0

/** @returns Where it ends. */
export function startKept(at: usize): usize {
  start = at
  return forgetKept()
}

/** Gives all of it back, and makes it larger if it was scarce. Nothing else may be in use. @returns Where it ends. */
export function renewKept(): usize {
  if (isKeptScarce() && capacity < MAX_BYTES) capacity *= 4
  return forgetKept()
}

function forgetKept(): usize {
  isTooSmall = false
  below = start
  from = start + capacity
  return from
}

export function keptRoom(): usize {
  return from - below
}

/** Whether there is room for so many bytes. */
export function hasKeptRoom(size: usize): bool {
  if (size <= keptRoom()) return true
  isTooSmall = capacity < MAX_BYTES
  return false
}

/** Whether less than half of it is free, or something did not fit. */
export function isKeptScarce(): bool {
  return isTooSmall || keptRoom() < capacity / 2
}

/** Address of the next code that {@link takeKept} takes. */
export function nextKept(): usize {
  return below
}

/** `size` is a multiple of 16; there must be room. */
export function takeKept(size: usize): usize {
  const at = below
  below += size
  return at
}

/** Takes memory from the other end. */
export function takeKeptWord(): usize {
  from -= 32
  return from
}
