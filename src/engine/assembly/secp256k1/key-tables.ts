/**
 * Multiples of points that are known beforehand: the generator, and keys that sign often. A scalar is written in odd digits,
 * (2d + 1 − 2^bits), of which each place has a table of its own, so that nothing is doubled. The wider the digits, the fewer
 * points are to be added up, and the more there are in the tables: wide ones are for keys that sign very often.
 *
 * Entries are affine points, x and y of four 64-bit words each, the lowest first: one cache line.
 */
import { copy, joinWords, LANES, loadWords, normalize } from './field.ts'
import { invertNumbers, numberAt } from './inversions.ts'
import { double, JACOBIAN_BYTES, toAffine, yOf, zOf } from './point.ts'
import { pointTables } from './signatures.ts'
import { ENTRY_BYTES, fillOddMultiples, generatorTable, one } from './tables.ts'

const PACKED_BYTES: usize = 64
export const PACKED_Y_AT: usize = 32

/** Keys that there is room for, 53 kB each, and wide ones, 262 kB each. These are the numbers of the generator, behind theirs. */
export const MAX_KEYS: i32 = 64
export const MAX_WIDE_KEYS: i32 = 12

const NARROW_BITS: usize = 5
const NARROW_DIGITS: i32 = 52
const WIDE_BITS: usize = 8
const WIDE_DIGITS: i32 = 32
/** The generator's digits where the key is wide. */
const WIDEST_BITS: usize = 10
const WIDEST_DIGITS: i32 = 26

const narrow = memory.data((MAX_KEYS + 1) * 52 * 16 * 64, 64)
const wide = memory.data((MAX_WIDE_KEYS * 32 * 128 + 26 * 512) * 64, 64)

// @inline
export function bitsOf(isWide: bool, isGenerator: bool): usize {
  return isWide ? (isGenerator ? WIDEST_BITS : WIDE_BITS) : NARROW_BITS
}

/** The number of digits of a scalar; that of the generator's and of a key's together is even. */
// @inline
export function digitsOf(isWide: bool, isGenerator: bool): i32 {
  return isWide ? (isGenerator ? WIDEST_DIGITS : WIDE_DIGITS) : NARROW_DIGITS
}

// @inline
export function tablesOf(isWide: bool, point: i32): usize {
  return isWide
    ? wide + <usize>(point * WIDE_DIGITS) * bytesOfPlace(WIDE_BITS)
    : narrow + <usize>(point * NARROW_DIGITS) * bytesOfPlace(NARROW_BITS)
}

// @inline
function bytesOfPlace(bits: usize): usize {
  return PACKED_BYTES << (bits - 1)
}

/** The entry of a digit: of 2 · index + 1. */
// @inline
export function entryAt(tables: usize, bits: usize, place: i32, index: u32): usize {
  return tables + (((<usize>place) << (bits - 1)) + <usize>index) * PACKED_BYTES
}

/** Learns a point for {@link tablesOf narrow tables}. @param from - Where it is, as an entry. */
export function learnPoint(point: i32, from: usize): void {
  const tables = tablesOf(false, point)
  memory.copy(tables, from, PACKED_BYTES)
  startTables(tables, NARROW_BITS, NARROW_DIGITS)
  fillPlaces(tables, NARROW_BITS, 0, NARROW_DIGITS)
}

let hasGenerator: bool = false

export function learnGenerator(): void {
  if (hasGenerator) return
  hasGenerator = true
  const entry = tablesOf(false, MAX_KEYS)
  pack(entry, generatorTable, 0)
  learnPoint(MAX_KEYS, entry)
}

/**
 * Makes a part of a point's wide tables, of 1,024 entries.
 *
 * @param point - A number of a wide key, or {@link MAX_WIDE_KEYS}.
 * @param from - The number by which it was learnt.
 * @param part - 0 first, then the others in their order.
 * @returns Whether it was the last.
 */
export function widenPart(point: i32, from: i32, part: i32): bool {
  const isGenerator = point == MAX_WIDE_KEYS
  const tables = tablesOf(true, point)
  const bits = bitsOf(true, isGenerator)
  const digits = digitsOf(true, isGenerator)
  if (part == 0) {
    memory.copy(tables, tablesOf(false, from), PACKED_BYTES)
    startTables(tables, bits, digits)
  }
  const places = 1 << (11 - <i32>bits)
  fillPlaces(tables, bits, part * places, places)
  return (part + 1) * places >= digits
}

/** The places' points in Jacobian coordinates: as many as there are digits. */
const bases = memory.data(52 * 3 * 80, 16)

/** From the first entry of the first place: the first entry of each, 2^(bits · place) times that point. */
function startTables(tables: usize, bits: usize, digits: i32): void {
  joinWords(bases, tables, tables)
  joinWords(yOf(bases), tables + PACKED_Y_AT, tables + PACKED_Y_AT)
  copy(zOf(bases), one)
  for (let i = 1; i < digits; i++) {
    const base = bases + <usize>i * JACOBIAN_BYTES
    memory.copy(base, base - JACOBIAN_BYTES, JACOBIAN_BYTES)
    for (let bit: usize = 0; bit < bits; bit++) double(base)
    copy(numberAt(i - 1), zOf(base))
  }
  invertNumbers(digits - 1)
  for (let i = 1; i < digits; i++) {
    const base = bases + <usize>i * JACOBIAN_BYTES
    toAffine(base, numberAt(i - 1))
    pack(entryAt(tables, bits, i, 0), base, 0)
  }
}

/** Fills the tables of some places, from their first entries. */
function fillPlaces(tables: usize, bits: usize, first: i32, count: i32): void {
  const entries = 1 << (<i32>bits - 1)
  const bytes = <usize>entries * ENTRY_BYTES
  const units = count / LANES
  for (let i = 0; i < units; i++) {
    const one = entryAt(tables, bits, first + i * LANES, 0)
    const other = entryAt(tables, bits, first + i * LANES + LANES - 1, 0)
    const table = pointTables + <usize>i * bytes
    joinWords(table, one, other)
    joinWords(yOf(table), one + PACKED_Y_AT, other + PACKED_Y_AT)
  }
  fillOddMultiples(pointTables, units, entries)
  for (let i = 0; i < count; i++) {
    const table = pointTables + <usize>(i / LANES) * bytes
    for (let k = 1; k < entries; k++) {
      pack(entryAt(tables, bits, first + i, k), table + <usize>k * ENTRY_BYTES, i % LANES)
    }
  }
}

const normal = memory.data(80, 16)

/** Writes one lane of an affine point as an entry. */
function pack(to: usize, point: usize, lane: i32): void {
  normalize(normal, point)
  loadWords(to, normal, lane)
  normalize(normal, yOf(point))
  loadWords(to + PACKED_Y_AT, normal, lane)
}
