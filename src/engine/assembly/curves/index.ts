/**
 * Arithmetic of curves for precompiled contracts: BN254 and P-256, or BLS12-381 if WIDE. The host writes constants and bytes, and
 * calls what takes a millisecond at most.
 */

import { invert } from '../inversion/lehmer.ts'
import { WIDE } from '../inversion/wide.ts'
import { addAffine } from './affine.ts'
import {
  beta,
  COORDINATE,
  decompressG1,
  GOOD,
  INFINITY,
  isInG1,
  isInG2,
  lift,
  NOT_IN_SUBGROUP,
  prepareGroups,
  readG1,
  readG2,
  readNumber,
  seed,
  sixth,
  writeG1,
  writeG2,
} from './groups.ts'
import { BITS, FIELD_BYTES, LIMBS, NUMBER_BYTES, prepareLimbs, useField } from './limbs.ts'
import { isogeny, mapToG1, prepareMapping } from './mapping.ts'
import { isogeny2, mapToG2, prepareMapping2 } from './mapping-g2.ts'
import { addMultiple1, addMultiple2, beginMultiples, sumOfMultiples1, sumOfMultiples2 } from './multiples.ts'
import { isZero, prepareNumbers, readPair } from './numbers.ts'
import { POINT_BYTES, p256B, useP256, Y_AT, Z_AT } from './paired.ts'
import {
  beginPairings as begin,
  isProductOne as isOne,
  loopDigits,
  MAX_PAIRS,
  multiplyPairings,
  nextPair,
  pairsTaken,
  seedDigits,
  setDigits,
  takePair,
} from './pairing.ts'
import {
  copyPoint,
  fillJointTable,
  firstTable,
  generatorTable,
  multiplyJointly,
  multiplySigned,
  secondTable,
  setInfinity,
} from './points.ts'
import { isFused, multiplyPairs } from './products.ts'
import { quarter } from './roots.ts'
import { negate, splat, subtract } from './sums.ts'

export {
  BITS,
  FIELD_BYTES,
  isFused,
  isogeny,
  isogeny2,
  LIMBS,
  loopDigits,
  MAX_PAIRS,
  multiplyPairings,
  pairsTaken,
  quarter,
  seed,
  seedDigits,
  setDigits,
  sixth,
}

/** Fields, as `limbs.ts` has them: the curve's, and P-256's; and the order of P-256's group in words. */
export const field = memory.data(FIELD_BYTES, 16)
export const p256Field = memory.data(FIELD_BYTES, 16)
export const p256Order = memory.data(64, 16)

export const input = memory.data(1024, 16)
export const output = memory.data(512, 16)
/** The scalars of the two lanes, in words. */
export const scalars = memory.data(64, 16)

const x = memory.data(128, 16)
const y = memory.data(128, 16)
const first = memory.data(384, 16)
const second = memory.data(384, 16)
const sum = memory.data(384, 16)

/** To be called once, when the host has written the constants: in the input β, and the b of P-256. */
export function prepare(): void {
  prepareLimbs()
  prepareNumbers()
  if (!WIDE) {
    useField(p256Field)
    readNumber(p256B, input + 64)
  }
  useField(field)
  readNumber(beta, input)
  prepareGroups()
  if (WIDE) {
    prepareMapping()
    prepareMapping2()
  }
}

/** Reads a point of the first group to `to`. */
function readPoint(to: usize, at: usize): i32 {
  const outcome = readG1(x, y, at)
  if (outcome == INFINITY) setInfinity<i32>(to)
  else lift<i32>(to, x, y)
  return outcome
}

/** Writes the sum of the two points in the input, in any subgroup. */
export function addG1(): i32 {
  return addAffine<i32>(output, input)
}

/** Multiples in a table of {@link multiplySigned}. */
const MULTIPLES: i32 = 17

/** Fills the tables for k₀P + k₁(x · β, y), where either may be negated. */
function fillTables(point: usize, negated: i32): void {
  copyPoint(second, point)
  if (negated & 1) negate(second + Y_AT, point + Y_AT)
  fillJointTable(firstTable, second, MULTIPLES)
  const isOpposite = negated == 1 || negated == 2
  for (let i: usize = 0; i < <usize>MULTIPLES; i++) {
    const from = firstTable + i * POINT_BYTES
    const to = secondTable + i * POINT_BYTES
    copyPoint(to, from)
    multiplyPairs(to, from, beta)
    if (isOpposite) negate(to + Y_AT, from + Y_AT)
  }
}

/**
 * Writes the point in the input times a scalar, whose halves are in the scalars: k₀P + k₁(x · β, y).
 *
 * @param negated - Bits 0 and 1: which of the halves are negative.
 */
export function multiplyG1(negated: i32): i32 {
  const outcome = readPoint(first, input)
  if (outcome > INFINITY) return outcome
  fillTables(first, negated)
  multiplySigned(sum, scalars, scalars + 32)
  writeG1(output, sum)
  return GOOD
}

export function beginPairings(): void {
  useField(field)
  begin()
}

/** Takes the pair in the input in. @param isChecked - Whether to check that its points are in the subgroups. @returns As reading points does; INFINITY if its pairing is one. */
export function addPair(isChecked: bool): i32 {
  const at = nextPair()
  const a = readG1(at, at + NUMBER_BYTES, input)
  if (a > INFINITY) return a
  if (WIDE && isChecked && a == GOOD && !isInG1(at, at + NUMBER_BYTES)) return NOT_IN_SUBGROUP
  const b = readG2(at + 2 * NUMBER_BYTES, at + 3 * NUMBER_BYTES, input + 2 * COORDINATE)
  if (b > INFINITY) return b
  if (isChecked && b == GOOD && !isInG2(at + 2 * NUMBER_BYTES, at + 3 * NUMBER_BYTES)) return NOT_IN_SUBGROUP
  if (a == INFINITY || b == INFINITY) return INFINITY
  takePair()
  return GOOD
}

/** Whether the product of all is one. */
export function isProductOne(): bool {
  multiplyPairings()
  return isOne()
}

/** Writes the sum of the two points of the second curve in the input, in any subgroup. */
export function addG2(): i32 {
  return addAffine<f64>(output, input)
}

/** Reads a point of the second curve to `to`. */
function readTwisted(to: usize, at: usize): i32 {
  const outcome = readG2(x, y, at)
  if (outcome == INFINITY) setInfinity<f64>(to)
  else lift<f64>(to, x, y)
  return outcome
}

/** Begins a sum of multiples of points of the first group, or of the second. */
export function beginSum(isSecond: bool): void {
  if (isSecond) beginMultiples<f64>()
  else beginMultiples<i32>()
}

/** Adds the point in the input times its scalar, whose halves are in the scalars: k₀P − k₁(x · β, y). */
export function addMultipleG1(): i32 {
  if (!WIDE) return NOT_IN_SUBGROUP
  const outcome = readPoint(first, input)
  if (outcome != GOOD) return outcome
  if (!isInG1(x, y)) return NOT_IN_SUBGROUP
  addMultiple1(first, scalars)
  return GOOD
}

/** Writes the sum. */
export function finishSumG1(): void {
  if (WIDE) writeG1(output, sumOfMultiples1())
}

/** Adds the point in the input times its scalar, which is four words, in base z: BLS12-381's parameter, without the sign. */
export function addMultipleG2(): i32 {
  if (!WIDE) return NOT_IN_SUBGROUP
  const outcome = readTwisted(first, input)
  if (outcome != GOOD) return outcome
  if (!isInG2(x, y)) return NOT_IN_SUBGROUP
  addMultiple2(first, scalars)
  return GOOD
}

/** Writes the sum. */
export function finishSumG2(): void {
  if (WIDE) writeG2(output, sumOfMultiples2())
}

/** Writes the point with the x in the input, in 48 bytes. @returns As reading points does. */
export function decompress(isLarger: bool): i32 {
  return WIDE ? decompressG1(input, output, isLarger) : NOT_IN_SUBGROUP
}

/** Writes the point of the first group for the element of the field in the input. */
export function mapG1(): i32 {
  if (!WIDE) return NOT_IN_SUBGROUP
  const outcome = mapToG1(sum, input)
  if (outcome == GOOD) writeG1(output, sum)
  return outcome
}

/** Writes the point of the second group for the element of the extension in the input. */
export function mapG2(): i32 {
  if (!WIDE) return NOT_IN_SUBGROUP
  const outcome = mapToG2(sum, input)
  if (outcome == GOOD) writeG2(output, sum)
  return outcome
}

/** Replaces the scalar by its inverse modulo the order of P-256's group. */
export function invertP256Scalar(): void {
  invert(scalars, p256Order)
}

/**
 * Whether u₁G + u₂Q has an x that is r modulo the group's order. G, Q, r and r + n are in the input, and u₁ and u₂ in the
 * scalars.
 *
 * @param hasOther - Whether r + n is below p.
 */
export function verifyP256(hasOther: bool): bool {
  useField(p256Field)
  useP256(true)
  const isValid = verify(hasOther)
  useP256(false)
  useField(field)
  return isValid
}

/** Whether the table of P-256's G is filled. */
let knowsGenerator: bool = false

/** Reads a point of P-256 to `to`. @returns Whether it is on the curve. */
function readP256(to: usize, at: usize): bool {
  if (!readPair(y, at, at + 32)) return false
  splat(to, y, 0)
  splat(to + Y_AT, y, 1)
  setInfinity<i32>(sum)
  const one = sum + Y_AT
  memory.copy(to + Z_AT, one, NUMBER_BYTES)
  // y² = x³ − 3x + b
  multiplyPairs(x, to, to)
  subtract(x, x, one)
  subtract(x, x, one)
  subtract(x, x, one)
  multiplyPairs(x, x, to)
  multiplyPairs(y, to + Y_AT, to + Y_AT)
  subtract(y, y, x)
  subtract(y, y, p256B)
  return isZero(y, 0)
}

function verify(hasOther: bool): bool {
  if (!knowsGenerator) {
    readP256(first, input)
    fillJointTable(generatorTable, first, 256)
    knowsGenerator = true
  }
  if (!readP256(first, input + 64)) return false
  fillJointTable(secondTable, first, 16)
  multiplyJointly(sum, generatorTable, 8, scalars, scalars + 32, 256)
  if (isZero(sum + Z_AT, 0)) return false
  return hasX(input + 128) || (hasOther && hasX(input + 160))
}

/** Whether the sum has an x. */
function hasX(at: usize): bool {
  readNumber(x, at)
  multiplyPairs(x, x, sum + Z_AT)
  subtract(x, x, sum)
  return isZero(x, 0)
}
