/**
 * The field that pairings are in: (c₀ + c₁v + c₂v²) + (c₃ + c₄v + c₅v²)w over the quadratic extension, where w² = v and v³ = ξ,
 * which is 9 + i on BN254 and 1 + i on BLS12-381. Each of the six has size 1, unless it says otherwise.
 */

import { WIDE } from '../inversion/wide.ts'
import { LIMB_BYTES, modulus, NUMBER_BYTES, ONE_AT } from './limbs.ts'
import { invertComplex, isAllZero, squareComplex } from './numbers.ts'
import { multiplyComplex } from './products.ts'
import { add, conjugate, copy, multiplyByRoot, negate, reduce, scale, subtract } from './sums.ts'

export const SIX_BYTES: usize = 3 * NUMBER_BYTES
export const TWELVE_BYTES: usize = 6 * NUMBER_BYTES
const N: usize = NUMBER_BYTES
const ROOT: f64 = WIDE ? 1 : 9

/** ξ^(i · (p^k − 1) / 6) for i of 0 to 5, for k of 1 to 3. */
const frobenius = memory.data(3 * 768, 16)

const m0 = memory.data(128, 16)
const m1 = memory.data(128, 16)
const m2 = memory.data(128, 16)
const m3 = memory.data(128, 16)
const m4 = memory.data(128, 16)
const sum6 = memory.data(384, 16)
const other6 = memory.data(384, 16)
const product6 = memory.data(384, 16)
const low6 = memory.data(384, 16)
const high6 = memory.data(384, 16)

/** a · ξ. */
// @inline
export function multiplyByXi(to: usize, a: usize): void {
  multiplyByRoot(to, a, ROOT)
}

/** (a + b)(c + d) − p − q. */
// @inline
function cross(to: usize, a: usize, b: usize, c: usize, d: usize, p: usize, q: usize): void {
  add(m3, a, b)
  add(m4, c, d)
  multiplyComplex(m3, m3, m4)
  subtract(m3, m3, p)
  subtract(to, m3, q)
}

/** a · b, both of size 2; `to` is neither. */
function multiply6(to: usize, a: usize, b: usize): void {
  multiplyComplex(m0, a, b)
  multiplyComplex(m1, a + N, b + N)
  multiplyComplex(m2, a + 2 * N, b + 2 * N)
  cross(to, a + N, a + 2 * N, b + N, b + 2 * N, m1, m2)
  multiplyByXi(to, to)
  add(to, to, m0)
  reduce(to, to)
  cross(to + N, a, a + N, b, b + N, m0, m1)
  multiplyByXi(m3, m2)
  add(to + N, to + N, m3)
  reduce(to + N, to + N)
  cross(to + 2 * N, a, a + 2 * N, b, b + 2 * N, m0, m2)
  add(to + 2 * N, to + 2 * N, m1)
  reduce(to + 2 * N, to + 2 * N)
}

/** a · (b₀ + b₁v), all of size 2; `to` is not a. */
function multiply6ByTwo(to: usize, a: usize, b0: usize, b1: usize): void {
  multiplyComplex(m0, a, b0)
  multiplyComplex(m1, a + N, b1)
  multiplyComplex(to, a + 2 * N, b1)
  multiplyByXi(to, to)
  add(to, to, m0)
  cross(to + N, a, a + N, b0, b1, m0, m1)
  multiplyComplex(m2, a + 2 * N, b0)
  add(to + 2 * N, m2, m1)
  reduce(to, to)
  reduce(to + N, to + N)
  reduce(to + 2 * N, to + 2 * N)
}

// @inline
function add6(to: usize, a: usize, b: usize): void {
  add(to, a, b)
  add(to + N, a + N, b + N)
  add(to + 2 * N, a + 2 * N, b + 2 * N)
}

// @inline
function subtract6(to: usize, a: usize, b: usize): void {
  subtract(to, a, b)
  subtract(to + N, a + N, b + N)
  subtract(to + 2 * N, a + 2 * N, b + 2 * N)
}

// @inline
function reduce6(to: usize): void {
  reduce(to, to)
  reduce(to + N, to + N)
  reduce(to + 2 * N, to + 2 * N)
}

/** a + b · v; `to` is neither. */
// @inline
function addShifted6(to: usize, a: usize, b: usize): void {
  multiplyByXi(m3, b + 2 * N)
  add(to, a, m3)
  add(to + N, a + N, b)
  add(to + 2 * N, a + 2 * N, b + N)
}

/** From the product of the lower halves, that of the upper ones, and that of the sums of both. */
// @inline
function join12(to: usize, low: usize, high: usize, both: usize): void {
  subtract6(both, both, low)
  subtract6(to + 3 * N, both, high)
  addShifted6(to, low, high)
  reduce6(to)
  reduce6(to + 3 * N)
}

/** a · b; `to` may be either. */
export function multiply12(to: usize, a: usize, b: usize): void {
  add6(sum6, a, a + 3 * N)
  add6(other6, b, b + 3 * N)
  multiply6(product6, sum6, other6)
  multiply6(low6, a, b)
  multiply6(high6, a + 3 * N, b + 3 * N)
  join12(to, low6, high6, product6)
}

/** a²; `to` may be a. */
export function square12(to: usize, a: usize): void {
  // (a₀ + a₁)(a₀ + a₁v) − a₀a₁ − a₀a₁v, and 2a₀a₁.
  add6(sum6, a, a + 3 * N)
  addShifted6(other6, a, a + 3 * N)
  reduce6(other6)
  multiply6(product6, sum6, other6)
  multiply6(low6, a, a + 3 * N)
  subtract6(product6, product6, low6)
  multiplyByXi(m3, low6 + 2 * N)
  subtract(to, product6, m3)
  subtract(to + N, product6 + N, low6)
  subtract(to + 2 * N, product6 + 2 * N, low6 + N)
  add6(to + 3 * N, low6, low6)
  reduce6(to)
  reduce6(to + 3 * N)
}

/** a · (b₀ + (b₁ + b₂v)w), the line of a twist that BN254 has; the b have size 1. */
export function multiplyByLine034(a: usize, b0: usize, b1: usize, b2: usize): void {
  add6(sum6, a, a + 3 * N)
  multiplyComplex(low6, a, b0)
  multiplyComplex(low6 + N, a + N, b0)
  multiplyComplex(low6 + 2 * N, a + 2 * N, b0)
  multiply6ByTwo(high6, a + 3 * N, b1, b2)
  add(other6, b0, b1)
  multiply6ByTwo(product6, sum6, other6, b2)
  join12(a, low6, high6, product6)
}

/** a · (b₀ + b₁v + b₂vw), the line of a twist that BLS12-381 has. */
export function multiplyByLine014(a: usize, b0: usize, b1: usize, b2: usize): void {
  add6(sum6, a, a + 3 * N)
  multiply6ByTwo(low6, a, b0, b1)
  // The upper half times b₂v.
  multiplyComplex(high6, a + 5 * N, b2)
  multiplyByXi(high6, high6)
  multiplyComplex(high6 + N, a + 3 * N, b2)
  multiplyComplex(high6 + 2 * N, a + 4 * N, b2)
  reduce(high6, high6)
  add(other6, b1, b2)
  multiply6ByTwo(product6, sum6, b0, other6)
  join12(a, low6, high6, product6)
}

export function copy12(to: usize, from: usize): void {
  memory.copy(to, from, TWELVE_BYTES)
}

export function setOne12(to: usize): void {
  memory.fill(to, 0, TWELVE_BYTES)
  for (let i: usize = 0; i < NUMBER_BYTES; i += LIMB_BYTES) store<f64>(to + i, load<f64>(modulus + ONE_AT + i))
}

export function isOne12(a: usize): bool {
  setOne12(rest12)
  for (let i: usize = 0; i < TWELVE_BYTES; i += N) {
    subtract(m0, a + i, rest12 + i)
    if (!isAllZero(m0)) return false
  }
  return true
}

/** The inverse of a number of norm 1: of all after the first step of the final exponentiation. */
export function conjugate12(to: usize, a: usize): void {
  if (to != a) memory.copy(to, a, SIX_BYTES)
  negate(to + 3 * N, a + 3 * N)
  negate(to + 4 * N, a + 4 * N)
  negate(to + 5 * N, a + 5 * N)
}

const rest12 = memory.data(768, 16)

/** a₀ + a₁v + a₂v² to −1. */
function invert6(to: usize, a: usize): void {
  const c0 = low6
  const c1 = low6 + N
  const c2 = low6 + 2 * N
  squareComplex(c0, a)
  multiplyComplex(m0, a + N, a + 2 * N)
  multiplyByXi(m0, m0)
  subtract(c0, c0, m0)
  reduce(c0, c0)
  squareComplex(c1, a + 2 * N)
  multiplyByXi(c1, c1)
  multiplyComplex(m0, a, a + N)
  subtract(c1, c1, m0)
  reduce(c1, c1)
  squareComplex(c2, a + N)
  multiplyComplex(m0, a, a + 2 * N)
  subtract(c2, c2, m0)
  reduce(c2, c2)
  multiplyComplex(m0, a + N, c2)
  multiplyComplex(m1, a + 2 * N, c1)
  add(m0, m0, m1)
  multiplyByXi(m0, m0)
  multiplyComplex(m1, a, c0)
  add(m0, m0, m1)
  reduce(m0, m0)
  invertComplex(m0, m0)
  multiplyComplex(to, c0, m0)
  multiplyComplex(to + N, c1, m0)
  multiplyComplex(to + 2 * N, c2, m0)
}

/** 1/a; `to` may be a. */
export function invert12(to: usize, a: usize): void {
  // (a₀ − a₁w) / (a₀² − a₁²v).
  multiply6(product6, a, a)
  multiply6(high6, a + 3 * N, a + 3 * N)
  multiplyByXi(m3, high6 + 2 * N)
  subtract(sum6, product6, m3)
  subtract(sum6 + N, product6 + N, high6)
  subtract(sum6 + 2 * N, product6 + 2 * N, high6 + N)
  reduce6(sum6)
  invert6(other6, sum6)
  multiply6(sum6, a, other6)
  multiply6(product6, a + 3 * N, other6)
  memory.copy(to, sum6, SIX_BYTES)
  negate(to + 3 * N, product6)
  negate(to + 4 * N, product6 + N)
  negate(to + 5 * N, product6 + 2 * N)
}

/** Where ξ^(i · (p^power − 1) / 6) is. */
export function frobeniusAt(power: i32, i: usize): usize {
  return frobenius + <usize>(power - 1) * 6 * N + i * N
}

/** Fills the factors from the first, ξ^((p − 1) / 6), which the host has written as i = 1 of power 1. */
export function prepareFrobenius(): void {
  const first = frobeniusAt(1, 1)
  for (let power = 1; power <= 3; power++) {
    const at = frobeniusAt(power, 0)
    setOne12(rest12)
    copy(at, rest12)
    if (power > 1) {
      // ξ^((p^k − 1) / 6) is ξ^((p^(k − 1) − 1) / 6) to the p, times the first.
      conjugate(m0, frobeniusAt(power - 1, 1))
      multiplyComplex(at + N, m0, first)
    }
    for (let i: usize = 2; i < 6; i++) multiplyComplex(at + i * N, at + (i - 1) * N, at + N)
  }
}

/** a to the p^power; `to` may be a. */
export function frobenius12(to: usize, a: usize, power: i32): void {
  for (let i: usize = 0; i < 6; i++) {
    // c₀, c₁, c₂ belong to w^0, w^2, w^4, and c₃, c₄, c₅ to w, w^3, w^5.
    const place = i < 3 ? 2 * i : 2 * (i - 3) + 1
    if (power & 1) conjugate(m0, a + i * N)
    else copy(m0, a + i * N)
    multiplyComplex(to + i * N, m0, frobeniusAt(power, place))
  }
}

/** (a + b·s)², where s² = ξ: the first part, of size 3 + ROOT, and half of the second. */
// @inline
function square4(first: usize, half: usize, a: usize, b: usize): void {
  multiplyComplex(half, a, b)
  multiplyByXi(m3, b)
  add(m3, m3, a)
  add(m4, a, b)
  multiplyComplex(m3, m3, m4)
  multiplyByXi(m4, half)
  subtract(m3, m3, half)
  subtract(first, m3, m4)
}

// @inline
function tripleLess(at: usize, square: usize): void {
  scale(m3, square, 3)
  scale(at, at, -2)
  add(at, at, m3)
  reduce(at, at)
}

// @inline
function sextuplePlus(at: usize, half: usize): void {
  scale(m3, half, 6)
  scale(at, at, 2)
  add(at, at, m3)
  reduce(at, at)
}

/** a², of a number whose norm is 1 in the smaller fields, too, as it is after the easy part. @see Granger and Scott. */
export function squareCyclotomic(a: usize): void {
  square4(low6, high6, a, a + 4 * N)
  square4(low6 + N, high6 + N, a + 3 * N, a + 2 * N)
  square4(low6 + 2 * N, high6 + 2 * N, a + N, a + 5 * N)
  tripleLess(a, low6)
  tripleLess(a + N, low6 + N)
  tripleLess(a + 2 * N, low6 + 2 * N)
  multiplyByXi(high6 + 2 * N, high6 + 2 * N)
  sextuplePlus(a + 3 * N, high6 + 2 * N)
  sextuplePlus(a + 4 * N, high6)
  sextuplePlus(a + 5 * N, high6 + N)
}
