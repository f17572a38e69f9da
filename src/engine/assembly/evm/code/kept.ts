/** Memory that lasts from message to message, until there is little left: codes, and what they are translated into. */
const KEPT_BYTES: usize = 16 << 20

let start: usize = 0
/** Taken are the bytes below the one and from the other on. */
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

/** Whether less than half of it is left. */
export function isKeptScarce(): bool {
  return keptRoom() < KEPT_BYTES / 2
}

/** Address of the next code that {@link takeKept} takes. */
export function nextKept(): usize {
  return below
}

/** There must be room; a multiple of 16. */
export function takeKept(size: usize): usize {
  const at = below
  below += size
  return at
}

/** From the other end. */
export function takeKeptWord(): usize {
  from -= 32
  return from
}
