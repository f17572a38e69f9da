import { addAll, addLater } from './additions.ts'
import {
  copy,
  FIELD_BYTES,
  FUSED,
  isOdd,
  isZero,
  join,
  LANES,
  loadWords,
  negateIn,
  normalize,
  square,
  storeWords,
  subtract,
} from './field.ts'
import * as fusedProducts from './fused-products.ts'
import { invertNumbers, numberAt, zeroLanes } from './inversions.ts'
import { addAffine, double, JACOBIAN_BYTES, toAffine, yOf, zOf } from './point.ts'
import { squareRoot } from './powers.ts'
import { invertScalarWords } from './safegcd.ts'
import { curveRight, ENTRY_BYTES, fillTables, generatorTable, lambdaXOf, one, prepareTables } from './tables.ts'

/**
 * Recovers public keys from signatures, many at once: Q = u₁G + u₂R, with each scalar split in two halves by the curve's
 * endomorphism, and each half written in odd digits: (2d − 31) of 5 bits for R, (2d − 1023) of 10 bits for G. So no digit
 * is 0, and every signature takes the same steps: with two lanes, one of each two signatures is in each.
 *
 * The four points at a digit's place are added first, by affine additions that share their inversions with those of all
 * other places and signatures; so there is one Jacobian addition for five doublings.
 *
 * Input, {@link SIGNATURE_BYTES} each: x of R (32 bytes), then the biased halves of u₂ and of u₁ (32 bytes each, see
 * recover-keys.ts), all little-endian; then whether y of R is odd (u32).
 * Output: 64 bytes each, x ‖ y big-endian; and the {@link NO_KEY outcome} (u32) in the input, behind whether y is odd.
 */
export const SIGNATURE_BYTES: usize = 256
export const MOST_SIGNATURES: i32 = 64

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
/** Of 10 bits. */
const GENERATOR_DIGITS: i32 = 13

export const input = memory.data(16384, 16)
export const output = memory.data(4096, 16)

// For each signature, or two of them side by side, a unit: a table; the points at the digits' places; their sum.
const pointTables = memory.data(122880, 16)
const AFFINE_BYTES: usize = 2 * FIELD_BYTES
const PLACES_BYTES: usize = <usize>(2 * DIGITS + 2 * GENERATOR_DIGITS) * AFFINE_BYTES
const places = memory.data(399360, 16)
const sums = memory.data(7680, 16)

/** To be called once, before {@link recover}. @returns Whether this machine can run the module. */
export function prepare(): bool {
  if (FUSED && !fusedProducts.isFused()) return false
  prepareTables()
  return true
}

/** Where a scalar is put for {@link invertScalar}: four 64-bit words, the lowest first. */
export const scalar = memory.data(32, 16)

/** Replaces the scalar by its inverse modulo the order of the group. */
export function invertScalar(): void {
  invertScalarWords(scalar)
}

/** @param count - Signatures in the input: at least one, at most {@link MOST_SIGNATURES}. */
export function recover(count: i32): void {
  // An odd one stands in both lanes.
  if (LANES == 2 && count & 1) memory.copy(signatureAt(count), signatureAt(count - 1), SIGNATURE_BYTES)
  const units = (count + LANES - 1) / LANES
  for (let i = 0; i < units; i++) liftX(i)
  fillTables(pointTables, units, POINT_ENTRIES)
  for (let i = 0; i < units; i++) addAtPlaces(i)
  addAll()
  for (let i = 0; i < units; i++) addGeneratorAtPlaces(i)
  if (addAll()) {
    for (let i = 0; i < units * GENERATOR_DIGITS; i++) markExceptional(i / GENERATOR_DIGITS, zeroLanes(i))
  }
  for (let i = 0; i < units; i++) addPlaces(i)
  writeKeys(units)
}

// @inline
function signatureAt(i: i32): usize {
  return input + <usize>i * SIGNATURE_BYTES
}

// @inline
function tableAt(unit: i32): usize {
  return pointTables + <usize>unit * POINT_TABLE_BYTES
}

/** The sum of the points at a place, in the end; there are {@link DIGITS} of them. */
// @inline
function placeAt(unit: i32, i: i32): usize {
  return places + <usize>unit * PLACES_BYTES + <usize>i * AFFINE_BYTES
}

/** What is added there of λR. */
// @inline
function lambdaPlaceAt(unit: i32, i: i32): usize {
  return placeAt(unit, DIGITS + i)
}

/** What is added at every second place, of G. */
// @inline
function generatorPlaceAt(unit: i32, i: i32): usize {
  return placeAt(unit, 2 * DIGITS + i)
}

// @inline
function lambdaGeneratorPlaceAt(unit: i32, i: i32): usize {
  return placeAt(unit, 2 * DIGITS + GENERATOR_DIGITS + i)
}

// @inline
function sumAt(unit: i32): usize {
  return sums + <usize>unit * JACOBIAN_BYTES
}

function markExceptional(unit: i32, lanes: u32): void {
  for (let lane = 0; lane < LANES; lane++) {
    const signature = signatureAt(unit * LANES + lane)
    if (!((lanes >> lane) & 1) || load<u32>(signature, OUTCOME_AT) != RECOVERED) continue
    store<u32>(signature, EXCEPTIONAL, OUTCOME_AT)
  }
}

const right = memory.data(80, 16)
const difference = memory.data(80, 16)

/**
 * The points R, as the first entries of tables. Where no point has that x it is the generator: a point off the curve might
 * end at infinity, and would spoil the inversions of all the others.
 */
function liftX(unit: i32): void {
  const x = tableAt(unit)
  const y = yOf(x)
  for (let lane = 0; lane < LANES; lane++) {
    const signature = signatureAt(unit * LANES + lane)
    storeWords(
      x,
      lane,
      load<u64>(signature),
      load<u64>(signature, 8),
      load<u64>(signature, 16),
      load<u64>(signature, 24),
    )
  }
  curveRight(right, x)
  squareRoot(y, right)
  square(difference, y)
  subtract(difference, difference, right)
  normalize(difference, difference)
  normalize(y, y)
  let negated: u32 = 0
  for (let lane = 0; lane < LANES; lane++) {
    const signature = signatureAt(unit * LANES + lane)
    const isOn = isZero(difference, lane)
    store<u32>(signature, isOn ? RECOVERED : NO_KEY, OUTCOME_AT)
    if (isOn) {
      if (isOdd(y, lane) != (load<u32>(signature, IS_ODD_AT) != 0)) negated |= 1 << lane
    } else {
      replaceLane(x, generatorTable, lane)
      replaceLane(y, yOf(generatorTable), lane)
    }
  }
  negateIn(y, y, negated)
}

// @inline
function replaceLane(to: usize, from: usize, lane: i32): void {
  if (lane) join(to, to, from)
  else join(to, from, to)
}

/** Picks the points at each place; R and λR, and G and λG, are never equal or opposite there, whatever R is. */
function addAtPlaces(unit: i32): void {
  const table = tableAt(unit)
  for (let i = 0; i < DIGITS; i++) {
    const bit = <usize>i * POINT_DIGIT_BITS
    const place = placeAt(unit, i)
    const lambdaPlace = lambdaPlaceAt(unit, i)
    pick(place, unit, table, U2_AT, bit, POINT_DIGIT_BITS, false)
    pick(lambdaPlace, unit, table, U2_AT + HALF_BYTES, bit, POINT_DIGIT_BITS, true)
    addLater(place, place, lambdaPlace)
  }
  for (let i = 0; i < GENERATOR_DIGITS; i++) {
    const bit = <usize>i * GENERATOR_DIGIT_BITS
    const place = generatorPlaceAt(unit, i)
    const lambdaPlace = lambdaGeneratorPlaceAt(unit, i)
    pick(place, unit, generatorTable, U1_AT, bit, GENERATOR_DIGIT_BITS, false)
    pick(lambdaPlace, unit, generatorTable, U1_AT + HALF_BYTES, bit, GENERATOR_DIGIT_BITS, true)
    addLater(place, place, lambdaPlace)
  }
}

/**
 * (2 · digit + 1 − 2^bits) times the point of a table of its odd multiples, and times λ.
 *
 * @param half - Where the scalar's half stands in the signature.
 */
// @inline
function pick(to: usize, unit: i32, table: usize, half: usize, bit: usize, bits: usize, isLambda: bool): void {
  const middle: u32 = 1 << (<u32>bits - 1)
  const digit = digitAt(signatureAt(unit * LANES) + half, bit, bits)
  const first = table + <usize>(digit < middle ? middle - 1 - digit : digit - middle) * ENTRY_BYTES
  let negative: u32 = digit < middle ? 1 : 0
  let second = first
  if (LANES == 2) {
    const other = digitAt(signatureAt(unit * LANES + 1) + half, bit, bits)
    second = table + <usize>(other < middle ? middle - 1 - other : other - middle) * ENTRY_BYTES
    if (other < middle) negative |= 2
  }
  join(to, isLambda ? lambdaXOf(first) : first, isLambda ? lambdaXOf(second) : second)
  join(yOf(to), yOf(first), yOf(second))
  negateIn(yOf(to), yOf(to), negative)
}

// @inline
function digitAt(half: usize, bit: usize, bits: usize): u32 {
  return (load<u32>(half + (bit >> 3)) >> (<u32>bit & 7)) & ((1 << (<u32>bits)) - 1)
}

/** In the order of the signatures, and of places of one: what fails is found by it. */
function addGeneratorAtPlaces(unit: i32): void {
  for (let i = 0; i < GENERATOR_DIGITS; i++)
    addLater(placeAt(unit, 2 * i), placeAt(unit, 2 * i), generatorPlaceAt(unit, i))
}

/** From the highest digits down. */
function addPlaces(unit: i32): void {
  const sum = sumAt(unit)
  const highest = placeAt(unit, DIGITS - 1)
  copy(sum, highest)
  copy(yOf(sum), yOf(highest))
  copy(zOf(sum), one)
  for (let i = DIGITS - 2; i >= 0; i--) {
    for (let bit: usize = 0; bit < POINT_DIGIT_BITS; bit++) double(sum)
    addAffine(sum, placeAt(unit, i))
  }
}

function writeKeys(units: i32): void {
  for (let i = 0; i < units; i++) copy(numberAt(i), zOf(sumAt(i)))
  if (invertNumbers(units)) for (let i = 0; i < units; i++) markExceptional(i, zeroLanes(i))
  for (let i = 0; i < units; i++) {
    const sum = sumAt(i)
    toAffine(sum, numberAt(i))
    normalize(sum, sum)
    normalize(yOf(sum), yOf(sum))
    for (let lane = 0; lane < LANES; lane++) {
      const to = output + ((<usize>(i * LANES + lane)) << 6)
      writeBytes(to, sum, lane)
      writeBytes(to + 32, yOf(sum), lane)
    }
  }
}

const words = memory.data(32, 16)

/** Writes the 32 bytes that spell a normalized number, the highest first. */
function writeBytes(to: usize, a: usize, lane: i32): void {
  loadWords(words, a, lane)
  store<u64>(to, bswap<u64>(load<u64>(words, 24)))
  store<u64>(to, bswap<u64>(load<u64>(words, 16)), 8)
  store<u64>(to, bswap<u64>(load<u64>(words, 8)), 16)
  store<u64>(to, bswap<u64>(load<u64>(words)), 24)
}
