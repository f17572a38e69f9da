/** Products modulo a word of four limbs, in registers. Values derived from the last modulus are cached. */
import { addTo, multiplyHigh, multiplyWide } from './arithmetic.ts'
import { DIVIDEND, shiftLeft } from './long-division.ts'
import { reciprocalOf } from './quotient.ts'
import { copyWord, equalWords, setWord } from './word.ts'

const SHIFTED_FACTOR: usize = memory.data(32, 8)
const REMAINDER: usize = memory.data(32, 8)
/** The last modulus of {@link multiplyReduced}, which usually repeats: shifted like a divisor, and the shift. */
const MODULUS: usize = memory.data(32, 8)
const SHIFTED_MODULUS: usize = memory.data(40, 8)
let modulusShift: u64 = 0
let modulusReciprocal: u64 = 0

/** ⌊(2^192 − 1) / d⌋ − 2^64 for the two limbs `d1`, whose highest bit is set, and `d0`. */
function reciprocalOfTwo(d1: u64, d0: u64): u64 {
  let v = reciprocalOf(d1)
  let p = d1 * v + d0
  if (p < d0) {
    v--
    if (p >= d1) {
      v--
      p -= d1
    }
    p -= d1
  }
  const high = multiplyHigh(v, d0)
  p += high
  if (p < high) {
    v--
    if (p > d1 || (p == d1 && v * d0 + d0 >= d0)) v--
  }
  return v
}

/**
 * `a · b` modulo `n`, which has four limbs and is above `a`. Three limbs are divided by two at a time.
 *
 * @see {@link https://gmplib.org/~tege/division-paper.pdf | Möller and Granlund, Improved division by invariant integers}
 */
export function multiplyReduced(to: usize, a: usize, b: usize, n: usize): void {
  if (!equalWords(n, MODULUS)) {
    copyWord(MODULUS, n)
    modulusShift = clz<u64>(load<u64>(n, 24))
    shiftLeft(SHIFTED_MODULUS, n, 4, modulusShift)
    modulusReciprocal = reciprocalOfTwo(load<u64>(SHIFTED_MODULUS, 24), load<u64>(SHIFTED_MODULUS, 16))
  }
  // As `a` is shifted with the modulus, so is the product; its upper half is below the modulus already.
  shiftWordLeft(SHIFTED_FACTOR, a, modulusShift)
  multiplyWide(DIVIDEND, SHIFTED_FACTOR, b)
  const d0 = load<u64>(SHIFTED_MODULUS)
  const d1 = load<u64>(SHIFTED_MODULUS, 8)
  const d2 = load<u64>(SHIFTED_MODULUS, 16)
  const d3 = load<u64>(SHIFTED_MODULUS, 24)
  const v = modulusReciprocal
  let r0 = load<u64>(DIVIDEND, 32)
  let r1 = load<u64>(DIVIDEND, 40)
  let r2 = load<u64>(DIVIDEND, 48)
  let r3 = load<u64>(DIVIDEND, 56)
  // Add one more limb of the product, and subtract the modulus as often as possible.
  for (let at: usize = DIVIDEND + 24; at >= DIVIDEND; at -= 8) {
    let q = u64.MAX_VALUE
    // What is left of the upper three limbs, modulo 2^128.
    let high: u64
    let low: u64
    let isWrapped = false
    if (r3 == d3 && r2 == d2) {
      // The quotient is as large as a limb can be: q · d = d · 2^64 − d.
      low = r1 + d2
      high = d3 + ((low < r1) as u64)
      isWrapped = high < d3
    } else {
      const fraction = v * r3 + r2
      q = multiplyHigh(v, r3) + r3 + ((fraction < r2) as u64)
      high = r2 - q * d3
      const product = q * d2
      low = r1 - product
      high -= multiplyHigh(q, d2) + ((r1 < product) as u64) + d3 + ((low < d2) as u64)
      low -= d2
      // Adds the divisor back without a branch: nobody could foretell it.
      const isBack = (high >= fraction) as u64
      q += 1 - isBack
      const back = d2 & -isBack
      low += back
      high += (d3 & -isBack) + ((low < back) as u64)
      if (high > d3 || (high == d3 && low >= d2)) {
        q++
        high -= d3 + ((low < d2) as u64)
        low -= d2
      }
    }
    const next = load<u64>(at)
    let product = q * d0
    let carry = multiplyHigh(q, d0) + ((next < product) as u64)
    const s0 = next - product
    product = q * d1 + carry
    carry = multiplyHigh(q, d1) + ((product < carry) as u64) + ((r0 < product) as u64)
    const s1 = r0 - product
    const isTooHigh = high == 0 && low < carry && !isWrapped
    high -= (low < carry) as u64
    r0 = s0
    r1 = s1
    r2 = low - carry
    r3 = high
    if (isTooHigh) {
      setWord(REMAINDER, r0, r1, r2, r3)
      addTo(REMAINDER, REMAINDER, SHIFTED_MODULUS)
      r0 = load<u64>(REMAINDER)
      r1 = load<u64>(REMAINDER, 8)
      r2 = load<u64>(REMAINDER, 16)
      r3 = load<u64>(REMAINDER, 24)
    }
  }
  setWord(REMAINDER, r0, r1, r2, r3)
  shiftWordRight(to, REMAINDER, modulusShift)
}

/** By less than a limb. */
function shiftWordLeft(to: usize, word: usize, shift: u64): void {
  const l0 = load<u64>(word)
  const l1 = load<u64>(word, 8)
  const l2 = load<u64>(word, 16)
  const l3 = load<u64>(word, 24)
  // By 64 - shift, in two steps: a shift by 64 would do nothing.
  const back = 63 - shift
  setWord(
    to,
    l0 << shift,
    (l1 << shift) | ((l0 >> 1) >> back),
    (l2 << shift) | ((l1 >> 1) >> back),
    (l3 << shift) | ((l2 >> 1) >> back),
  )
}

function shiftWordRight(to: usize, word: usize, shift: u64): void {
  const l0 = load<u64>(word)
  const l1 = load<u64>(word, 8)
  const l2 = load<u64>(word, 16)
  const l3 = load<u64>(word, 24)
  const back = 63 - shift
  setWord(
    to,
    (l0 >> shift) | ((l1 << 1) << back),
    (l1 >> shift) | ((l2 << 1) << back),
    (l2 >> shift) | ((l3 << 1) << back),
    l3 >> shift,
  )
}
