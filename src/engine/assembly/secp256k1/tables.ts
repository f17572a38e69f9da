import { copy, FIELD_BYTES, storeWords } from './limbs.ts'
import { addAffine, double, JACOBIAN_BYTES, toAffine, yOf, zOf } from './point.ts'
import { invertAll } from './powers.ts'
import { multiply, square } from './products.ts'
import { add } from './sums.ts'

export const one = memory.data(40, 16)
/** A cube root of 1: (βx, y) is λ times (x, y), for the λ that scalars are split by. */
const beta = memory.data(40, 16)

/** An affine point and what its x is in the multiple by λ: x, y, βx; and room for one more number while it is made. */
export const ENTRY_BYTES: usize = 4 * FIELD_BYTES

// @inline
export function lambdaXOf(entry: usize): usize {
  return entry + 3 * FIELD_BYTES
}

const generator = memory.data(80, 16)
/** Odd multiples of the generator: 1, 3, …, 1023. */
const GENERATOR_ENTRIES: i32 = 512
export const generatorTable = memory.data(81920, 16)

/** To be called once, before everything else. */
export function prepareTables(): void {
  storeWords(one, 1, 0, 0, 0)
  storeWords(beta, 0xc1396c28719501ee, 0x9cf0497512f58995, 0x6e64479eac3434e9, 0x7ae96a2b657c0710)
  storeWords(generator, 0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac)
  storeWords(generator + FIELD_BYTES, 0x9c47d08ffb10d4b8, 0xfd17b448a6855419, 0x5da4fbfc0e1108a8, 0x483ada7726a3c465)
  copyGenerator(generatorTable)
  startTwice(twice, generatorTable)
  invertAll(zOf(twice), 1, JACOBIAN_BYTES)
  toAffine(twice, zOf(twice))
  fillTable(generatorTable, GENERATOR_ENTRIES, twice)
  invertAll(zOf(generatorTable), GENERATOR_ENTRIES, ENTRY_BYTES)
  finishTable(generatorTable, GENERATOR_ENTRIES)
}

const twice = memory.data(120, 16)

/** A point that is on the curve, where none was given. */
export function copyGenerator(to: usize): void {
  copy(to, generator)
  copy(yOf(to), yOf(generator))
}

/** The Jacobian double of an affine point. */
export function startTwice(to: usize, point: usize): void {
  copy(to, point)
  copy(yOf(to), yOf(point))
  copy(zOf(to), one)
  double(to)
}

/**
 * The odd multiples 1, 3, 5, … of a point, in Jacobian coordinates.
 *
 * @param table - Its first entry is the point.
 * @param double - Twice the point, affine.
 */
export function fillTable(table: usize, entries: i32, double: usize): void {
  copy(zOf(table), one)
  for (let i = 1; i < entries; i++) {
    const entry = table + <usize>i * ENTRY_BYTES
    addAffine(entry, entry - ENTRY_BYTES, double, yOf(double))
  }
}

/** Makes entries affine whose Z were inverted, and adds their βx. */
export function finishTable(table: usize, entries: i32): void {
  for (let i = 0; i < entries; i++) {
    const entry = table + <usize>i * ENTRY_BYTES
    toAffine(entry, zOf(entry))
    multiply(lambdaXOf(entry), entry, beta)
  }
}

const seven = memory.data(40, 16)

/** x³ + 7 */
export function curveRight(to: usize, x: usize): void {
  storeWords(seven, 7, 0, 0, 0)
  square(to, x)
  multiply(to, to, x)
  add(to, to, seven)
}
