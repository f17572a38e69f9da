/** Memory that lasts between messages until it is nearly full: code and its translations. */
const KEPT_BYTES: usize = 16 << 20

let start: usize = 0
/** Used are the bytes below the first and from the second on. */
let below: usize = 0
let from: usize = 0

/** @returns Where it ends. */
export function startKept(at: usize): usize {
  start = at
  forgetKept()
  return start + KEPT_BYTES
}

export function forgetKept(): void {
  below = start
  from = start + KEPT_BYTES
}

export function keptRoom(): usize {
  return from - below
}

/** Whether less than half of it is free. */
export function isKeptScarce(): bool {
  return keptRoom() < KEPT_BYTES / 2
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
