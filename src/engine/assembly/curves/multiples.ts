/**
 * Sums of multiples of many points of BLS12-381, which share their doublings: of each point there are tables of the multiples 0
 * to 15, for each of the parts that its scalar has, and all digits at a place are added before the sum is doubled.
 */

import { WIDE } from '../inversion/wide.ts'
import { applyPsi, beta } from './groups.ts'
import { NUMBER_BYTES } from './limbs.ts'
import { POINT_BYTES, Y_AT } from './paired.ts'
import { addPoints, copyPoint, digitOf, doublePoint, fillTable, setInfinity, WINDOW } from './points.ts'
import { multiplyPairs } from './products.ts'
import { copy, negate } from './sums.ts'

const TABLE_BYTES: usize = WINDOW * POINT_BYTES
/** Tables that there is room for: of two parts a point in the first group, of four in the second. */
const MOST: usize = 64
const tables = memory.data(WIDE ? 393216 : 16, 16)
/** Where the part of the scalar is that belongs to a table, in words: 16 bytes each. */
const parts = memory.data(WIDE ? 1024 : 16, 16)
let count: usize = 0
const total = memory.data(384, 16)
const sum = memory.data(384, 16)

// @inline
function tableAt(i: usize): usize {
  return tables + i * TABLE_BYTES
}

export function beginMultiples<F>(): void {
  setInfinity<F>(total)
  count = 0
}

/** Adds a point times k₀ − k₁λ, where λ is what β multiplies by. @param scalar - Both parts, of 128 bits, each in 32 bytes. */
export function addMultiple1(point: usize, scalar: usize): void {
  if (count == MOST) addWaiting<i32>(128)
  const first = tableAt(count)
  const second = tableAt(count + 1)
  fillTable<i32>(first, point)
  copyPoint(second, first)
  for (let at: usize = POINT_BYTES; at < TABLE_BYTES; at += POINT_BYTES) {
    multiplyPairs(second + at, first + at, beta)
    negate(second + at + Y_AT, first + at + Y_AT)
    copy(second + at + 2 * NUMBER_BYTES, first + at + 2 * NUMBER_BYTES)
  }
  memory.copy(parts + (count << 4), scalar, 16)
  memory.copy(parts + ((count + 1) << 4), scalar + 32, 16)
  count += 2
}

/** Adds a point times a scalar of four words in base z. */
export function addMultiple2(point: usize, scalar: usize): void {
  if (count == MOST) addWaiting<f64>(64)
  fillTable<f64>(tableAt(count), point)
  for (let i: usize = 0; i < 4; i++) {
    const part = parts + ((count + i) << 4)
    store<u64>(part, load<u64>(scalar + (i << 3)))
    if (i == 0) continue
    for (let at: usize = 0; at < TABLE_BYTES; at += POINT_BYTES) {
      // ψ multiplies by −z.
      const entry = tableAt(count + i) + at
      applyPsi(entry, tableAt(count + i - 1) + at)
      negate(entry + Y_AT, entry + Y_AT)
    }
  }
  count += 4
}

/** Adds what waits for its doublings to the total. */
function addWaiting<F>(bits: i32): void {
  setInfinity<F>(sum)
  let isEmpty = true
  for (let bit = bits - 4; bit >= 0; bit -= 4) {
    if (!isEmpty) for (let i = 0; i < 4; i++) doublePoint<F>(sum, sum)
    for (let i: usize = 0; i < count; i++) {
      const digit = digitOf(parts + (i << 4), bit)
      if (digit == 0) continue
      addPoints<F>(sum, sum, tableAt(i) + digit * POINT_BYTES)
      isEmpty = false
    }
  }
  addPoints<F>(total, total, sum)
  count = 0
}

/** The sum of all. */
export function sumOfMultiples1(): usize {
  addWaiting<i32>(128)
  return total
}

export function sumOfMultiples2(): usize {
  addWaiting<f64>(64)
  return total
}
