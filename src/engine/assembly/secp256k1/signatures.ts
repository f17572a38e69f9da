/**
 * Signatures as they come in, at most {@link MAX_SIGNATURES} at a time, and points as they go out.
 *
 * Input, {@link SIGNATURE_BYTES} each: x of R (32 bytes), then what {@link recover} and {@link check} say, little-endian if nothing
 * else is said; then whether y of R is odd (u32), and behind it the {@link NO_KEY outcome} (u32).
 * Output: 64 bytes each, x ‖ y big-endian.
 */
import {
  FIELD_BYTES,
  isOdd,
  isZero,
  join,
  LANE_BYTES,
  LANES,
  loadWords,
  negateIn,
  normalize,
  square,
  storeWords,
  subtract,
} from './field.ts'
import { MAX_SIGNATURES } from './limits.ts'
import { yOf } from './point.ts'
import { squareRoot } from './powers.ts'
import { curveRight, ENTRY_BYTES, generatorTable, lambdaXOf } from './tables.ts'

export const SIGNATURE_BYTES: usize = 256

/** No point has that x. */
export const NO_KEY: u32 = 0
export const RECOVERED: u32 = 1
/** Two points were equal or opposite on the way: the formulas do not hold then. */
export const EXCEPTIONAL: u32 = 2

export const IS_ODD_AT: usize = 160
export const OUTCOME_AT: usize = 164

export const input = memory.data(MAX_SIGNATURES * SIGNATURE_BYTES, 16)
export const output = memory.data(MAX_SIGNATURES * 64, 16)

// Signatures, or two of them side by side, are units. For each: a table of multiples of R, and points at the places of digits.
/** For a signature 16 entries of three numbers. */
export const pointTables = memory.data(MAX_SIGNATURES * 16 * 3 * LANE_BYTES, 16)
export const AFFINE_BYTES: usize = 2 * FIELD_BYTES
/** For a signature 78 points of two numbers: 2 · 26 and 2 · 13, see `index.ts`; or 104 for each of MAX_CHECKED. */
export const places = memory.data(MAX_SIGNATURES * 78 * 2 * LANE_BYTES, 16)

// @inline
export function signatureAt(i: i32): usize {
  return input + <usize>i * SIGNATURE_BYTES
}

/** @returns How many units signatures are; an odd one stands in both lanes of the last. */
export function unitsOf(count: i32): i32 {
  if (LANES == 2 && count & 1) memory.copy(signatureAt(count), signatureAt(count - 1), SIGNATURE_BYTES)
  return (count + LANES - 1) / LANES
}

const right = memory.data(80, 16)
const difference = memory.data(80, 16)

/**
 * The point R with the x of each lane's signature. Where no point has that x it is the generator: a point off the curve might
 * end at infinity, and would spoil the inversions of all the others.
 *
 * @param x - Where the point is put: the first entry of a table.
 */
export function liftX(unit: i32, x: usize): void {
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

/**
 * (2 · digit + 1 − 2^bits) times the point of a table of its odd multiples, and times λ.
 *
 * @param half - Where the scalar's half stands in the signature.
 */
export function pick(to: usize, unit: i32, table: usize, half: usize, bit: usize, bits: usize, isLambda: bool): void {
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

/** Writes the points of a unit to the output, one for each lane. They are normalized on the way. */
export function writePoints(unit: i32, point: usize): void {
  normalize(point, point)
  normalize(yOf(point), yOf(point))
  for (let lane = 0; lane < LANES; lane++) {
    const to = output + ((<usize>(unit * LANES + lane)) << 6)
    writeBytes(to, point, lane)
    writeBytes(to + 32, yOf(point), lane)
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
