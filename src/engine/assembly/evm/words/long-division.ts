/** Long division of numbers of many limbs, by Knuth's algorithm D on limbs of 64 bits. */
import { multiplyHigh } from './arithmetic.ts'
import { divideTwo, quotientLimb, reciprocalOf, rest } from './quotient.ts'
import { setWord } from './word.ts'

/** The dividend, up to 512 bits and one limb more; in the end the remainder. */
export const DIVIDEND: usize = memory.data(80, 8)
export const QUOTIENT: usize = memory.data(72, 8)
/** The divisor, shifted so that its highest bit is set. */
const DIVISOR: usize = memory.data(40, 8)

function limb(at: usize, index: i32): u64 {
  return load<u64>(at + ((index as usize) << 3))
}

function setLimb(at: usize, index: i32, value: u64): void {
  store<u64>(at + ((index as usize) << 3), value)
}

/**
 * Divides {@link DIVIDEND}, of `limbs` limbs, by a word that is not 0. {@link QUOTIENT} then begins with the lowest 256
 * bits of the quotient, {@link DIVIDEND} with the remainder.
 */
export function divideLimbs(limbs: i32, divisor: usize): void {
  let size: i32 = 4
  while (limb(divisor, size - 1) == 0) size--
  while (limbs > 0 && limb(DIVIDEND, limbs - 1) == 0) limbs--
  setWord(QUOTIENT, 0, 0, 0, 0)
  if (limbs >= size) {
    const shift = clz<u64>(limb(divisor, size - 1))
    shiftLeft(DIVISOR, divisor, size, shift)
    shiftLeft(DIVIDEND, DIVIDEND, limbs, shift)
    if (size == 1) divideByLimb(limbs)
    else divideByLimbs(limbs, size)
    shiftRight(DIVIDEND, size, shift)
  }
  for (let i = min<i32>(limbs, size); i < 4; i++) setLimb(DIVIDEND, i, 0)
}

function divideByLimb(limbs: i32): void {
  const d = limb(DIVISOR, 0)
  const v = reciprocalOf(d)
  let left = limb(DIVIDEND, limbs)
  for (let i = limbs - 1; i >= 0; i--) {
    const q = divideTwo(left, limb(DIVIDEND, i), d, v)
    left = rest
    if (i < 4) setLimb(QUOTIENT, i, q)
  }
  setLimb(DIVIDEND, 0, left)
  setLimb(DIVIDEND, 1, 0)
}

function divideByLimbs(limbs: i32, size: i32): void {
  const highest = limb(DIVISOR, size - 1)
  const second = limb(DIVISOR, size - 2)
  const v = reciprocalOf(highest)
  for (let j = limbs - size; j >= 0; j--) {
    const part = DIVIDEND + ((j as usize) << 3)
    const q = divideStep(part, size, highest, second, v)
    setLimb(QUOTIENT, j, q)
  }
}

/** Subtracts the divisor from a part of the dividend as often as possible. @returns How often. */
function divideStep(part: usize, size: i32, highest: u64, second: u64, v: u64): u64 {
  const top = limb(part, size)
  let q = quotientLimb(top, limb(part, size - 1), limb(part, size - 2), highest, second, v)
  if (subtractProduct(part, q, size)) {
    q--
    // A quotient limb that was capped at the maximum may be two too high.
    if (addBack(part, size) == 0) {
      q--
      addBack(part, size)
    }
  }
  return q
}

/** Shifts by less than a limb, into one more limb. */
export function shiftLeft(to: usize, from: usize, limbs: i32, shift: u64): void {
  let carry: u64 = 0
  for (let i: i32 = 0; i < limbs; i++) {
    const value = limb(from, i)
    setLimb(to, i, (value << shift) | carry)
    carry = shift == 0 ? 0 : value >> (64 - shift)
  }
  setLimb(to, limbs, carry)
}

/** Shifts back, from one more limb. */
function shiftRight(at: usize, limbs: i32, shift: u64): void {
  if (shift == 0) return
  for (let i: i32 = 0; i < limbs; i++) {
    setLimb(at, i, (limb(at, i) >> shift) | (limb(at, i + 1) << (64 - shift)))
  }
}

/** `part -= factor · DIVISOR`. @returns Whether the result is negative. */
function subtractProduct(part: usize, factor: u64, limbs: i32): bool {
  let carry: u64 = 0
  for (let i: i32 = 0; i < limbs; i++) {
    const d = limb(DIVISOR, i)
    const low = factor * d + carry
    carry = multiplyHigh(factor, d) + ((low < carry) as u64)
    const value = limb(part, i)
    setLimb(part, i, value - low)
    carry += (value < low) as u64
  }
  const top = limb(part, limbs)
  setLimb(part, limbs, top - carry)
  return top < carry
}

/** @returns The carry: 0 if the result is still negative. */
function addBack(part: usize, limbs: i32): u64 {
  let carry: u64 = 0
  for (let i: i32 = 0; i < limbs; i++) {
    const value = limb(part, i)
    const sum = value + limb(DIVISOR, i)
    const total = sum + carry
    carry = ((sum < value) as u64) + ((total < sum) as u64)
    setLimb(part, i, total)
  }
  const top = limb(part, limbs)
  setLimb(part, limbs, top + carry)
  return (top + carry < top) as u64
}
