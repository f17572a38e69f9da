/**
 * Sums of multiples of known points: a multiple of the generator, alone or with one of a key. Each digit of the scalars is a term,
 * see `key-tables.ts`.
 *
 * As long as many can be added at once they are added in pairs, by affine additions that share an inversion; the rest one after
 * the other. Of a single sum, with two lanes, each lane adds up half of the terms.
 */
import { addAll, addLater } from './additions.ts'
import { copy, FIELD_BYTES, join, joinWords, LANE_BYTES, LANES, negateIn } from './field.ts'
import { invertNumbers, numberAt, zeroLanes } from './inversions.ts'
import { bitsOf, digitsOf, entryAt, MAX_KEYS, MAX_WIDE_KEYS, PACKED_Y_AT, tablesOf } from './key-tables.ts'
import { MAX_CHECKED } from './limits.ts'
import { yOf, zOf } from './point.ts'
import { halveOdd } from './scalars.ts'
import {
  AFFINE_BYTES,
  EXCEPTIONAL,
  OUTCOME_AT,
  places,
  RECOVERED,
  SIGNATURE_BYTES,
  signatureAt,
  unitsOf,
} from './signatures.ts'
import { one } from './tables.ts'
import { addAffineTo, addPoints, toAffineFrom, XYZZ_BYTES, zzzOf } from './xyzz.ts'

/** The number of the signature's key. */
export const KEY_AT: usize = 96
// What is written for each scalar: half of it, without its sign, and zeros behind it (40 bytes); and whether it is negative.
const HALVES_AT: usize = 168
const HALF_BYTES: usize = 40
const IS_NEGATIVE_AT: usize = 36

/** Fewer additions than these are done one after the other sooner than an inversion takes. */
const MIN_ADDITIONS: i32 = LANES == 2 ? 21 : 15

const sums = memory.data(MAX_CHECKED * 4 * LANE_BYTES, 16)

/**
 * Writes a scalar to a signature.
 *
 * @param i - 0 for the multiple of the generator, 1 for that of the key.
 */
export function writeScalar(signature: usize, i: usize, scalar: usize): void {
  const half = signature + HALVES_AT + i * HALF_BYTES
  store<u32>(half, halveOdd(half, scalar), IS_NEGATIVE_AT)
  store<u32>(half, 0, IS_NEGATIVE_AT - 4)
}

let isWide: bool = false
let hasKeys: bool = false
let isSplit: bool = false
/** Terms of a unit. */
let terms: i32 = 0

/**
 * Adds up the terms of signatures. What becomes {@link EXCEPTIONAL} had terms that were equal or opposite; the others are
 * {@link RECOVERED}.
 *
 * @param count - At most {@link MAX_CHECKED}.
 * @param wide - Whether the tables are the wide ones.
 * @param withKeys - Whether there is a multiple of a key, too.
 * @returns How many units there are; {@link sumAt} has their sums.
 */
export function addMultiples(count: i32, wide: bool, withKeys: bool): i32 {
  isWide = wide
  hasKeys = withKeys
  isSplit = LANES == 2 && count == 1
  terms = digitsOf(wide, true)
  if (withKeys) terms += digitsOf(wide, false)
  if (isSplit) terms >>= 1
  for (let i = 0; i < count; i++) store<u32>(signatureAt(i), RECOVERED, OUTCOME_AT)
  const units = unitsOf(count)
  for (let i = 0; i < units; i++) pickTerms(i)
  let left = terms
  for (; units * (left >> 1) >= MIN_ADDITIONS && left > 1; left = (left + 1) >> 1) addPairs(units, left)
  for (let i = 0; i < units; i++) addTerms(i, left)
  if (isSplit) {
    // The other lane's sum comes into this one.
    for (let i: usize = 0; i < XYZZ_BYTES; i += FIELD_BYTES) join(places + i, sums + i + 8, sums + i - 8)
    addPoints(sums, places)
  }
  for (let i = 0; i < units; i++) copy(numberAt(i), zzzOf(sumAt(i)))
  if (invertNumbers(units)) for (let i = 0; i < units; i++) markExceptional(i, zeroLanes(i))
  for (let i = 0; i < units; i++) toAffineFrom(sumAt(i), numberAt(i))
  return units
}

/** The sum of a unit, an affine point. */
// @inline
export function sumAt(unit: i32): usize {
  return sums + <usize>unit * XYZZ_BYTES
}

// @inline
function termAt(unit: i32, i: i32): usize {
  return places + <usize>(unit * terms + i) * AFFINE_BYTES
}

function markExceptional(unit: i32, lanes: u32): void {
  for (let lane = 0; lane < LANES; lane++) {
    if ((lanes >> lane) & 1) store<u32>(signatureAt(isSplit ? 0 : unit * LANES + lane), EXCEPTIONAL, OUTCOME_AT)
  }
}

function pickTerms(unit: i32): void {
  const first = signatureAt(isSplit ? 0 : unit * LANES)
  findEntries(first, entries)
  let others = entries + <usize>terms * 4
  if (LANES == 2 && !isSplit) findEntries(first + SIGNATURE_BYTES, others)
  if (LANES == 1) others = entries
  for (let i = 0; i < terms; i++) {
    const term = termAt(unit, i)
    const found = load<u32>(entries + <usize>i * 4)
    const other = load<u32>(others + <usize>i * 4)
    const entry = <usize>(found & ~1)
    const second = <usize>(other & ~1)
    joinWords(term, entry, second)
    joinWords(yOf(term), entry + PACKED_Y_AT, second + PACKED_Y_AT)
    negateIn(yOf(term), yOf(term), (found & 1) | ((other & 1) << 1))
  }
}

/** The addresses of the entries of a unit's terms, each one more where the term is the negative of it. */
const entries = memory.data(2 * 104 * 4, 16)
const touched = memory.data(8, 8)

/** Finds the entries of a signature's terms, the generator's first. */
function findEntries(signature: usize, to: usize): void {
  const half = signature + HALVES_AT
  findDigits(half, true, isWide ? MAX_WIDE_KEYS : MAX_KEYS, to)
  if (!hasKeys) return
  const ofGenerator = <usize>digitsOf(isWide, true)
  findDigits(half + HALF_BYTES, false, load<i32>(signature, KEY_AT), to + ofGenerator * 4)
}

/** Touches entries without waiting for one before it asks for the next: most of them are far from the processor. */
function findDigits(half: usize, isGenerator: bool, point: i32, to: usize): void {
  const bits = bitsOf(isWide, isGenerator)
  const digits = digitsOf(isWide, isGenerator)
  const tables = tablesOf(isWide, point)
  const isNegative = load<u32>(half, IS_NEGATIVE_AT)
  const middle: u32 = 1 << (<u32>bits - 1)
  let all: u64 = 0
  for (let place = 0; place < digits; place++) {
    const bit = <usize>place * bits
    let digit = (load<u32>(half + (bit >> 3)) >> (<u32>bit & 7)) & (2 * middle - 1)
    // Odd digits add up to the scalar if its half has the highest bit of all digits as well.
    if (place == digits - 1) digit |= middle
    const isBelow: u32 = digit < middle ? 1 : 0
    // digit − middle, or middle − 1 − digit.
    const entry = entryAt(tables, bits, place, (digit - middle) ^ (0 - isBelow))
    all |= load<u64>(entry)
    store<u32>(to + <usize>place * 4, <u32>entry | (isBelow ^ isNegative))
  }
  store<u64>(touched, all)
}

/** Adds the later half of the terms to the earlier one. */
function addPairs(units: i32, left: i32): void {
  const pairs = left >> 1
  for (let i = 0; i < units; i++) {
    for (let k = 0; k < pairs; k++) addLater(termAt(i, k), termAt(i, k), termAt(i, left - 1 - k))
  }
  if (addAll()) for (let i = 0; i < units * pairs; i++) markExceptional(i / pairs, zeroLanes(i))
}

/** Adds up what is left of a unit's terms. */
function addTerms(unit: i32, left: i32): void {
  const sum = sumAt(unit)
  memory.copy(sum, termAt(unit, 0), AFFINE_BYTES)
  memory.copy(zOf(sum), one, FIELD_BYTES)
  memory.copy(zzzOf(sum), one, FIELD_BYTES)
  for (let i = 1; i < left; i++) addAffineTo(sum, termAt(unit, i))
}
