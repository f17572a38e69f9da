/**
 * Points (X : Y : Z) of a curve, of which x = X/Z and y = Y/Z are the coordinates; infinity is (0 : 1 : 0). A type argument of
 * i32 means two points side by side, f64 one point over the quadratic extension of the field. A coordinate has size 2, or 4 for Z
 * on P-256.
 *
 * The formulas hold for any two points, on curves without points of order 2.
 *
 * @see {@link https://eprint.iacr.org/2015/1060 | Renes, Costello and Batina}
 */
import { LIMB_BYTES, modulus, NUMBER_BYTES, ONE_AT } from './limbs.ts'
import { squareComplex } from './numbers.ts'
import { multiplyComplex, multiplyPairs } from './products.ts'
import { add, blend, clear, copy, multiplyByRoot, reduce, scale, subtract } from './sums.ts'
import { WIDE } from './wide.ts'

export const POINT_BYTES: usize = 3 * NUMBER_BYTES
export const Y_AT: usize = NUMBER_BYTES
export const Z_AT: usize = 2 * NUMBER_BYTES

/** 3b of the curve over the extension, unless WIDE; */
export const tripleB = memory.data(128, 16)
/** b of P-256, in both lanes. */
export const p256B = memory.data(128, 16)

/** Whether the current curve is P-256; a curve with a = 0 otherwise. */
let isP256: bool = false

export function useP256(isIt: bool): void {
  isP256 = isIt
}

const t0 = memory.data(128, 16)
const t1 = memory.data(128, 16)
const t2 = memory.data(128, 16)
const t3 = memory.data(128, 16)
const t4 = memory.data(128, 16)
const x3 = memory.data(128, 16)
const y3 = memory.data(128, 16)
const z3 = memory.data(128, 16)
const s = memory.data(128, 16)

// @inline
function multiply<F>(to: usize, a: usize, b: usize): void {
  if (isFloat<F>()) multiplyComplex(to, a, b)
  else multiplyPairs(to, a, b)
}

// @inline
function square<F>(to: usize, a: usize): void {
  if (isFloat<F>()) squareComplex(to, a)
  else multiplyPairs(to, a, a)
}

/** 3b · a, of size 1 to 9 for one of size 1, 3 to 27 for one of size 3. On BLS12-381 it is 3. */
function multiplyByB<F>(to: usize, a: usize): void {
  if (WIDE) {
    if (isFloat<F>()) {
      // 12 + 12i.
      reduce(to, a)
      multiplyByRoot(to, to, 1)
      scale(to, to, 4)
    } else {
      scale(to, a, 4)
    }
    reduce(to, to)
    scale(to, to, 3)
  } else if (isFloat<F>()) {
    multiplyComplex(to, a, tripleB)
  } else {
    scale(to, a, 9)
  }
}

/** 3b · a over the extension, of size 1, or 3 if WIDE. */
export function multiplyByThreeB(to: usize, a: usize): void {
  multiplyByB<f64>(to, a)
}

/** (a₁ + b₁)(a₂ + b₂) − p − q, where p and q are products of the a and of the b. */
// @inline
function mixed<F>(to: usize, a1: usize, b1: usize, a2: usize, b2: usize, p: usize, q: usize): void {
  add(s, a1, b1)
  add(to, a2, b2)
  multiply<F>(to, s, to)
  subtract(to, to, p)
  subtract(to, to, q)
}

/** p + q; `to` may be either. */
export function addPoints<F>(to: usize, p: usize, q: usize): void {
  multiply<F>(t0, p, q)
  multiply<F>(t1, p + Y_AT, q + Y_AT)
  multiply<F>(t2, p + Z_AT, q + Z_AT)
  mixed<F>(t3, p, p + Y_AT, q, q + Y_AT, t0, t1)
  mixed<F>(t4, p + Y_AT, p + Z_AT, q + Y_AT, q + Z_AT, t1, t2)
  mixed<F>(y3, p, p + Z_AT, q, q + Z_AT, t0, t2)
  if (!isFloat<F>() && !WIDE && isP256) {
    finishP256Sum(to)
    return
  }
  scale(t0, t0, 3)
  multiplyByB<F>(t2, t2)
  add(z3, t1, t2)
  subtract(t1, t1, t2)
  multiplyByB<F>(y3, y3)
  multiply<F>(x3, t4, y3)
  multiply<F>(t2, t3, t1)
  subtract(to, t2, x3)
  multiply<F>(y3, y3, t0)
  multiply<F>(t1, t1, z3)
  add(to + Y_AT, t1, y3)
  multiply<F>(t0, t0, t3)
  multiply<F>(z3, z3, t4)
  add(to + Z_AT, z3, t0)
}

function finishP256Sum(to: usize): void {
  multiplyPairs(z3, p256B, t2)
  subtract(x3, y3, z3)
  scale(x3, x3, 3)
  subtract(z3, t1, x3)
  add(x3, t1, x3)
  multiplyPairs(y3, p256B, y3)
  scale(t2, t2, 3)
  subtract(y3, y3, t2)
  subtract(y3, y3, t0)
  scale(y3, y3, 3)
  scale(t0, t0, 3)
  subtract(t0, t0, t2)
  multiplyPairs(t1, t4, y3)
  multiplyPairs(t2, t0, y3)
  multiplyPairs(y3, x3, z3)
  add(to + Y_AT, y3, t2)
  multiplyPairs(x3, t3, x3)
  subtract(to, x3, t1)
  multiplyPairs(z3, t4, z3)
  multiplyPairs(t1, t3, t0)
  add(to + Z_AT, z3, t1)
}

/** 2p; `to` may be p. */
export function doublePoint<F>(to: usize, p: usize): void {
  if (!isFloat<F>() && !WIDE && isP256) {
    doubleP256(to, p)
    return
  }
  square<F>(t0, p + Y_AT)
  scale(z3, t0, 8)
  multiply<F>(t1, p + Y_AT, p + Z_AT)
  square<F>(t2, p + Z_AT)
  multiplyByB<F>(t2, t2)
  if (WIDE) reduce(t2, t2)
  multiply<F>(x3, t2, z3)
  add(y3, t0, t2)
  multiply<F>(t3, p, p + Y_AT)
  multiply<F>(to + Z_AT, t1, z3)
  scale(t2, t2, 3)
  subtract(t0, t0, t2)
  multiply<F>(y3, t0, y3)
  add(to + Y_AT, x3, y3)
  multiply<F>(t0, t0, t3)
  scale(to, t0, 2)
}

function doubleP256(to: usize, p: usize): void {
  multiplyPairs(t0, p, p)
  multiplyPairs(t1, p + Y_AT, p + Y_AT)
  multiplyPairs(t2, p + Z_AT, p + Z_AT)
  multiplyPairs(t3, p, p + Y_AT)
  multiplyPairs(t4, p + Y_AT, p + Z_AT)
  multiplyPairs(z3, p, p + Z_AT)
  scale(z3, z3, 2)
  multiplyPairs(y3, p256B, t2)
  subtract(y3, y3, z3)
  scale(y3, y3, 3)
  subtract(x3, t1, y3)
  add(y3, t1, y3)
  multiplyPairs(y3, x3, y3)
  multiplyPairs(x3, x3, t3)
  scale(x3, x3, 2)
  scale(t2, t2, 3)
  multiplyPairs(z3, p256B, z3)
  subtract(z3, z3, t2)
  subtract(z3, z3, t0)
  scale(z3, z3, 3)
  scale(t0, t0, 3)
  subtract(t0, t0, t2)
  multiplyPairs(t0, t0, z3)
  add(to + Y_AT, y3, t0)
  scale(t4, t4, 2)
  multiplyPairs(z3, t4, z3)
  subtract(to, x3, z3)
  multiplyPairs(t1, t4, t1)
  scale(to + Z_AT, t1, 4)
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

const WINDOW: usize = 16
const table = memory.data(6144, 16)
const chosen = memory.data(384, 16)

/** Multiples 0 to 15 of a point. */
function fillTable<F>(point: usize): void {
  setInfinity<F>(table)
  copyPoint(table + POINT_BYTES, point)
  for (let i: usize = 2; i < WINDOW; i++) {
    addPoints<F>(table + i * POINT_BYTES, table + (i - 1) * POINT_BYTES, point)
  }
}

// @inline
function digitOf(words: usize, bit: i32): usize {
  return <usize>((load<u64>(words + ((<usize>bit >> 6) << 3)) >> (<u64>bit & 63)) & 15)
}

/**
 * Two points, each multiplied by its scalar.
 *
 * @param first - The scalar of the first lane, in words, the lowest first; `second` likewise.
 * @param bits - A multiple of four.
 */
export function multiplyBoth(to: usize, points: usize, first: usize, second: usize, bits: i32): void {
  fillTable<i32>(points)
  setInfinity<i32>(to)
  for (let bit = bits - 4; bit >= 0; bit -= 4) {
    if (bit != bits - 4) for (let i = 0; i < 4; i++) doublePoint<i32>(to, to)
    const a = table + digitOf(first, bit) * POINT_BYTES
    const b = table + digitOf(second, bit) * POINT_BYTES
    blend(chosen, a, b)
    blend(chosen + Y_AT, a + Y_AT, b + Y_AT)
    blend(chosen + Z_AT, a + Z_AT, b + Z_AT)
    addPoints<i32>(to, to, chosen)
  }
}

/** Multiplies a point by a scalar in binary. @param bits - The place of the highest bit that is set. */
export function multiplyPoint<F>(to: usize, point: usize, scalar: usize, bits: i32): void {
  copyPoint(table, point)
  copyPoint(to, point)
  for (let bit = bits - 1; bit >= 0; bit--) {
    doublePoint<F>(to, to)
    if (((load<u64>(scalar + ((<usize>bit >> 6) << 3)) >> (<u64>bit & 63)) & 1) != 0) addPoints<F>(to, to, table)
  }
}

/** Tables of a point and of three others, for {@link multiplyByFour}. */
const tables = memory.data(WIDE ? 24576 : 0, 16)
const TABLE_BYTES: usize = WINDOW * POINT_BYTES

/** Where entry `i` of table `which` is. */
// @inline
export function tableEntry(which: usize, i: usize): usize {
  return tables + which * TABLE_BYTES + i * POINT_BYTES
}

export const TABLE_ENTRIES: usize = WINDOW

/** Fills the first table with the multiples 0 to 15 of a point over the extension. */
export function fillFirstTable(point: usize): void {
  fillTable<f64>(point)
  memory.copy(tables, table, TABLE_BYTES)
}

/** The sum of the points of four tables, each times a word. @param words - The lowest table's first. */
export function multiplyByFour(to: usize, words: usize): void {
  setInfinity<f64>(to)
  for (let bit = 60; bit >= 0; bit -= 4) {
    if (bit != 60) for (let i = 0; i < 4; i++) doublePoint<f64>(to, to)
    for (let which: usize = 0; which < 4; which++) {
      const digit = digitOf(words + (which << 3), bit)
      if (digit != 0) addPoints<f64>(to, to, tableEntry(which, digit))
    }
  }
}
