/**
 * Elements of BLS12-381's field as points of its first group: the simplified map of Shallue, van de Woestijne and Ulas, to a curve
 * from which an isogeny of degree 11 leads on.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9380#section-6.6.3 | RFC 9380}
 */

import { WIDE } from '../inversion/wide.ts'
import { GOOD, NOT_IN_FIELD, readNumber, seed } from './groups.ts'
import { NUMBER_BYTES } from './limbs.ts'
import { invertFirst, isZero, one, readPair, writePair } from './numbers.ts'
import { Y_AT, Z_AT } from './paired.ts'
import { addPoints, multiplyPoint } from './points.ts'
import { multiplyPairs } from './products.ts'
import { raise } from './roots.ts'
import { add, copy, negate, reduce, scale, splat, subtract } from './sums.ts'

/** Coefficients of x and of y: the numerator's in the first lane, the denominator's in the second. */
const OF_X: usize = 12
const OF_Y: usize = 16
/** What the host writes: A, B, and the coefficients, each of 48 bytes. */
export const isogeny = memory.data(WIDE ? 2784 : 16, 16)
const NUMBER: usize = 48

const a = memory.data(128, 16)
const b = memory.data(128, 16)
/** A root of −Z, which is −11. */
const root = memory.data(128, 16)
const ofX = memory.data(WIDE ? 1536 : 16, 16)
const ofY = memory.data(WIDE ? 2048 : 16, 16)
const Z: f64 = 11

const u = memory.data(128, 16)
const t1 = memory.data(128, 16)
const t2 = memory.data(128, 16)
const t3 = memory.data(128, 16)
const t4 = memory.data(128, 16)
const t5 = memory.data(128, 16)
const t6 = memory.data(128, 16)
const x = memory.data(128, 16)
const y = memory.data(128, 16)
const w = memory.data(128, 16)
const point = memory.data(384, 16)
const bytes = memory.data(96, 16)

/** To be called when the host has written the numbers, and the field is prepared. */
export function prepareMapping(): void {
  readNumber(a, isogeny)
  readNumber(b, isogeny + NUMBER)
  let at = isogeny + 2 * NUMBER
  for (let i: usize = 0; i < OF_X + OF_Y; i++) {
    readPair(i < OF_X ? ofX + i * NUMBER_BYTES : ofY + (i - OF_X) * NUMBER_BYTES, at, at + NUMBER)
    at += 2 * NUMBER
  }
  scale(t1, one(), -Z)
  reduce(t1, t1)
  raise(root, t1, 0)
}

/** A polynomial in each lane, at x. */
function evaluate(to: usize, coefficients: usize, count: usize): void {
  copy(to, coefficients + (count - 1) * NUMBER_BYTES)
  for (let i = <i32>count - 2; i >= 0; i--) {
    multiplyPairs(to, to, x)
    add(to, to, coefficients + <usize>i * NUMBER_BYTES)
  }
  reduce(to, to)
}

/** Whether the lowest bit of a number is set. */
function isOdd(from: usize): bool {
  writePair(bytes, bytes + NUMBER, from)
  return (load<u8>(bytes, NUMBER - 1) & 1) != 0
}

/** The point of an element. @param at - 48 bytes. @returns As reading points does. */
export function mapToG1(to: usize, at: usize): i32 {
  if (!readNumber(u, at)) return NOT_IN_FIELD
  multiplyPairs(t1, u, u)
  scale(t1, t1, Z)
  reduce(t1, t1)
  multiplyPairs(t2, t1, t1)
  add(t2, t2, t1)
  reduce(t2, t2)
  add(t3, t2, one())
  multiplyPairs(t3, t3, b)
  if (isZero(t2, 0)) scale(t4, one(), Z)
  else negate(t4, t2)
  multiplyPairs(t4, t4, a)
  // The curve's right side at t₃ / t₄: t₂ / t₆.
  multiplyPairs(t2, t3, t3)
  multiplyPairs(t6, t4, t4)
  multiplyPairs(t5, t6, a)
  add(t2, t2, t5)
  multiplyPairs(t2, t2, t3)
  multiplyPairs(t6, t6, t4)
  multiplyPairs(t5, t6, b)
  add(t2, t2, t5)
  reduce(t2, t2)
  // A root of it, or of it times Z.
  multiplyPairs(w, t2, t6)
  multiplyPairs(t5, t6, t6)
  multiplyPairs(t5, t5, w)
  raise(y, t5, 1)
  multiplyPairs(y, y, w)
  multiplyPairs(t5, y, y)
  multiplyPairs(t5, t5, t6)
  subtract(t5, t5, t2)
  if (isZero(t5, 0)) {
    copy(x, t3)
  } else {
    multiplyPairs(x, t1, t3)
    multiplyPairs(y, y, root)
    multiplyPairs(y, y, t1)
    multiplyPairs(y, y, u)
  }
  if (isOdd(u) != isOdd(y)) negate(y, y)
  invertFirst(t4, t4)
  multiplyPairs(x, x, t4)
  evaluate(t1, ofX, OF_X)
  evaluate(t2, ofY, OF_Y)
  splat(t3, t1, 1)
  splat(t4, t2, 1)
  splat(t5, t1, 0)
  splat(t6, t2, 0)
  multiplyPairs(point, t5, t4)
  multiplyPairs(y, y, t6)
  multiplyPairs(point + Y_AT, y, t3)
  multiplyPairs(point + Z_AT, t3, t4)
  // The cofactor: 1 − z, where the parameter z is negative.
  multiplyPoint<i32>(to, point, seed, 63)
  addPoints<i32>(to, to, point)
  return GOOD
}
