/** Powers that square roots in BLS12-381's field are made of: p is 3 modulo 4. */

import { NUMBER_BYTES } from './limbs.ts'
import { multiplyPairs } from './products.ts'
import { copy } from './sums.ts'

/** (p + 1) / 4 in words: a square to that power is a root of it. */
export const quarter = memory.data(48, 16)
const QUARTER_BITS: i32 = 379
/** Bits of a window, which begins and ends with a 1. */
const WINDOW: i32 = 5

/** a to the 1, 3, 5, …, 31. */
const odds = memory.data(2048, 16)
const square = memory.data(128, 16)

/** a to the (p + 1) / 4, less `less`, which is 0 or 1; `to` is not a. */
export function raise(to: usize, a: usize, less: u64): void {
  multiplyPairs(square, a, a)
  copy(odds, a)
  for (let at = odds + NUMBER_BYTES; at < odds + 16 * NUMBER_BYTES; at += NUMBER_BYTES) {
    multiplyPairs(at, at - NUMBER_BYTES, square)
  }
  let isOne = true
  let bit = QUARTER_BITS - 1
  while (bit >= 0) {
    if (bitAt(bit, less) == 0) {
      multiplyPairs(to, to, to)
      bit -= 1
      continue
    }
    let end = max(bit - WINDOW + 1, 0)
    while (bitAt(end, less) == 0) end += 1
    let digit: usize = 0
    for (let i = bit; i >= end; i--) {
      digit = (digit << 1) | bitAt(i, less)
      if (!isOne) multiplyPairs(to, to, to)
    }
    const power = odds + (digit >> 1) * NUMBER_BYTES
    if (isOne) copy(to, power)
    else multiplyPairs(to, to, power)
    isOne = false
    bit = end - 1
  }
}

// @inline
function bitAt(bit: i32, less: u64): usize {
  // The lowest word is odd.
  const word = load<u64>(quarter + ((<usize>bit >> 6) << 3)) - (bit < 64 ? less : 0)
  return <usize>((word >> (<u64>bit & 63)) & 1)
}
