/** Optimal ate pairings of BN254, or of BLS12-381 if WIDE: the product of many, and whether it is one. */

import { WIDE } from '../inversion/wide.ts'
import { NUMBER_BYTES } from './limbs.ts'
import { squareComplex } from './numbers.ts'
import { multiplyByThreeB } from './points.ts'
import { multiplyComplex, multiplyPairs } from './products.ts'
import { add, conjugate, copy, negate, reduce, scale, subtract } from './sums.ts'
import {
  conjugate12,
  copy12,
  frobenius12,
  frobeniusAt,
  invert12,
  isOne12,
  multiply12,
  multiplyByLine014,
  multiplyByLine034,
  setOne12,
  square12,
  squareCyclotomic,
} from './tower.ts'

const N: usize = NUMBER_BYTES
/** Pairs of one {@link multiplyPairings}: work of about a millisecond. */
export const MAX_PAIRS: i32 = 8
/** A pair: x and y of the first point, each in both lanes; x and y of the second; X, Y and Z of its multiple. */
const PAIR_BYTES: usize = 7 * NUMBER_BYTES
const Q_AT: usize = 2 * NUMBER_BYTES
const T_AT: usize = 4 * NUMBER_BYTES

/** Digits −1, 0 and 1 of the loop's length and of the curve's parameter, each below the highest, which is 1. */
export const loopDigits = memory.data(80, 16)
export const seedDigits = memory.data(80, 16)
let loopCount: usize = 0
let seedCount: usize = 0

export function setDigits(ofLoop: usize, ofSeed: usize): void {
  loopCount = ofLoop
  seedCount = ofSeed
}

const pairs = memory.data(8 * 896, 16)
let count: usize = 0
/** The product so far, and of the pairs at hand. */
const product = memory.data(768, 16)
const f = memory.data(768, 16)

const a = memory.data(128, 16)
const b = memory.data(128, 16)
const c = memory.data(128, 16)
const d = memory.data(128, 16)
const e = memory.data(128, 16)
const g = memory.data(128, 16)
const h = memory.data(128, 16)
const other = memory.data(256, 16)

export function beginPairings(): void {
  setOne12(product)
  count = 0
}

/** Where the next pair's coordinates go: x and y of a point, each in both lanes, and of one over the extension. */
export function nextPair(): usize {
  return pairs + count * PAIR_BYTES
}

/** Takes the pair in. Neither point is infinity. */
export function takePair(): void {
  const t = pairs + count * PAIR_BYTES + T_AT
  memory.copy(t, pairs + count * PAIR_BYTES + Q_AT, 2 * N)
  setOne12(f)
  copy(t + 2 * N, f)
  count += 1
}

export function pairsTaken(): i32 {
  return <i32>count
}

/** Multiplies the product by the pairings of the pairs that were taken in. */
export function multiplyPairings(): void {
  if (count == 0) return
  setOne12(f)
  for (let i: usize = 0; i < loopCount; i++) {
    if (i != 0) square12(f, f)
    const digit = load<i8>(loopDigits + i)
    for (let at = pairs; at < pairs + count * PAIR_BYTES; at += PAIR_BYTES) {
      doubleStep(at)
      if (digit == 0) continue
      copy(other, at + Q_AT)
      if (digit > 0) copy(other + N, at + Q_AT + N)
      else negate(other + N, at + Q_AT + N)
      addStep(at)
    }
  }
  if (!WIDE) for (let at = pairs; at < pairs + count * PAIR_BYTES; at += PAIR_BYTES) addFrobenius(at)
  multiply12(product, product, f)
  count = 0
}

/** The two additions at the end of BN254's loop: of Q to the p, and of −Q to the p². */
function addFrobenius(at: usize): void {
  for (let power = 1; power <= 2; power++) {
    copy(other, at + Q_AT)
    copy(other + N, at + Q_AT + N)
    if (power == 1) {
      conjugate(other, other)
      conjugate(other + N, other + N)
    } else {
      negate(other + N, other + N)
    }
    multiplyComplex(other, other, frobeniusAt(power, 2))
    multiplyComplex(other + N, other + N, frobeniusAt(power, 3))
    addStep(at)
  }
}

/** Multiplies f by a line through the multiple, at the first point. */
// @inline
function multiplyByLine(at: usize, constant: usize, ofX: usize, ofY: usize): void {
  multiplyPairs(ofX, ofX, at)
  multiplyPairs(ofY, ofY, at + N)
  if (WIDE) multiplyByLine014(f, constant, ofX, ofY)
  else multiplyByLine034(f, ofY, ofX, constant)
}

/** Doubles the multiple, and multiplies f by the tangent. */
function doubleStep(at: usize): void {
  const x = at + T_AT
  const y = x + N
  const z = y + N
  multiplyComplex(a, x, y)
  scale(a, a, 2)
  squareComplex(b, y)
  squareComplex(c, z)
  multiplyByThreeB(e, c)
  reduce(e, e)
  add(h, y, z)
  squareComplex(h, h)
  subtract(h, h, b)
  subtract(h, h, c)
  // The line: e − b, 3x², −h.
  subtract(c, e, b)
  reduce(c, c)
  squareComplex(d, x)
  scale(d, d, 3)
  scale(g, e, 3)
  subtract(x, b, g)
  multiplyComplex(x, a, x)
  add(g, b, g)
  reduce(g, g)
  squareComplex(g, g)
  squareComplex(e, e)
  scale(e, e, 12)
  subtract(y, g, e)
  reduce(y, y)
  scale(b, b, 4)
  multiplyComplex(z, b, h)
  negate(h, h)
  multiplyByLine(at, c, d, h)
}

/** Adds `other` to the multiple, and multiplies f by the line through both. */
function addStep(at: usize): void {
  const x = at + T_AT
  const y = x + N
  const z = y + N
  const theta = a
  const lambda = b
  multiplyComplex(theta, other + N, z)
  subtract(theta, y, theta)
  multiplyComplex(lambda, other, z)
  subtract(lambda, x, lambda)
  squareComplex(c, theta)
  squareComplex(d, lambda)
  multiplyComplex(e, lambda, d)
  multiplyComplex(c, z, c)
  multiplyComplex(g, x, d)
  add(h, e, c)
  subtract(h, h, g)
  subtract(h, h, g)
  multiplyComplex(x, lambda, h)
  subtract(g, g, h)
  multiplyComplex(g, theta, g)
  multiplyComplex(y, e, y)
  subtract(y, g, y)
  reduce(y, y)
  multiplyComplex(z, z, e)
  multiplyComplex(c, theta, other)
  multiplyComplex(d, lambda, other + N)
  subtract(c, c, d)
  reduce(c, c)
  negate(theta, theta)
  multiplyByLine(at, c, theta, lambda)
}

const y0 = memory.data(768, 16)
const y1 = memory.data(768, 16)
const y2 = memory.data(768, 16)
const y3 = memory.data(768, 16)
const y4 = memory.data(768, 16)
const y5 = memory.data(768, 16)
const base = memory.data(768, 16)
const inverse = memory.data(768, 16)

/** a to the absolute value of the curve's parameter; `to` may be a. */
function power(to: usize, from: usize): void {
  copy12(base, from)
  conjugate12(inverse, from)
  copy12(to, from)
  for (let i: usize = 0; i < seedCount; i++) {
    squareCyclotomic(to)
    const digit = load<i8>(seedDigits + i)
    if (digit != 0) multiply12(to, to, digit > 0 ? base : inverse)
  }
}

/** Whether the product of all pairings is one. */
export function isProductOne(): bool {
  const r = product
  // To the (p⁶ − 1)(p² + 1).
  invert12(y0, r)
  conjugate12(r, r)
  multiply12(r, r, y0)
  frobenius12(y0, r, 2)
  multiply12(r, r, y0)
  if (WIDE) hardPart381(r)
  else hardPart254(r)
  return isOne12(r)
}

/** @see Fuentes-Castañeda, Knapp, Rodríguez-Henríquez: to the 2x(6x² + 3x + 1)(p⁴ − p² + 1) / r. */
function hardPart254(r: usize): void {
  power(y0, r)
  conjugate12(y0, y0)
  squareInto(y1, y0)
  squareInto(y2, y1)
  multiply12(y3, y2, y1)
  power(y4, y3)
  conjugate12(y4, y4)
  squareInto(y5, y4)
  power(y5, y5)
  // −x of the power's exponent is x again after conjugation: of y6, which is conjugated.
  conjugate12(y3, y3)
  multiply12(y5, y5, y4)
  multiply12(y3, y5, y3)
  multiply12(y1, y3, y1)
  multiply12(y4, y3, y4)
  multiply12(y4, y4, r)
  frobenius12(y5, y1, 1)
  multiply12(y4, y5, y4)
  frobenius12(y3, y3, 2)
  multiply12(y4, y3, y4)
  conjugate12(r, r)
  multiply12(y1, r, y1)
  frobenius12(y1, y1, 3)
  multiply12(r, y1, y4)
}

/** @see Ghammam and Fouotsa: to the 3(p⁴ − p² + 1) / r. */
function hardPart381(r: usize): void {
  squareInto(y0, r)
  powerOfSeed(y1, r)
  conjugate12(y2, r)
  multiply12(y1, y1, y2)
  powerOfSeed(y2, y1)
  conjugate12(y1, y1)
  multiply12(y1, y1, y2)
  powerOfSeed(y2, y1)
  frobenius12(y1, y1, 1)
  multiply12(y1, y1, y2)
  multiply12(r, r, y0)
  powerOfSeed(y0, y1)
  powerOfSeed(y2, y0)
  frobenius12(y0, y1, 2)
  conjugate12(y1, y1)
  multiply12(y1, y1, y2)
  multiply12(y1, y1, y0)
  multiply12(r, r, y1)
}

/** The parameter of BLS12-381 is negative. */
function powerOfSeed(to: usize, from: usize): void {
  power(to, from)
  conjugate12(to, to)
}

function squareInto(to: usize, from: usize): void {
  copy12(to, from)
  squareCyclotomic(to)
}
