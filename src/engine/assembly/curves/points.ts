/**
 * Points (X : Y : Z) of a curve, of which x = X/Z and y = Y/Z are the coordinates; infinity is (0 : 1 : 0). A type argument of
 * i32 means a point over the field, both lanes of whose coordinates are the same, so that each lane does one of two products: see
 * `paired.ts`. f64 is a point over the quadratic extension. A coordinate has size 2, or 4 for Z on P-256.
 *
 * The formulas hold for any two points, on curves without points of order 2.
 *
 * @see {@link https://eprint.iacr.org/2015/1060 | Renes, Costello and Batina}
 */

import { WIDE } from '../inversion/wide.ts'
import { LIMB_BYTES, modulus, NUMBER_BYTES, ONE_AT } from './limbs.ts'
import { squareComplex } from './numbers.ts'
import { addPaired, doublePaired, POINT_BYTES, Y_AT, Z_AT } from './paired.ts'
import { multiplyComplex } from './products.ts'
import { add, clear, copy, multiplyByRoot, negate, reduce, scale, subtract } from './sums.ts'

/** 3b of the curve over the extension, unless WIDE. */
export const tripleB = memory.data(128, 16)

const t0 = memory.data(128, 16)
const t1 = memory.data(128, 16)
const t2 = memory.data(128, 16)
const t3 = memory.data(128, 16)
const t4 = memory.data(128, 16)
const x3 = memory.data(128, 16)
const y3 = memory.data(128, 16)
const z3 = memory.data(128, 16)
const s = memory.data(128, 16)

/** 3b · a, of size 1, or 3 if WIDE. */
export function multiplyByThreeB(to: usize, a: usize): void {
  if (!WIDE) {
    multiplyComplex(to, a, tripleB)
    return
  }
  // 12 + 12i.
  reduce(to, a)
  multiplyByRoot(to, to, 1)
  scale(to, to, 4)
  reduce(to, to)
  scale(to, to, 3)
}

/** (a₁ + b₁)(a₂ + b₂) − p − q, where p and q are products of the a and of the b. */
// @inline
function mixed(to: usize, a1: usize, b1: usize, a2: usize, b2: usize, p: usize, q: usize): void {
  add(s, a1, b1)
  add(to, a2, b2)
  multiplyComplex(to, s, to)
  subtract(to, to, p)
  subtract(to, to, q)
}

/** p + q; `to` may be either. */
export function addPoints<F>(to: usize, p: usize, q: usize): void {
  if (!isFloat<F>()) {
    addPaired(to, p, q)
    return
  }
  multiplyComplex(t0, p, q)
  multiplyComplex(t1, p + Y_AT, q + Y_AT)
  multiplyComplex(t2, p + Z_AT, q + Z_AT)
  mixed(t3, p, p + Y_AT, q, q + Y_AT, t0, t1)
  mixed(t4, p + Y_AT, p + Z_AT, q + Y_AT, q + Z_AT, t1, t2)
  mixed(y3, p, p + Z_AT, q, q + Z_AT, t0, t2)
  scale(t0, t0, 3)
  multiplyByThreeB(t2, t2)
  add(z3, t1, t2)
  subtract(t1, t1, t2)
  multiplyByThreeB(y3, y3)
  multiplyComplex(x3, t4, y3)
  multiplyComplex(t2, t3, t1)
  subtract(to, t2, x3)
  multiplyComplex(y3, y3, t0)
  multiplyComplex(t1, t1, z3)
  add(to + Y_AT, t1, y3)
  multiplyComplex(t0, t0, t3)
  multiplyComplex(z3, z3, t4)
  add(to + Z_AT, z3, t0)
}

/** 2p; `to` may be p. */
export function doublePoint<F>(to: usize, p: usize): void {
  if (!isFloat<F>()) {
    doublePaired(to, p)
    return
  }
  squareComplex(t0, p + Y_AT)
  scale(z3, t0, 8)
  multiplyComplex(t1, p + Y_AT, p + Z_AT)
  squareComplex(t2, p + Z_AT)
  multiplyByThreeB(t2, t2)
  if (WIDE) reduce(t2, t2)
  multiplyComplex(x3, t2, z3)
  add(y3, t0, t2)
  multiplyComplex(t3, p, p + Y_AT)
  multiplyComplex(to + Z_AT, t1, z3)
  scale(t2, t2, 3)
  subtract(t0, t0, t2)
  multiplyComplex(y3, t0, y3)
  add(to + Y_AT, x3, y3)
  multiplyComplex(t0, t0, t3)
  scale(to, t0, 2)
}

/** 1 in both lanes, or in the first one alone: over the extension. */
export function setOne<F>(to: usize): void {
  copy(to, modulus + ONE_AT)
  if (isFloat<F>()) for (let i: usize = 0; i < NUMBER_BYTES; i += LIMB_BYTES) store<f64>(to + i, 0, 8)
}

export function setInfinity<F>(to: usize): void {
  clear(to)
  setOne<F>(to + Y_AT)
  clear(to + Z_AT)
}

export function copyPoint(to: usize, from: usize): void {
  memory.copy(to, from, POINT_BYTES)
}

export const WINDOW: usize = 16

/** Multiples 0 to 15 of a point. */
export function fillTable<F>(at: usize, point: usize): void {
  setInfinity<F>(at)
  copyPoint(at + POINT_BYTES, point)
  for (let i: usize = 2; i < WINDOW; i++) addPoints<F>(at + i * POINT_BYTES, at + (i - 1) * POINT_BYTES, point)
}

/** The four bits of a number in words that begin at a multiple of four. */
// @inline
export function digitOf(words: usize, bit: i32): usize {
  return <usize>((load<u64>(words + ((<usize>bit >> 6) << 3)) >> (<u64>bit & 63)) & 15)
}

/** Multiples of two points, for {@link multiplyJointly}: 0 to 15, or 16 for {@link multiplySigned}; and 0 to 255 of P-256's generator. */
export const firstTable = memory.data(6528, 16)
export const secondTable = memory.data(6528, 16)
export const generatorTable = memory.data(WIDE ? 16 : 73728, 16)

/** Fills one of those tables with `count` multiples of a point. */
export function fillJointTable(at: usize, point: usize, count: usize): void {
  setInfinity<i32>(at)
  copyPoint(at + POINT_BYTES, point)
  for (let i: usize = 2; i < count; i++) addPoints<i32>(at + i * POINT_BYTES, at + (i - 1) * POINT_BYTES, point)
}

/** Digits of {@link multiplySigned} have five bits, from −16 to 15. */
const DIGITS: i32 = 27
const DIGIT_BITS: usize = 5
const MIDDLE: i32 = 16
/** Makes all digits positive; and the two scalars with it, in words. */
const biased = memory.data(64, 16)
const opposite = memory.data(384, 16)

/** A scalar of 132 bits, and as much as its digits may be below zero. */
function addBias(to: usize, scalar: usize): void {
  memory.fill(to, 0, 32)
  for (let i = 0; i < DIGITS; i++) {
    const bit = <usize>i * DIGIT_BITS + 4
    const word = to + ((bit >> 6) << 3)
    store<u64>(word, load<u64>(word) | ((<u64>1) << (<u64>bit & 63)))
  }
  let carry: u64 = 0
  for (let at: usize = 0; at < 24; at += 8) {
    const value = load<u64>(scalar + at)
    const sum = load<u64>(to + at) + value
    const all = sum + carry
    carry = <u64>(sum < value) | <u64>(all < carry)
    store<u64>(to + at, all)
  }
}

/**
 * The sum of the points of the first and the second table, each times a scalar of 132 bits; the tables have the multiples 0 to
 * 16.
 */
export function multiplySigned(to: usize, first: usize, second: usize): void {
  addBias(biased, first)
  addBias(biased + 32, second)
  setInfinity<i32>(to)
  for (let i = DIGITS - 1; i >= 0; i--) {
    if (i != DIGITS - 1) for (let k = 0; k < 5; k++) doublePoint<i32>(to, to)
    addDigit(to, firstTable, biased, <usize>i * DIGIT_BITS)
    addDigit(to, secondTable, biased + 32, <usize>i * DIGIT_BITS)
  }
}

function addDigit(to: usize, table: usize, words: usize, bit: usize): void {
  const digit = <i32>((load<u32>(words + (bit >> 3)) >> (<u32>bit & 7)) & 31) - MIDDLE
  if (digit > 0) addPoints<i32>(to, to, table + <usize>digit * POINT_BYTES)
  if (digit >= 0) return
  copyPoint(opposite, table + <usize>-digit * POINT_BYTES)
  negate(opposite + Y_AT, opposite + Y_AT)
  addPoints<i32>(to, to, opposite)
}

/**
 * The sum of two points, each times its scalar; the second is that of the second table.
 *
 * @param table - Of the first point.
 * @param width - Bits of a digit of the first scalar: 4, or 8 for the generator.
 * @param first - The scalar of the first point, in words, the lowest first; `second` likewise.
 * @param bits - A multiple of `width`.
 */
export function multiplyJointly(to: usize, table: usize, width: i32, first: usize, second: usize, bits: i32): void {
  setInfinity<i32>(to)
  let isEmpty = true
  for (let bit = bits - 4; bit >= 0; bit -= 4) {
    if (!isEmpty) for (let i = 0; i < 4; i++) doublePoint<i32>(to, to)
    if (bit % width == 0) {
      const digit = digitOf(first, bit) | (width == 8 ? digitOf(first, bit + 4) << 4 : 0)
      if (digit != 0) {
        addPoints<i32>(to, to, table + digit * POINT_BYTES)
        isEmpty = false
      }
    }
    const digit = digitOf(second, bit)
    if (digit == 0) continue
    addPoints<i32>(to, to, secondTable + digit * POINT_BYTES)
    isEmpty = false
  }
}

const once = memory.data(384, 16)

/** Multiplies a point by a scalar in binary. @param bits - The place of the highest bit that is set. */
export function multiplyPoint<F>(to: usize, point: usize, scalar: usize, bits: i32): void {
  copyPoint(once, point)
  copyPoint(to, point)
  for (let bit = bits - 1; bit >= 0; bit--) {
    doublePoint<F>(to, to)
    if (((load<u64>(scalar + ((<usize>bit >> 6) << 3)) >> (<u64>bit & 63)) & 1) != 0) addPoints<F>(to, to, once)
  }
}
