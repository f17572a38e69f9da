import { invertScalarWords } from '../inversion/lehmer.ts'
import { addAll, addLater } from './additions.ts'
import { copy, FUSED, LANE_BYTES, LANES } from './field.ts'
import * as fusedProducts from './fused-products.ts'
import { invertNumbers, numberAt, zeroLanes } from './inversions.ts'
import { checkSignatures } from './key-checks.ts'
import { learnGenerator, learnPoint, MAX_KEYS, MAX_WIDE_KEYS, widenPart } from './key-tables.ts'
import { MAX_CHECKED, MAX_SIGNATURES } from './limits.ts'
import { addMultiples, sumAt as sumOfMultiples, writeScalar } from './multiples.ts'
import { addAffine, double, JACOBIAN_BYTES, toAffine, yOf, zOf } from './point.ts'
import {
  AFFINE_BYTES,
  EXCEPTIONAL,
  input,
  liftX,
  OUTCOME_AT,
  output,
  pick,
  places,
  pointTables,
  RECOVERED,
  signatureAt,
  unitsOf,
  writePoints,
} from './signatures.ts'
import { ENTRY_BYTES, fillTables, generatorTable, one, prepareTables } from './tables.ts'

/**
 * Recovers public keys from signatures, many at once: Q = u₁G + u₂R, with each scalar split in two halves by the curve's
 * endomorphism, and each half written in odd digits: (2d − 31) of 5 bits for R, (2d − 1023) of 10 bits for G. So no digit
 * is 0, and every signature takes the same steps: with two lanes, one of each two signatures is in each.
 *
 * The four points at a digit's place are added first, by affine additions that share their inversions with those of all
 * other places and signatures; so there is one Jacobian addition for five doublings.
 *
 * The biased halves of u₂ and of u₁ follow x in the input (32 bytes each, see key-recovery.ts).
 */
export { input, MAX_CHECKED, MAX_KEYS, MAX_SIGNATURES, MAX_WIDE_KEYS, output }

const U2_AT: usize = 32
const U1_AT: usize = 96
const HALF_BYTES: usize = 32

const POINT_ENTRIES: i32 = 16
const POINT_TABLE_BYTES: usize = <usize>POINT_ENTRIES * ENTRY_BYTES
const POINT_DIGIT_BITS: usize = 5
const GENERATOR_DIGIT_BITS: usize = 10
/** Digits of 5 bits: 130 bits a half. */
const DIGITS: i32 = 26
/** Digits of 10 bits. */
const GENERATOR_DIGITS: i32 = 13

const PLACES_BYTES: usize = <usize>(2 * DIGITS + 2 * GENERATOR_DIGITS) * AFFINE_BYTES
const sums = memory.data(MAX_SIGNATURES * 3 * LANE_BYTES, 16)

/** To be called once, before {@link recover}. @returns Whether this machine can run the module. */
export function prepare(): bool {
  if (FUSED && !fusedProducts.isFused()) return false
  prepareTables()
  return true
}

/** Address of the argument of {@link invertScalar}: four 64-bit words, the lowest first. */
export const scalar = memory.data(32, 16)

/** Replaces the scalar by its inverse modulo the order of the group. */
export function invertScalar(): void {
  invertScalarWords(scalar)
}

/** @param count - Signatures in the input: at least one, at most {@link MAX_SIGNATURES}. */
export function recover(count: i32): void {
  const units = unitsOf(count)
  for (let i = 0; i < units; i++) liftX(i, tableAt(i))
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

/** Multiplies the generator by the scalar that the first signature has instead of x. */
export function multiply(): void {
  learnGenerator()
  writeScalar(input, 0, input)
  addMultiples(1, false, false)
  writePoints(0, sumOfMultiples(0))
}

/**
 * Learns a key, for {@link check}. Its x and y are in the input, one behind the other.
 *
 * @param key - Below {@link MAX_KEYS}. What was learnt by that number is forgotten.
 */
export function learn(key: i32): void {
  learnPoint(key, input)
}

/**
 * Makes a part of the wide tables of a key that was learnt, or of the generator: {@link MAX_KEYS} and {@link MAX_WIDE_KEYS} are
 * its numbers. See {@link widenPart}.
 */
export function widen(wide: i32, key: i32, part: i32): bool {
  learnGenerator()
  return widenPart(wide, key, part)
}

/** See {@link checkSignatures}; wide tables only once the generator has them, too. */
export function check(count: i32, isWide: bool): void {
  learnGenerator()
  checkSignatures(count, isWide)
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

/** The multiple of λR that is added there. */
// @inline
function lambdaPlaceAt(unit: i32, i: i32): usize {
  return placeAt(unit, DIGITS + i)
}

/** The multiple of G that is added at every second place. */
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
    writePoints(i, sum)
  }
}
