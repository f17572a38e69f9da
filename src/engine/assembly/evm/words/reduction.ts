/** Products modulo a word of four limbs, in registers. Values derived from the last modulus are cached. */
import { addTo, multiplyHigh, multiplyWide } from './arithmetic.ts'
import { DIVIDEND, shiftLeft } from './long-division.ts'
import { quotientLimb, reciprocalOf } from './quotient.ts'
import { copyWord, equalWords, setWord } from './word.ts'

const SHIFTED_FACTOR: usize = memory.data(32, 8)
const REMAINDER: usize = memory.data(32, 8)
/** The last modulus of {@link multiplyReduced}, which usually repeats: shifted like a divisor, and the shift. */
const MODULUS: usize = memory.data(32, 8)
const SHIFTED_MODULUS: usize = memory.data(40, 8)
let modulusShift: u64 = 0
let modulusReciprocal: u64 = 0

/** `a · b` modulo `n`, which has four limbs and is above `a`. */
export function multiplyReduced(to: usize, a: usize, b: usize, n: usize): void {
  if (!equalWords(n, MODULUS)) {
    copyWord(MODULUS, n)
    modulusShift = clz<u64>(load<u64>(n, 24))
    shiftLeft(SHIFTED_MODULUS, n, 4, modulusShift)
    modulusReciprocal = reciprocalOf(load<u64>(SHIFTED_MODULUS, 24))
  }
  // As `a` is shifted with the modulus, so is the product; its upper half is below the modulus already.
  shiftWordLeft(SHIFTED_FACTOR, a, modulusShift)
  multiplyWide(DIVIDEND, SHIFTED_FACTOR, b)
  const d0 = load<u64>(SHIFTED_MODULUS)
  const d1 = load<u64>(SHIFTED_MODULUS, 8)
  const d2 = load<u64>(SHIFTED_MODULUS, 16)
  const d3 = load<u64>(SHIFTED_MODULUS, 24)
  let r0 = load<u64>(DIVIDEND, 32)
  let r1 = load<u64>(DIVIDEND, 40)
  let r2 = load<u64>(DIVIDEND, 48)
  let r3 = load<u64>(DIVIDEND, 56)
  // Add one more limb of the product, and subtract the modulus as often as possible.
  for (let at: usize = DIVIDEND + 24; at >= DIVIDEND; at -= 8) {
    const next = load<u64>(at)
    const q = quotientLimb(r3, r2, r1, d3, d2, modulusReciprocal)
    let low = q * d0
    let carry = multiplyHigh(q, d0) + ((next < low) as u64)
    const s0 = next - low
    low = q * d1 + carry
    carry = multiplyHigh(q, d1) + ((low < carry) as u64) + ((r0 < low) as u64)
    const s1 = r0 - low
    low = q * d2 + carry
    carry = multiplyHigh(q, d2) + ((low < carry) as u64) + ((r1 < low) as u64)
    const s2 = r1 - low
    low = q * d3 + carry
    carry = multiplyHigh(q, d3) + ((low < carry) as u64) + ((r2 < low) as u64)
    const s3 = r2 - low
    let top = r3 - carry
    r0 = s0
    r1 = s1
    r2 = s2
    r3 = s3
    // The quotient may have been too high by at most two.
    while (top != 0) {
      setWord(REMAINDER, r0, r1, r2, r3)
      top += addTo(REMAINDER, REMAINDER, SHIFTED_MODULUS)
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
