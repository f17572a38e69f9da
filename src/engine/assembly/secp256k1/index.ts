import { copy, isOdd, isZero, normalize, storeWords, writeBytes } from './limbs.ts'
import { addAffine, double, JACOBIAN_BYTES, toAffine, yOf, zOf } from './point.ts'
import { invertAll, MOST_INVERTED, squareRoot } from './powers.ts'
import { square } from './products.ts'
import { negate, subtract } from './sums.ts'
import {
  copyGenerator,
  curveRight,
  ENTRY_BYTES,
  fillTable,
  finishTable,
  generatorTable,
  lambdaXOf,
  one,
  prepareTables,
  startTwice,
} from './tables.ts'

/**
 * Recovers public keys from signatures, many at once: Q = u₁G + u₂R, with each scalar split in two halves by the curve's
 * endomorphism, and each half written in odd digits: (2d − 31) of 5 bits for R, (2d − 1023) of 10 bits for G. So no digit
 * is 0, and every step is the same addition.
 *
 * Input, {@link SIGNATURE_BYTES} each: x of R (32 bytes), then the biased halves of u₂ and of u₁ (32 bytes each, see
 * recover-keys.ts), all little-endian; then whether y of R is odd (u32).
 * Output: 64 bytes each, x ‖ y big-endian; and the {@link NO_KEY outcome} (u32) in the input, behind whether y is odd.
 */
export const SIGNATURE_BYTES: usize = 256
export const MOST_SIGNATURES: i32 = MOST_INVERTED / 16

/** No point has that x. */
export const NO_KEY: u32 = 0
export const RECOVERED: u32 = 1
/** Two points were equal or opposite on the way: the formulas do not hold then. */
export const EXCEPTIONAL: u32 = 2

const U2_AT: usize = 32
const U1_AT: usize = 96
const HALF_BYTES: usize = 32
const IS_ODD_AT: usize = 160
const OUTCOME_AT: usize = 164

const POINT_ENTRIES: i32 = 16
const POINT_TABLE_BYTES: usize = <usize>POINT_ENTRIES * ENTRY_BYTES
const POINT_DIGIT_BITS: usize = 5
const GENERATOR_DIGIT_BITS: usize = 10
/** Of 5 bits: 130 bits a half. */
const DIGITS: i32 = 26

export const input = memory.data(32768, 16)
export const output = memory.data(8192, 16)

const pointTables = memory.data(327680, 16)
const doubles = memory.data(15360, 16)
const sums = memory.data(15360, 16)

/** To be called once, before {@link recover}. */
export function prepare(): void {
  prepareTables()
}

/** @param count - Signatures in the input: at least one, at most {@link MOST_SIGNATURES}. */
export function recover(count: i32): void {
  for (let i = 0; i < count; i++) {
    const table = tableAt(i)
    liftX(table, signatureAt(i))
    startTwice(doubleAt(i), table)
  }
  makeAffine(doubles, count)
  for (let i = 0; i < count; i++) fillTable(tableAt(i), POINT_ENTRIES, doubleAt(i))
  invertAll(zOf(pointTables), count * POINT_ENTRIES, ENTRY_BYTES)
  finishTable(pointTables, count * POINT_ENTRIES)

  for (let i = 0; i < count; i++) {
    sum(sumAt(i), signatureAt(i), tableAt(i))
    markExceptional(sumAt(i), signatureAt(i))
  }
  makeAffine(sums, count)
  for (let i = 0; i < count; i++) writePoint(output + ((<usize>i) << 6), sumAt(i))
}

// @inline
function signatureAt(i: i32): usize {
  return input + <usize>i * SIGNATURE_BYTES
}

// @inline
function tableAt(i: i32): usize {
  return pointTables + <usize>i * POINT_TABLE_BYTES
}

// @inline
function doubleAt(i: i32): usize {
  return doubles + <usize>i * JACOBIAN_BYTES
}

// @inline
function sumAt(i: i32): usize {
  return sums + <usize>i * JACOBIAN_BYTES
}

function makeAffine(points: usize, count: i32): void {
  invertAll(zOf(points), count, JACOBIAN_BYTES)
  for (let i = 0; i < count; i++) {
    const point = points + <usize>i * JACOBIAN_BYTES
    toAffine(point, zOf(point))
  }
}

const right = memory.data(40, 16)
const difference = memory.data(40, 16)

/**
 * The point R. Where no point has that x it is the generator: a point off the curve might end at infinity, and would
 * spoil the inversions of all the others.
 */
function liftX(to: usize, signature: usize): void {
  const y = yOf(to)
  storeWords(to, load<u64>(signature), load<u64>(signature, 8), load<u64>(signature, 16), load<u64>(signature, 24))
  curveRight(right, to)
  squareRoot(y, right)
  square(difference, y)
  subtract(difference, difference, right)
  normalize(difference, difference)
  if (!isZero(difference)) {
    store<u32>(signature, NO_KEY, OUTCOME_AT)
    copyGenerator(to)
    return
  }
  store<u32>(signature, RECOVERED, OUTCOME_AT)
  normalize(y, y)
  if (isOdd(y) == (load<u32>(signature, IS_ODD_AT) != 0)) return
  negate(y, y)
  normalize(y, y)
}

const negatedY = memory.data(40, 16)

/** u₁G + u₂R, from the highest digits down; the generator's are twice as wide and come every second time. */
function sum(to: usize, signature: usize, table: usize): void {
  for (let digit = DIGITS - 1; digit >= 0; digit--) {
    const bit = <usize>digit * POINT_DIGIT_BITS
    const isFirst = digit == DIGITS - 1
    if (!isFirst) for (let i: usize = 0; i < POINT_DIGIT_BITS; i++) double(to)
    for (let half: usize = 0; half < 2; half++) {
      const entries = signature + U2_AT + half * HALF_BYTES
      addDigit(to, table, digitAt(entries, bit, POINT_DIGIT_BITS), POINT_DIGIT_BITS, half != 0, isFirst && half == 0)
    }
    if (digit & 1) continue
    for (let half: usize = 0; half < 2; half++) {
      const entries = signature + U1_AT + half * HALF_BYTES
      addDigit(to, generatorTable, digitAt(entries, bit, GENERATOR_DIGIT_BITS), GENERATOR_DIGIT_BITS, half != 0, false)
    }
  }
}

/**
 * Adds (2 · digit + 1 − 2^bits) times the point of a table of its odd multiples.
 *
 * @param isLambda - Times λ as well.
 * @param isFirst - Nothing was added before.
 */
// @inline
function addDigit(to: usize, table: usize, digit: u32, bits: usize, isLambda: bool, isFirst: bool): void {
  const middle: u32 = 1 << (<u32>bits - 1)
  const isNegative = digit < middle
  const entry = table + <usize>(isNegative ? middle - 1 - digit : digit - middle) * ENTRY_BYTES
  const x = isLambda ? lambdaXOf(entry) : entry
  let y = yOf(entry)
  if (isNegative) {
    negate(negatedY, y)
    y = negatedY
  }
  if (isFirst) {
    copy(to, x)
    copy(yOf(to), y)
    copy(zOf(to), one)
  } else {
    addAffine(to, to, x, y)
  }
}

// @inline
function digitAt(half: usize, bit: usize, bits: usize): u32 {
  return (load<u32>(half + (bit >> 3)) >> (<u32>bit & 7)) & ((1 << (<u32>bits)) - 1)
}

const z = memory.data(40, 16)

function markExceptional(point: usize, signature: usize): void {
  normalize(z, zOf(point))
  if (!isZero(z)) return
  if (load<u32>(signature, OUTCOME_AT) == RECOVERED) store<u32>(signature, EXCEPTIONAL, OUTCOME_AT)
  copy(zOf(point), one)
}

function writePoint(to: usize, point: usize): void {
  normalize(point, point)
  normalize(yOf(point), yOf(point))
  writeBytes(to, point)
  writeBytes(to + 32, yOf(point))
}
