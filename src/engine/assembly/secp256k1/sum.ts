/**
 * Adds up multiples of many points, Σ (a + bλ)R with factors of 32 bits, which takes about a fifth of what it takes to
 * recover as many keys: the doublings are shared by all of them.
 *
 * The factors a and b follow x in the input (4 bytes each); they are read as 8 odd digits (2d − 15) of 4 bits, so each
 * number of 32 bits A stands for 2A + 1 − 2^32.
 */
import { addAll, addLater } from './additions.ts'
import { copy, LANES } from './field.ts'
import { invertNumbers, numberAt } from './inversions.ts'
import { addAffine, double, toAffine, yOf, zOf } from './point.ts'
import {
  AFFINE_BYTES,
  liftX,
  OUTCOME_AT,
  pick,
  places,
  pointTables,
  RECOVERED,
  signatureAt,
  unitsOf,
  writePoints,
} from './signatures.ts'
import { ENTRY_BYTES, fillTables, one } from './tables.ts'

const A_AT: usize = 32
const B_AT: usize = 36
const ENTRIES: i32 = 8
const DIGIT_BITS: usize = 4
const DIGITS: i32 = 8

const total = memory.data(240, 16)

/**
 * Writes the sum of the points in each lane to the output.
 *
 * @param count - Points in the input: at least two, at most as many as the input has room for, an even number.
 * @returns The number of lanes; 0 where a point is not on the curve, or two were equal or opposite on the way.
 */
export function sum(count: i32): i32 {
  const units = unitsOf(count)
  for (let i = 0; i < units; i++) liftX(i, tableAt(i))
  for (let i = 0; i < units * LANES; i++) if (load<u32>(signatureAt(i), OUTCOME_AT) != RECOVERED) return 0
  fillTables(pointTables, units, ENTRIES)
  for (let i = 0; i < units; i++) pickAtPlaces(i, 2 * units)
  if (addAtPlaces(2 * units)) return 0
  addPlaces(2 * units)
  copy(numberAt(0), zOf(total))
  if (invertNumbers(1)) return 0
  toAffine(total, numberAt(0))
  writePoints(0, total)
  return LANES
}

// @inline
function tableAt(unit: i32): usize {
  return pointTables + <usize>(unit * ENTRIES) * ENTRY_BYTES
}

/** Of the `terms` points at a place, one; in the end the first is their sum. */
// @inline
function termAt(place: i32, terms: i32, i: i32): usize {
  return places + <usize>(place * terms + i) * AFFINE_BYTES
}

function pickAtPlaces(unit: i32, terms: i32): void {
  const table = tableAt(unit)
  for (let place = 0; place < DIGITS; place++) {
    const bit = <usize>place * DIGIT_BITS
    pick(termAt(place, terms, 2 * unit), unit, table, A_AT, bit, DIGIT_BITS, false)
    pick(termAt(place, terms, 2 * unit + 1), unit, table, B_AT, bit, DIGIT_BITS, true)
  }
}

/** Adds the later half of the points at each place to the earlier one, until one is left. @returns Whether some met. */
function addAtPlaces(terms: i32): bool {
  for (let left = terms; left > 1; left = (left + 1) >> 1) {
    for (let place = 0; place < DIGITS; place++) {
      for (let i = 0; i < left >> 1; i++) {
        const term = termAt(place, terms, i)
        addLater(term, term, termAt(place, terms, left - 1 - i))
      }
    }
    if (addAll()) return true
  }
  return false
}

/** From the highest digits down. */
function addPlaces(terms: i32): void {
  const highest = termAt(DIGITS - 1, terms, 0)
  copy(total, highest)
  copy(yOf(total), yOf(highest))
  copy(zOf(total), one)
  for (let place = DIGITS - 2; place >= 0; place--) {
    for (let bit: usize = 0; bit < DIGIT_BITS; bit++) double(total)
    addAffine(total, termAt(place, terms, 0))
  }
}
