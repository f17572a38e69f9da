import { addAll, addLater } from './additions.ts'
import { copy, FUSED, LANE_BYTES } from './field.ts'
import { invertNumbers, numberAt } from './inversions.ts'
import { addAffine, double, toAffine, yOf, zOf } from './point.ts'
import { AFFINE_BYTES, pick, places } from './signatures.ts'
import { ENTRY_BYTES, fillTables, generatorTable, one } from './tables.ts'

/**
 * Multiples of points that are known beforehand: the generator, and keys that sign often. The scalar is split and written
 * in odd digits as in `index.ts`, all of 5 bits; each place has a table of its own, so that nothing is doubled. For one
 * lane only.
 */
const DIGITS: i32 = 26
const DIGIT_BITS: usize = 5
const ENTRIES: i32 = 16
const TABLE_BYTES: usize = <usize>ENTRIES * ENTRY_BYTES
const POINT_BYTES: usize = <usize>DIGITS * TABLE_BYTES

/** Keys that there is room for: 50 kB each. */
export const MAX_KEYS: i32 = FUSED ? 0 : 24
/** The generator's place; those of keys are before it. */
const GENERATOR: i32 = MAX_KEYS

/** For each point, and each place, the odd multiples of 2^(5 · place) times the point. */
const tables = memory.data((MAX_KEYS + 1) * DIGITS * ENTRIES * 3 * LANE_BYTES, 16)
const term = memory.data(2 * LANE_BYTES, 16)
let hasGenerator: bool = false

// @inline
function tablesOf(point: i32): usize {
  return tables + <usize>point * POINT_BYTES
}

/** Where a key is put, an affine point, before {@link fillMultiples}. */
// @inline
export function keyAt(key: i32): usize {
  return tablesOf(key)
}

/** Fills the tables of a point, which is their first entry. */
export function fillMultiples(point: i32): void {
  const first = tablesOf(point)
  copy(zOf(first), one)
  for (let i = 1; i < DIGITS; i++) {
    // An entry has as many numbers as a point in Jacobian coordinates.
    const table = first + <usize>i * TABLE_BYTES
    copy(table, table - TABLE_BYTES)
    copy(yOf(table), yOf(table - TABLE_BYTES))
    copy(zOf(table), zOf(table - TABLE_BYTES))
    for (let bit: usize = 0; bit < DIGIT_BITS; bit++) double(table)
    copy(numberAt(i - 1), zOf(table))
  }
  invertNumbers(DIGITS - 1)
  for (let i = 1; i < DIGITS; i++) toAffine(first + <usize>i * TABLE_BYTES, numberAt(i - 1))
  fillTables(first, DIGITS, ENTRIES)
}

function makeGenerator(): void {
  if (hasGenerator) return
  hasGenerator = true
  copy(tablesOf(GENERATOR), generatorTable)
  copy(yOf(tablesOf(GENERATOR)), yOf(generatorTable))
  fillMultiples(GENERATOR)
}

/**
 * A multiple of the generator, by 51 additions.
 *
 * @param sum - Where the point is put, in Jacobian coordinates; Z is 0 where two terms were equal or opposite.
 * @param halves - Where the biased halves of the scalar stand in the first signature of the input, 32 bytes each.
 */
export function multiplyGenerator(sum: usize, halves: usize): void {
  makeGenerator()
  for (let i = 0; i < 2 * DIGITS; i++) {
    pickTerm(i ? term : sum, GENERATOR, halves, i >> 1, (i & 1) != 0)
    if (i) addAffine(sum, term)
    else copy(zOf(sum), one)
  }
}

/**
 * A multiple of the generator and one of a key, added up: first those at each place by affine additions, see `index.ts`.
 *
 * @returns Whether some of those were equal or opposite. Otherwise as {@link multiplyGenerator}.
 */
export function addBoth(sum: usize, ofGenerator: usize, key: i32, ofKey: usize): bool {
  makeGenerator()
  for (let i = 0; i < DIGITS; i++) {
    addHalves(placeAt(2 * i), GENERATOR, ofGenerator, i)
    addHalves(placeAt(2 * i + 1), key, ofKey, i)
  }
  addAll()
  for (let i = 0; i < DIGITS; i++) addLater(placeAt(2 * i), placeAt(2 * i), placeAt(2 * i + 1))
  if (addAll()) return true
  copy(sum, placeAt(0))
  copy(yOf(sum), yOf(placeAt(0)))
  copy(zOf(sum), one)
  for (let i = 1; i < DIGITS; i++) addAffine(sum, placeAt(2 * i))
  return false
}

// @inline
function placeAt(i: i32): usize {
  return places + <usize>i * AFFINE_BYTES
}

/** The terms of both halves at a place; they are never equal or opposite. */
function addHalves(to: usize, point: i32, halves: usize, place: i32): void {
  const other = to + 2 * <usize>DIGITS * AFFINE_BYTES
  pickTerm(to, point, halves, place, false)
  pickTerm(other, point, halves, place, true)
  addLater(to, to, other)
}

// @inline
function pickTerm(to: usize, point: i32, halves: usize, place: i32, isLambda: bool): void {
  const table = tablesOf(point) + <usize>place * TABLE_BYTES
  pick(to, 0, table, isLambda ? halves + 32 : halves, <usize>place * DIGIT_BITS, DIGIT_BITS, isLambda)
}
