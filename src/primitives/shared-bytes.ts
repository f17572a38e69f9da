import { hexInto } from './hex.ts'

/** Bytes of the arrays that are shared: some twenty transactions. */
const SHARED_BYTES = 4_096
/** Whatever is longer has an array of its own. */
const MAX_BYTES = SHARED_BYTES / 8

let shared = new Uint8Array(SHARED_BYTES)
let used = 0

/**
 * As `hexToBytes`, for bytes that come and go with others of their time. An array of more than 64 bytes takes a browser a
 * microsecond to make, a part of another a tenth of that; but keeping the part keeps the whole alive.
 */
export function hexToSharedBytes(hex: string): Uint8Array<ArrayBuffer> {
  return hexInto(hex, take)
}

function take(length: number): Uint8Array<ArrayBuffer> {
  if (length > MAX_BYTES) return new Uint8Array(length)
  if (used + length > SHARED_BYTES) {
    shared = new Uint8Array(SHARED_BYTES)
    used = 0
  }
  used += length
  return shared.subarray(used - length, used)
}
