import { addAll, doubleLater } from './additions.ts'
import { copy, LANE_BYTES } from './field.ts'
import { addAffine, yOf, zOf } from './point.ts'
import { pick } from './signatures.ts'
import { ENTRY_BYTES, fillTables, generatorTable, one } from './tables.ts'

/**
 * A multiple of the generator. The scalar is split and written in odd digits as in `index.ts`, all of 5 bits; each place has
 * a table of its own, so that nothing is doubled: 51 additions.
 */
const DIGITS: i32 = 26
const DIGIT_BITS: usize = 5
const ENTRIES: i32 = 16
const TABLE_BYTES: usize = <usize>ENTRIES * ENTRY_BYTES

/** For each place the odd multiples of 2^(5 · place) times the generator; filled at the first use. */
const tables = memory.data(DIGITS * ENTRIES * 3 * LANE_BYTES, 16)
const term = memory.data(2 * LANE_BYTES, 16)
let isReady: bool = false

function makeReady(): void {
  isReady = true
  let from: usize = generatorTable
  for (let i = 0; i < DIGITS; i++) {
    const table = tables + <usize>i * TABLE_BYTES
    copy(table, from)
    copy(yOf(table), yOf(from))
    if (i > 0) {
      for (let bit: usize = 0; bit < DIGIT_BITS; bit++) {
        doubleLater(table, table)
        addAll()
      }
    }
    from = table
  }
  fillTables(tables, DIGITS, ENTRIES)
}

/**
 * @param sum - Where the point is put, in Jacobian coordinates; Z is 0 where two terms were equal or opposite.
 * @param halves - Where the biased halves of the scalar stand in the first signature of the input, 32 bytes each.
 */
export function addMultiples(sum: usize, halves: usize): void {
  if (!isReady) makeReady()
  for (let i = 0; i < 2 * DIGITS; i++) {
    const place = <usize>(i >> 1)
    const half = <usize>(i & 1)
    pick(term, 0, tables + place * TABLE_BYTES, halves + half * 32, place * DIGIT_BITS, DIGIT_BITS, half != 0)
    if (i > 0) {
      addAffine(sum, term)
    } else {
      copy(sum, term)
      copy(yOf(sum), yOf(term))
      copy(zOf(sum), one)
    }
  }
}
