/**
 * Powers modulo an odd number of 256 bits at most, with the products of `curves/products.ts`, of which two are made at once: in
 * the first lane the base is squared over and over, and in the second what the exponent's bits choose is multiplied.
 */

import {
  BITS,
  FIELD_BYTES,
  INVERSE_AT,
  LIMB_BYTES,
  LIMBS,
  MULTIPLE_AT,
  ONE_AT,
  PRIME_AT,
  prepareLimbs,
  SQUARE_AT,
  useField,
} from '../curves/limbs.ts'
import { prepareNumbers, wordsOf, writePair } from '../curves/numbers.ts'
import { isFused as isFusedHere, multiplyPairs } from '../curves/products.ts'
import { add, copy, join, splat } from '../curves/sums.ts'

/** The modulus, the base and the result, of 32 bytes, and the exponent of any length. */
export const modulus = memory.data(32, 16)
export const base = memory.data(32, 16)
export const result = memory.data(32, 16)
export const exponent = memory.data(1024, 16)

const field = memory.data(FIELD_BYTES, 16)
const MASK: u64 = (1 << BITS) - 1
/** Bits of R: see {@link ONE_AT}. */
const R_BITS: i32 = BITS * (LIMBS + 1)

/** Words with room behind them, since limbs are read from any byte. */
const words = memory.data(64, 16)
const product = memory.data(64, 16)
const powers = memory.data(128, 16)
const factors = memory.data(128, 16)
const rest = memory.data(64, 16)

let isPrepared: bool = false

export function isFused(): bool {
  return isFusedHere()
}

/** Puts words into both lanes, as limbs with a sign. @param bit - The first one. */
function limbsOf(to: usize, from: usize, bit: usize, sign: f64): void {
  for (let i: usize = 0; i < <usize>LIMBS; i++, bit += BITS) {
    const limb = (load<u64>(from + (bit >> 3)) >> (bit & 7)) & MASK
    v128.store(to + i * LIMB_BYTES, f64x2.splat(sign * <f64>limb))
  }
}

/** Raises the base to the power. @param size - Bytes of the exponent. The modulus is above 1. */
export function raise(size: i32): void {
  if (!isPrepared) {
    prepareLimbs()
    prepareNumbers()
    useField(field)
    isPrepared = true
  }
  prepareField()
  wordsOf(words, base)
  limbsOf(powers, words, 0, 1)
  multiplyPairs(powers, powers, field + SQUARE_AT)
  join(powers, powers, field + ONE_AT)
  // The bytes in front that are zero have no bits.
  let first = 0
  while (first < size && load<u8>(exponent + first) == 0) first += 1
  for (let at = size - 1; at >= first; at--) {
    let byte = <u32>load<u8>(exponent + at)
    const bits = at == first ? 32 - <i32>clz<u32>(byte) : 8
    for (let i = 0; i < bits; i++) {
      if (byte & 1) splat(factors, powers, 0)
      else join(factors, powers, field + ONE_AT)
      multiplyPairs(powers, powers, factors)
      byte >>= 1
    }
  }
  writePair(rest, result, powers)
}

/** Makes the constants of the modulus: see `curves/limbs.ts`. */
function prepareField(): void {
  wordsOf(words, modulus)
  memory.copy(field + PRIME_AT, words, 32)
  limbsOf(field, words, 0, 1)
  // 1 / p modulo 2^64, by Newton's method.
  const low = load<u64>(words)
  let inverse = low
  for (let i = 0; i < 5; i++) inverse *= 2 - low * inverse
  // −1 / p has the sign that leaves fewer bits.
  const positive = inverse & MASK
  const isNegative = positive >> (BITS - 1) == 0
  const size = isNegative ? positive : MASK + 1 - positive
  v128.store(field + INVERSE_AT, f64x2.splat(isNegative ? -(<f64>size) : <f64>size))
  multiplyWords(size)
  // −p · size is −1 − k · 2^BITS, and p · size is −1 + (k + 1) · 2^BITS.
  limbsOf(field + MULTIPLE_AT, product, BITS, isNegative ? -1 : 1)
  if (!isNegative) v128.store(field + MULTIPLE_AT, f64x2.add(v128.load(field + MULTIPLE_AT), f64x2.splat(1)))
  makeOne()
  limbsOf(field + ONE_AT, rest, 0, 1)
  // R in Montgomery's form is 2 to the number of its bits.
  const square = field + SQUARE_AT
  copy(square, field + ONE_AT)
  for (let bit = 31 - <i32>clz<u32>(R_BITS); bit >= 0; bit--) {
    multiplyPairs(square, square, square)
    if ((R_BITS >> bit) & 1) add(square, square, square)
  }
}

/** The modulus times a number of {@link BITS} bits. */
function multiplyWords(by: u64): void {
  memory.fill(product, 0, 64)
  for (let half: usize = 0; half < 2; half++) {
    const factor = half == 0 ? by & 0xffffffff : by >> 32
    let carry: u64 = 0
    for (let i: usize = 0; i < 32; i += 4) {
      const at = product + 4 * half + i
      carry += <u64>load<u32>(at) + <u64>load<u32>(words + i) * factor
      store<u32>(at, <u32>carry)
      carry >>= 32
    }
    store<u32>(product + 4 * half + 32, <u32>carry)
  }
}

/** R modulo the modulus: 2 to the number of the modulus's bits, doubled. */
function makeOne(): void {
  const p0 = load<u64>(words)
  const p1 = load<u64>(words, 8)
  const p2 = load<u64>(words, 16)
  const p3 = load<u64>(words, 24)
  const length = <i32>(
    (p3 != 0 ? 256 - clz<u64>(p3) : p2 != 0 ? 192 - clz<u64>(p2) : p1 != 0 ? 128 - clz<u64>(p1) : 64 - clz<u64>(p0))
  )
  // Half of that power is below the modulus.
  let a0: u64 = 0
  let a1: u64 = 0
  let a2: u64 = 0
  let a3: u64 = 0
  const bit = (<u64>1) << (<u64>((length - 1) & 63))
  if (length > 192) a3 = bit
  else if (length > 128) a2 = bit
  else if (length > 64) a1 = bit
  else a0 = bit
  for (let i = length - 1; i < R_BITS; i++) {
    const over = a3 >> 63
    a3 = (a3 << 1) | (a2 >> 63)
    a2 = (a2 << 1) | (a1 >> 63)
    a1 = (a1 << 1) | (a0 >> 63)
    a0 <<= 1
    const d0 = a0 - p0
    const borrow0 = <u64>(a0 < p0)
    const d1 = a1 - p1 - borrow0
    const borrow1 = <u64>(a1 < p1) | (<u64>(a1 == p1) & borrow0)
    const d2 = a2 - p2 - borrow1
    const borrow2 = <u64>(a2 < p2) | (<u64>(a2 == p2) & borrow1)
    const d3 = a3 - p3 - borrow2
    const borrow3 = <u64>(a3 < p3) | (<u64>(a3 == p3) & borrow2)
    if (over >= borrow3) {
      a0 = d0
      a1 = d1
      a2 = d2
      a3 = d3
    }
  }
  store<u64>(rest, a0)
  store<u64>(rest, a1, 8)
  store<u64>(rest, a2, 16)
  store<u64>(rest, a3, 24)
}
