/**
 * Elements of the quadratic extension of BLS12-381's field as points of its second group: the simplified map of Shallue, van de
 * Woestijne and Ulas, to a curve from which an isogeny of degree 3 leads on. Square roots come from those of norms.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9380#section-8.8.2 | RFC 9380}
 */

import { WIDE } from '../inversion/wide.ts'
import { applyPsi, GOOD, NOT_IN_FIELD, seed } from './groups.ts'
import { NUMBER_BYTES } from './limbs.ts'
import { invertComplex, invertFirst, isAllZero, isZero, one, readPair, squareComplex, writePair } from './numbers.ts'
import { POINT_BYTES, Y_AT, Z_AT } from './paired.ts'
import { addPoints, copyPoint, doublePoint, multiplyPoint, setOne } from './points.ts'
import { multiplyComplex, multiplyPairs } from './products.ts'
import { raise } from './roots.ts'
import { add, addLanes, blend, copy, multiplyByRoot, negate, reduce, scale, splat, subtract } from './sums.ts'

/** Coefficients of x and of y: of the numerator, then of the denominator. */
const OF_X: usize = 4
const UNDER_X: usize = 3
const OF_Y: usize = 4
const UNDER_Y: usize = 4
const COEFFICIENTS: usize = OF_X + UNDER_X + OF_Y + UNDER_Y
/** What the host writes: A, B, and the coefficients, the lowest first, each of twice 48 bytes, the real part first. */
export const isogeny2 = memory.data(WIDE ? 1632 : 16, 16)
const NUMBER: usize = 48
/** What stands before each part of an element. */
const PADDING: usize = 16

const a = memory.data(128, 16)
const b = memory.data(128, 16)
/** Z³, where Z is −2 − i. */
const cube = memory.data(128, 16)
/** A root of −125, in both lanes: 125 is the norm of Z³. */
const root = memory.data(128, 16)
const half = memory.data(128, 16)
const coefficients = memory.data(WIDE ? 1920 : 16, 16)

const u = memory.data(128, 16)
/** u³. */
const third = memory.data(128, 16)
const t1 = memory.data(128, 16)
const t2 = memory.data(128, 16)
const t3 = memory.data(128, 16)
const t4 = memory.data(128, 16)
const t5 = memory.data(128, 16)
const t6 = memory.data(128, 16)
const x = memory.data(128, 16)
const y = memory.data(128, 16)
const w = memory.data(128, 16)
const s = memory.data(128, 16)
const bytes = memory.data(96, 16)

const point = memory.data(384, 16)
const multiple = memory.data(384, 16)
const shifted = memory.data(384, 16)

/** To be called when the host has written the numbers, and the field is prepared. */
export function prepareMapping2(): void {
  readPair(a, isogeny2, isogeny2 + NUMBER)
  readPair(b, isogeny2 + 2 * NUMBER, isogeny2 + 3 * NUMBER)
  for (let i: usize = 0; i < COEFFICIENTS; i++) {
    const at = isogeny2 + (4 + 2 * i) * NUMBER
    readPair(coefficients + i * NUMBER_BYTES, at, at + NUMBER)
  }
  setOne<f64>(t1)
  timesZ(t1, t1)
  squareComplex(cube, t1)
  multiplyComplex(cube, cube, t1)
  scale(t1, one(), -5)
  reduce(t1, t1)
  scale(t1, t1, 5)
  reduce(t1, t1)
  scale(t1, t1, 5)
  reduce(t1, t1)
  raise(root, t1, 0)
  scale(half, one(), 2)
  reduce(half, half)
  invertFirst(half, half)
}

/** a · Z. */
function timesZ(to: usize, from: usize): void {
  multiplyByRoot(to, from, 2)
  negate(to, to)
  reduce(to, to)
}

/** A polynomial at x. */
function evaluate(to: usize, from: usize, count: usize): void {
  copy(to, from + (count - 1) * NUMBER_BYTES)
  for (let i = <i32>count - 2; i >= 0; i--) {
    multiplyComplex(to, to, x)
    add(to, to, from + <usize>i * NUMBER_BYTES)
  }
  reduce(to, to)
}

/** The sign of a number: whether its real part is odd, or its imaginary part if there is no other. */
function isOdd(from: usize): bool {
  writePair(bytes, bytes + NUMBER, from)
  let all: u64 = 0
  for (let i: usize = 0; i < NUMBER; i += 8) all |= load<u64>(bytes + i)
  return (load<u8>(bytes + (all == 0 ? NUMBER : 0), NUMBER - 1) & 1) != 0
}

/**
 * Puts a square root of w to y, or of w · Z³ if w is no square.
 *
 * @returns Whether w is one.
 */
function findRoot(): bool {
  // A number is a square if its norm is one.
  multiplyPairs(t5, w, w)
  addLanes(t5, t5)
  reduce(t5, t5)
  raise(s, t5, 1)
  multiplyPairs(s, s, t5)
  multiplyPairs(t2, s, s)
  subtract(t2, t2, t5)
  const isSquare = isZero(t2, 0)
  if (!isSquare) {
    multiplyComplex(w, w, cube)
    multiplyPairs(s, s, root)
  }
  // With r² the norm, (w₀ + r) / 2 or (w₀ − r) / 2 is the square of the real part of a root. Their product is −(w₁ / 2)².
  splat(t2, w, 0)
  add(t5, t2, s)
  multiplyPairs(t5, t5, half)
  if (isZero(t5, 0)) {
    subtract(t5, t2, s)
    multiplyPairs(t5, t5, half)
  }
  // t₅² s² is ± t₅; if it is −t₅, s is a root of −1 / t₅.
  raise(s, t5, 1)
  multiplyPairs(t2, t5, s)
  multiplyPairs(t5, t2, s)
  subtract(t5, t5, one())
  splat(y, w, 1)
  multiplyPairs(y, y, half)
  multiplyPairs(y, y, s)
  if (isZero(t5, 0)) {
    blend(y, t2, y)
  } else {
    negate(t2, t2)
    blend(y, y, t2)
  }
  return isSquare
}

/** The point of an element. @param at - As the precompile takes it. @returns As reading points does. */
export function mapToG2(to: usize, at: usize): i32 {
  if (!readPair(u, at + PADDING, at + 2 * PADDING + NUMBER)) return NOT_IN_FIELD
  squareComplex(t1, u)
  multiplyComplex(third, t1, u)
  timesZ(t1, t1)
  squareComplex(t2, t1)
  add(t2, t2, t1)
  reduce(t2, t2)
  setOne<f64>(t3)
  add(t3, t2, t3)
  multiplyComplex(t3, t3, b)
  if (isAllZero(t2)) {
    setOne<f64>(t4)
    timesZ(t4, t4)
  } else {
    negate(t4, t2)
  }
  multiplyComplex(t4, t4, a)
  // The curve's right side at t₃ / t₄: t₂ / t₆.
  squareComplex(t2, t3)
  squareComplex(t6, t4)
  multiplyComplex(t5, t6, a)
  add(t2, t2, t5)
  multiplyComplex(t2, t2, t3)
  multiplyComplex(t6, t6, t4)
  multiplyComplex(t5, t6, b)
  add(t2, t2, t5)
  multiplyComplex(w, t2, t6)
  if (findRoot()) {
    copy(x, t3)
  } else {
    multiplyComplex(x, t1, t3)
    multiplyComplex(y, y, third)
  }
  invertComplex(t4, t4)
  multiplyComplex(x, x, t4)
  squareComplex(t5, t4)
  multiplyComplex(t5, t5, t4)
  multiplyComplex(y, y, t5)
  if (isOdd(u) != isOdd(y)) negate(y, y)
  let from = coefficients
  evaluate(t1, from, OF_X)
  from += OF_X * NUMBER_BYTES
  evaluate(t2, from, UNDER_X)
  from += UNDER_X * NUMBER_BYTES
  evaluate(t3, from, OF_Y)
  from += OF_Y * NUMBER_BYTES
  evaluate(t4, from, UNDER_Y)
  multiplyComplex(point, t1, t4)
  multiplyComplex(y, y, t3)
  multiplyComplex(point + Y_AT, y, t2)
  multiplyComplex(point + Z_AT, t2, t4)
  clearCofactor(to)
  return GOOD
}

/**
 * The point times what brings all of the curve into the group: [z² − z − 1]P + [z − 1]ψ(P) + ψ²(2P), where the parameter z is
 * negative.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9380#appendix-G.3 | RFC 9380}
 */
function clearCofactor(to: usize): void {
  doublePoint<f64>(to, point)
  applyPsi(to, to)
  applyPsi(to, to)
  applyPsi(shifted, point)
  negatePoint(shifted)
  addPoints<f64>(to, to, shifted)
  multiplyPoint<f64>(multiple, point, seed, 63)
  addPoints<f64>(to, to, multiple)
  // −[z]P − ψ(P), times −z.
  addPoints<f64>(shifted, shifted, multiple)
  multiplyPoint<f64>(shifted, shifted, seed, 63)
  addPoints<f64>(to, to, shifted)
  negatePoint(point)
  addPoints<f64>(to, to, point)
}

function negatePoint(at: usize): void {
  negate(at + Y_AT, at + Y_AT)
}
