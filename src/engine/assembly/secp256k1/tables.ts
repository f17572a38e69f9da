import { addAll, addAndSubtractLater, addLater, doubleLater } from './additions.ts'
import { add, FIELD_BYTES, LANE_BYTES, LANES, multiply, square, storeWords } from './field.ts'
import { MAX_SIGNATURES } from './limits.ts'
import { yOf } from './point.ts'

export const one = memory.data(80, 16)
const seven = memory.data(80, 16)
/** A cube root of 1: (βx, y) is λ times (x, y), for the λ that scalars are split by. */
const beta = memory.data(80, 16)

/** An affine point and what its x is in the multiple by λ: x, y, βx. */
export const ENTRY_BYTES: usize = 3 * FIELD_BYTES

// @inline
export function lambdaXOf(entry: usize): usize {
  return entry + 2 * FIELD_BYTES
}

/** Odd multiples of the generator: 1, 3, …, 1023. */
const GENERATOR_ENTRIES: i32 = 512
export const generatorTable = memory.data(GENERATOR_ENTRIES * ENTRY_BYTES, 16)

/** To be called once, before everything else. */
export function prepareTables(): void {
  for (let lane = 0; lane < LANES; lane++) {
    storeWords(one, lane, 1, 0, 0, 0)
    storeWords(seven, lane, 7, 0, 0, 0)
    storeWords(beta, lane, 0xc1396c28719501ee, 0x9cf0497512f58995, 0x6e64479eac3434e9, 0x7ae96a2b657c0710)
    storeWords(generatorTable, lane, 0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac)
    storeWords(
      yOf(generatorTable),
      lane,
      0x9c47d08ffb10d4b8,
      0xfd17b448a6855419,
      0x5da4fbfc0e1108a8,
      0x483ada7726a3c465,
    )
  }
  fillTables(generatorTable, 1, GENERATOR_ENTRIES)
}

/** Twice and even multiples of the points of tables: one affine point each. */
const evens = memory.data(MAX_SIGNATURES * 2 * LANE_BYTES, 16)

// @inline
function evenAt(table: i32): usize {
  return evens + <usize>table * 2 * FIELD_BYTES
}

/** {@link fillOddMultiples}, and their x in multiples by λ. */
export function fillTables(tables: usize, count: i32, entries: i32): void {
  fillOddMultiples(tables, count, entries)
  for (let i = 0; i < count * entries; i++) {
    const entry = tables + <usize>i * ENTRY_BYTES
    multiply(lambdaXOf(entry), entry, beta)
  }
}

/**
 * The odd multiples 1, 3, 5, … of points.
 *
 * @param tables - One after the other; the first entry of each is the point.
 * @param entries - A power of two.
 */
export function fillOddMultiples(tables: usize, count: i32, entries: i32): void {
  const bytes = <usize>entries * ENTRY_BYTES
  for (let i = 0; i < count; i++) doubleLater(evenAt(i), tables + <usize>i * bytes)
  addAll()
  for (let i = 0; i < count; i++) {
    const table = tables + <usize>i * bytes
    addLater(table + ENTRY_BYTES, table, evenAt(i))
  }
  addAll()
  for (let i = 0; i < count; i++) doubleLater(evenAt(i), tables + <usize>i * bytes + ENTRY_BYTES)
  addAll()
  // From the first `known`, up to 2 · known − 1, and 3 · known: those around it up to 4 · known − 1.
  for (let known = 2; known < entries; known <<= 1) {
    for (let i = 0; i < count; i++) {
      const table = tables + <usize>i * bytes
      const middle = table + <usize>(known + (known >> 1)) * ENTRY_BYTES
      for (let k = 0; k < known >> 1; k++) {
        const offset = <usize>k * ENTRY_BYTES
        addAndSubtractLater(middle + offset, middle - offset - ENTRY_BYTES, evenAt(i), table + offset)
      }
      if (known << 1 < entries) doubleLater(evenAt(i), evenAt(i))
    }
    addAll()
  }
}

/** x³ + 7 */
export function curveRight(to: usize, x: usize): void {
  square(to, x)
  multiply(to, to, x)
  add(to, to, seven)
}
