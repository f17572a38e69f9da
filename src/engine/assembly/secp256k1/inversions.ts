import { invertWords } from '../inversion/lehmer.ts'
import {
  copy,
  FIELD_BYTES,
  isZero,
  join,
  LANE_BYTES,
  LANES,
  loadWords,
  multiply,
  normalize,
  storeWords,
} from './field.ts'
import { MAX_ADDITIONS } from './limits.ts'

/** {@link MAX_ADDITIONS} of one lane, or half as many of two. */
const numbers = memory.data(MAX_ADDITIONS * LANE_BYTES, 16)
/** Products of the first 1, 2, 3, … numbers. */
const products = memory.data(MAX_ADDITIONS * LANE_BYTES, 16)
/** For each number, the lanes in which it was 0: a bit each. */
const zeros = memory.data(MAX_ADDITIONS * 4, 16)
const product = memory.data(80, 16)
const next = memory.data(80, 16)
const words = memory.data(32, 16)

/** Address of number `i` of those to be inverted. */
// @inline
export function numberAt(i: i32): usize {
  return numbers + <usize>i * FIELD_BYTES
}

// @inline
function productAt(i: i32): usize {
  return products + <usize>i * FIELD_BYTES
}

/** The lanes in which number `i` was 0, if {@link invertNumbers} has met any. */
export function zeroLanes(i: i32): u32 {
  return load<u32>(zeros + ((<usize>i) << 2))
}

/**
 * Inverts the first numbers in place for the price of one inversion and three multiplications each (Montgomery's trick).
 *
 * @returns Whether some were 0. They are taken for 1.
 */
export function invertNumbers(count: i32): bool {
  multiplyAll(count)
  const someAreZero = isZeroSomewhere(productAt(count - 1))
  if (someAreZero) {
    replaceZeros(count)
    multiplyAll(count)
  }
  invertLanes(product, productAt(count - 1))
  for (let i = count - 1; i > 0; i--) {
    multiply(next, product, productAt(i - 1))
    multiply(product, product, numberAt(i))
    copy(numberAt(i), next)
  }
  copy(numbers, product)
  return someAreZero
}

function multiplyAll(count: i32): void {
  copy(products, numbers)
  for (let i = 1; i < count; i++) multiply(productAt(i), productAt(i - 1), numberAt(i))
}

function isZeroSomewhere(a: usize): bool {
  normalize(next, a)
  for (let lane = 0; lane < LANES; lane++) if (isZero(next, lane)) return true
  return false
}

function replaceZeros(count: i32): void {
  for (let i = 0; i < count; i++) {
    normalize(next, numberAt(i))
    let lanes: u32 = 0
    for (let lane = 0; lane < LANES; lane++) {
      if (!isZero(next, lane)) continue
      lanes |= 1 << lane
      storeWords(numberAt(i), lane, 1, 0, 0, 0)
    }
    store<u32>(zeros + ((<usize>i) << 2), lanes)
  }
}

/** Two lanes by one inversion: that of their product. */
function invertLanes(to: usize, a: usize): void {
  if (LANES == 1) {
    normalize(next, a)
    loadWords(words, next, 0)
    invertWords(words)
    storeWords(to, 0, load<u64>(words), load<u64>(words, 8), load<u64>(words, 16), load<u64>(words, 24))
    return
  }
  join(to, a + 8, a - 8)
  multiply(next, a, to)
  normalize(next, next)
  loadWords(words, next, 0)
  invertWords(words)
  for (let lane = 0; lane < LANES; lane++) {
    storeWords(next, lane, load<u64>(words), load<u64>(words, 8), load<u64>(words, 16), load<u64>(words, 24))
  }
  multiply(to, to, next)
}
