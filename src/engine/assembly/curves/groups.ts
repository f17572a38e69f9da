/** The two groups of a pairing curve: BN254, or BLS12-381 if WIDE. Points of the host, in and out, and checks of them. */

import { WIDE } from '../inversion/wide.ts'
import { modulus, ONE_AT } from './limbs.ts'
import {
  invertComplex,
  invertFirst,
  isAllZero,
  isBelow,
  isZero,
  readPair,
  squareComplex,
  wordsOf,
  writePair,
} from './numbers.ts'
import { Y_AT, Z_AT } from './paired.ts'
import { addPoints, copyPoint, doublePoint, multiplyPoint, setOne, tripleB } from './points.ts'
import { multiplyComplex, multiplyPairs } from './products.ts'
import { raise } from './roots.ts'
import { add, blend, conjugate, copy, join, multiplyByRoot, negate, reduce, scale, splat, subtract } from './sums.ts'
import { frobeniusAt, prepareFrobenius } from './tower.ts'

/** What reading a point tells. */
export const GOOD: i32 = 0
export const INFINITY: i32 = 1
export const NOT_IN_FIELD: i32 = 2
export const NOT_ON_CURVE: i32 = 3
export const NOT_IN_SUBGROUP: i32 = 4

/** Bytes of a coordinate over the base field, and those of them that are always zero. */
export const COORDINATE: usize = WIDE ? 64 : 32
const PADDING: usize = WIDE ? 16 : 0
/** Where a coordinate over the extension has its real and its imaginary part. */
const REAL: usize = WIDE ? 0 : COORDINATE
const IMAGINARY: usize = WIDE ? COORDINATE : 0

/** b of both curves. */
const b1 = memory.data(128, 16)
const b2 = memory.data(128, 16)
/** (x, y) → (x · β, y) multiplies in the first group. */
export const beta = memory.data(128, 16)
/** (x, y) → (x̄ · ψₓ, ȳ · ψᵧ) multiplies in the second group. */
const psiX = memory.data(128, 16)
const psiY = memory.data(128, 16)
/** The absolute value of the curve's parameter. */
export const seed = memory.data(16, 16)
const SEED_TOP: i32 = WIDE ? 63 : 62

const t = memory.data(128, 16)
const u = memory.data(128, 16)
const v = memory.data(128, 16)

/** (p − 1) / 6 in words. */
export const sixth = memory.data(48, 16)
const SIXTH_TOP: i32 = WIDE ? 378 : 251

/** Whatever follows from the field, the parameter, β and (p − 1) / 6, which the host has written. */
export function prepareGroups(): void {
  const one = modulus + ONE_AT
  scale(b1, one, WIDE ? 4 : 3)
  const xi = u
  setOne<f64>(t)
  multiplyByRoot(xi, t, WIDE ? 1 : 9)
  reduce(xi, xi)
  const first = frobeniusAt(1, 1)
  copy(first, xi)
  for (let bit = SIXTH_TOP - 1; bit >= 0; bit--) {
    squareComplex(first, first)
    if (((load<u64>(sixth + ((<usize>bit >> 6) << 3)) >> (<u64>bit & 63)) & 1) != 0) multiplyComplex(first, first, xi)
  }
  prepareFrobenius()
  if (WIDE) {
    scale(b2, xi, 4)
    reduce(b2, b2)
    invertComplex(psiX, frobeniusAt(1, 2))
    invertComplex(psiY, frobeniusAt(1, 3))
  } else {
    invertComplex(b2, xi)
    scale(b2, b2, 3)
    reduce(b2, b2)
    scale(tripleB, b2, 3)
    reduce(tripleB, tripleB)
    copy(psiX, frobeniusAt(1, 2))
    copy(psiY, frobeniusAt(1, 3))
  }
}

function isZeroBytes(at: usize, size: usize): bool {
  let all: u64 = 0
  for (let i: usize = 0; i < size; i += 8) all |= load<u64>(at + i)
  return all == 0
}

/** Reads two coordinates. @returns Whether both are below p. */
function readCoordinates(to: usize, first: usize, second: usize): bool {
  if (WIDE && !(isZeroBytes(first, PADDING) && isZeroBytes(second, PADDING))) return false
  return readPair(to, first + PADDING, second + PADDING)
}

/** Reads a point of the first group, both lanes of whose coordinates are the same. */
export function readG1(x: usize, y: usize, at: usize): i32 {
  if (isZeroBytes(at, 2 * COORDINATE)) return INFINITY
  if (!readCoordinates(t, at, at + COORDINATE)) return NOT_IN_FIELD
  splat(x, t, 0)
  splat(y, t, 1)
  // x², y² and x³.
  multiplyPairs(u, t, t)
  splat(v, u, 1)
  multiplyPairs(t, u, t)
  splat(u, t, 0)
  subtract(v, v, u)
  subtract(v, v, b1)
  return isZero(v, 0) ? GOOD : NOT_ON_CURVE
}

/** Reads a point of the second curve, in its subgroup or not. */
export function readG2(x: usize, y: usize, at: usize): i32 {
  if (isZeroBytes(at, 4 * COORDINATE)) return INFINITY
  if (!readCoordinates(x, at + REAL, at + IMAGINARY)) return NOT_IN_FIELD
  if (!readCoordinates(y, at + 2 * COORDINATE + REAL, at + 2 * COORDINATE + IMAGINARY)) return NOT_IN_FIELD
  squareComplex(t, x)
  multiplyComplex(t, t, x)
  squareComplex(u, y)
  subtract(u, u, t)
  subtract(u, u, b2)
  return isAllZero(u) ? GOOD : NOT_ON_CURVE
}

const point = memory.data(384, 16)
const multiple = memory.data(384, 16)
const sum = memory.data(384, 16)

/** The point that was read, with Z = 1. */
export function lift<F>(to: usize, x: usize, y: usize): void {
  copy(to, x)
  copy(to + Y_AT, y)
  setOne<F>(to + Z_AT)
}

export function applyPsi(to: usize, p: usize): void {
  conjugate(to, p)
  multiplyComplex(to, to, psiX)
  conjugate(to + Y_AT, p + Y_AT)
  multiplyComplex(to + Y_AT, to + Y_AT, psiY)
  conjugate(to + Z_AT, p + Z_AT)
}

/** Whether Z is 0. */
function isInfinity<F>(p: usize): bool {
  return isFloat<F>() ? isAllZero(p + Z_AT) : isZero(p + Z_AT, 0)
}

/** Whether a point of the second curve is in the subgroup. */
export function isInG2(x: usize, y: usize): bool {
  lift<f64>(point, x, y)
  multiplyPoint<f64>(multiple, point, seed, SEED_TOP)
  if (WIDE) {
    // ψ(P) = [z]P, where z is negative.
    applyPsi(sum, point)
    addPoints<f64>(sum, sum, multiple)
  } else {
    // [z + 1]P + ψ([z]P) + ψ²([z]P) = ψ³([2z]P).
    addPoints<f64>(sum, multiple, point)
    applyPsi(multiple, multiple)
    addPoints<f64>(sum, sum, multiple)
    applyPsi(multiple, multiple)
    addPoints<f64>(sum, sum, multiple)
    applyPsi(multiple, multiple)
    doublePoint<f64>(multiple, multiple)
    negate(multiple + Y_AT, multiple + Y_AT)
    addPoints<f64>(sum, sum, multiple)
  }
  return isInfinity<f64>(sum)
}

/** Whether a point of BLS12-381's first curve is in the subgroup: whether (x · β, y) is [−z²]P. */
export function isInG1(x: usize, y: usize): bool {
  lift<i32>(point, x, y)
  multiplyPoint<i32>(multiple, point, seed, SEED_TOP)
  multiplyPoint<i32>(multiple, multiple, seed, SEED_TOP)
  copyPoint(sum, point)
  multiplyPairs(sum, sum, beta)
  addPoints<i32>(sum, sum, multiple)
  return isInfinity<i32>(sum)
}

/**
 * The point of BLS12-381's first curve with an x and the larger or the smaller of two y.
 *
 * @param at - x in 48 bytes; where the point is written to.
 */
export function decompressG1(at: usize, to: usize, isLarger: bool): i32 {
  if (!readPair(t, at, at)) return NOT_IN_FIELD
  multiplyPairs(u, t, t)
  multiplyPairs(u, u, t)
  add(u, u, b1)
  reduce(u, u)
  raise(v, u, 0)
  multiplyPairs(point, v, v)
  subtract(point, point, u)
  if (!isZero(point, 0)) return NOT_ON_CURVE
  negate(u, v)
  blend(v, v, u)
  memory.fill(to, 0, 2 * COORDINATE)
  // y and −y, of which one is the larger.
  writePair(to + COORDINATE + PADDING, to + PADDING, v)
  wordsOf(point, to + COORDINATE + PADDING)
  wordsOf(point + 64, to + PADDING)
  if (isBelow(point, point + 64) == isLarger) memory.copy(to + COORDINATE, to, COORDINATE)
  writePair(to + PADDING, to + PADDING, t)
  return GOOD
}

/** Writes a point of the first group: that of the first lane. */
export function writeG1(to: usize, p: usize): void {
  if (isInfinity<i32>(p)) {
    memory.fill(to, 0, 2 * COORDINATE)
    return
  }
  invertFirst(u, p + Z_AT)
  join(t, p, p + Y_AT)
  multiplyPairs(t, t, u)
  writeCoordinates(to, t)
}

/** Writes the coordinates of a point of the first group, x in the first lane. */
export function writeCoordinates(to: usize, a: usize): void {
  if (WIDE) memory.fill(to, 0, 2 * COORDINATE)
  writePair(to + PADDING, to + COORDINATE + PADDING, a)
}

/** Writes a point of the second group. */
export function writeG2(to: usize, p: usize): void {
  if (isInfinity<f64>(p)) {
    memory.fill(to, 0, 4 * COORDINATE)
    return
  }
  invertComplex(u, p + Z_AT)
  multiplyComplex(t, p, u)
  writeComplex(to, t)
  multiplyComplex(t, p + Y_AT, u)
  writeComplex(to + 2 * COORDINATE, t)
}

/** Writes a coordinate over the extension. */
export function writeComplex(to: usize, a: usize): void {
  if (WIDE) memory.fill(to, 0, 2 * COORDINATE)
  writePair(to + REAL + PADDING, to + IMAGINARY + PADDING, a)
}

/** The bytes of a number in both lanes. @returns Whether it is below p. */
export function readNumber(to: usize, at: usize): bool {
  return readPair(to, at, at)
}
