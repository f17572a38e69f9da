/**
 * Quotients and remainders of words, by Knuth's algorithm D on 64-bit limbs. WebAssembly divides 64 bits by 64 only, so that
 * a limb of the quotient is found by multiplying by a reciprocal.
 */
import { addTo, multiplyHigh, multiplyWide, subtractTo } from './arithmetic.ts'
import { copyWord, equalWords, isBelow, isZero, setSmall, setWord } from './word.ts'

/** What is divided, up to 512 bits and one limb more; in the end the remainder. */
const DIVIDEND: usize = memory.data(80, 8)
/** What it is divided by, shifted so that its highest bit is set. */
const DIVISOR: usize = memory.data(40, 8)
const QUOTIENT: usize = memory.data(72, 8)
const LEFT: usize = memory.data(32, 8)
const RIGHT: usize = memory.data(32, 8)
const ZERO: usize = memory.data(32, 8)

/** A number divided by 0 is 0, and so is what is left. */
export function div(to: usize, a: usize, b: usize): void {
  if (!divideSmall(to, a, b, true)) divide(to, a, b, true)
}

export function mod(to: usize, a: usize, b: usize): void {
  if (!divideSmall(to, a, b, false)) divide(to, a, b, false)
}

/** Divides where that takes one instruction, or none. @returns Whether it has. */
function divideSmall(to: usize, a: usize, b: usize, wantsQuotient: bool): bool {
  const b0 = load<u64>(b)
  if ((load<u64>(b, 8) | load<u64>(b, 16) | load<u64>(b, 24)) != 0) return false
  if (b0 == 0) {
    setSmall(to, 0)
    return true
  }
  if ((load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) != 0) return false
  const a0 = load<u64>(a)
  setSmall(to, wantsQuotient ? a0 / b0 : a0 % b0)
  return true
}

/** Of a divisor that is not 0. */
function divide(to: usize, a: usize, b: usize, wantsQuotient: bool): void {
  copyWord(DIVIDEND, a)
  divideLimbs(4, b)
  copyWord(to, wantsQuotient ? QUOTIENT : DIVIDEND)
}

export function sdiv(to: usize, a: usize, b: usize): void {
  const isNegative = (load<i64>(a, 24) ^ load<i64>(b, 24)) < 0
  magnitude(LEFT, a)
  magnitude(RIGHT, b)
  div(to, LEFT, RIGHT)
  if (isNegative) negate(to, to)
}

/** Has the sign of what is divided. */
export function smod(to: usize, a: usize, b: usize): void {
  const isNegative = load<i64>(a, 24) < 0
  magnitude(LEFT, a)
  magnitude(RIGHT, b)
  mod(to, LEFT, RIGHT)
  if (isNegative) negate(to, to)
}

function magnitude(to: usize, word: usize): void {
  if (load<i64>(word, 24) < 0) negate(to, word)
  else copyWord(to, word)
}

function negate(to: usize, word: usize): void {
  subtractTo(to, ZERO, word)
}

/** `a + b` modulo `n`; 0 where that is 0. */
export function addmod(to: usize, a: usize, b: usize, n: usize): void {
  if (isZero(n)) {
    setSmall(to, 0)
  } else if (isBelow(a, n) && isBelow(b, n)) {
    // The sum is below twice the modulus.
    const carry = addTo(LEFT, a, b)
    if (carry != 0 || !isBelow(LEFT, n)) subtractTo(to, LEFT, n)
    else copyWord(to, LEFT)
  } else {
    const carry = addTo(DIVIDEND, a, b)
    store<u64>(DIVIDEND, carry, 32)
    divideLimbs(5, n)
    copyWord(to, DIVIDEND)
  }
}

/** `a · b` modulo `n`, likewise. */
export function mulmod(to: usize, a: usize, b: usize, n: usize): void {
  if (isZero(n)) {
    setSmall(to, 0)
    return
  }
  if (load<u64>(n, 24) != 0 && isBelow(a, n)) {
    multiplyReduced(to, a, b, n)
    return
  }
  multiplyWide(DIVIDEND, a, b)
  divideLimbs(8, n)
  copyWord(to, DIVIDEND)
}

/** The modulus of {@link multiplyReduced} before, which is mostly that of the next: shifted like a divisor, by so much. */
const MODULUS: usize = memory.data(32, 8)
const SHIFTED_MODULUS: usize = memory.data(40, 8)
let modulusShift: u64 = 0
let modulusReciprocal: u64 = 0

/** `a · b` modulo `n`, which has four limbs and is above `a`. */
function multiplyReduced(to: usize, a: usize, b: usize, n: usize): void {
  if (!equalWords(n, MODULUS)) {
    copyWord(MODULUS, n)
    modulusShift = clz<u64>(load<u64>(n, 24))
    shiftLeft(SHIFTED_MODULUS, n, 4, modulusShift)
    modulusReciprocal = reciprocalOf(load<u64>(SHIFTED_MODULUS, 24))
  }
  // As `a` is shifted with the modulus, so is the product; its upper half is below the modulus already.
  shiftWordLeft(LEFT, a, modulusShift)
  multiplyWide(DIVIDEND, LEFT, b)
  const d0 = load<u64>(SHIFTED_MODULUS)
  const d1 = load<u64>(SHIFTED_MODULUS, 8)
  const d2 = load<u64>(SHIFTED_MODULUS, 16)
  const d3 = load<u64>(SHIFTED_MODULUS, 24)
  let r0 = load<u64>(DIVIDEND, 32)
  let r1 = load<u64>(DIVIDEND, 40)
  let r2 = load<u64>(DIVIDEND, 48)
  let r3 = load<u64>(DIVIDEND, 56)
  // One more limb of the product, and the modulus is taken off as often as that goes.
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
    // The quotient may have been too high, by two at the most.
    while (top != 0) {
      setWord(RIGHT, r0, r1, r2, r3)
      top += addTo(RIGHT, RIGHT, SHIFTED_MODULUS)
      r0 = load<u64>(RIGHT)
      r1 = load<u64>(RIGHT, 8)
      r2 = load<u64>(RIGHT, 16)
      r3 = load<u64>(RIGHT, 24)
    }
  }
  setWord(RIGHT, r0, r1, r2, r3)
  shiftWordRight(to, RIGHT, modulusShift)
}

/** By less than a limb. */
function shiftWordLeft(to: usize, word: usize, shift: u64): void {
  const l0 = load<u64>(word)
  const l1 = load<u64>(word, 8)
  const l2 = load<u64>(word, 16)
  const l3 = load<u64>(word, 24)
  // By 64 - shift, in two steps: 64 bits would be none.
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

function limb(at: usize, index: i32): u64 {
  return load<u64>(at + ((index as usize) << 3))
}

function setLimb(at: usize, index: i32, value: u64): void {
  store<u64>(at + ((index as usize) << 3), value)
}

/**
 * Divides {@link DIVIDEND}, of so many limbs, by a word that is not 0. {@link QUOTIENT} then begins with the lowest 256
 * bits of the quotient, {@link DIVIDEND} with the remainder.
 */
function divideLimbs(limbs: i32, divisor: usize): void {
  let size: i32 = 4
  while (limb(divisor, size - 1) == 0) size--
  while (limbs > 0 && limb(DIVIDEND, limbs - 1) == 0) limbs--
  setWord(QUOTIENT, 0, 0, 0, 0)
  if (limbs >= size) {
    const shift = clz<u64>(limb(divisor, size - 1))
    shiftLeft(DIVISOR, divisor, size, shift)
    shiftLeft(DIVIDEND, DIVIDEND, limbs, shift)
    if (size == 1) divideByLimb(limbs)
    else divideByLimbs(limbs, size)
    shiftRight(DIVIDEND, size, shift)
  }
  for (let i = min<i32>(limbs, size); i < 4; i++) setLimb(DIVIDEND, i, 0)
}

/** The remainder of {@link divideTwo}. */
let rest: u64 = 0

/**
 * ⌊(2^128 − 1) / d⌋ − 2^64 for a divisor whose highest bit is set: two digits of 32 bits, one after the other.
 *
 * @see {@link https://gmplib.org/~tege/division-paper.pdf | Möller and Granlund, Improved division by invariant integers}
 */
function reciprocalOf(d: u64): u64 {
  const dHigh = d >> 32
  const dLow = d & 0xffffffff
  const high = ~d
  let q1 = high / dHigh
  let r = high - q1 * dHigh
  while (q1 >> 32 != 0 || q1 * dLow > ((r << 32) | 0xffffffff)) {
    q1--
    r += dHigh
    if (r >> 32 != 0) break
  }
  const middle = ((high << 32) | 0xffffffff) - q1 * d
  let q0 = middle / dHigh
  r = middle - q0 * dHigh
  while (q0 >> 32 != 0 || q0 * dLow > ((r << 32) | 0xffffffff)) {
    q0--
    r += dHigh
    if (r >> 32 != 0) break
  }
  return (q1 << 32) + q0
}

/** Divides two limbs, of which the upper is below `d`, by `d`. @param v - Its reciprocal. @returns The quotient. */
function divideTwo(high: u64, low: u64, d: u64, v: u64): u64 {
  const product = v * high
  const fraction = product + low
  let q = multiplyHigh(v, high) + high + ((fraction < low) as u64) + 1
  let r = low - q * d
  if (r > fraction) {
    q--
    r += d
  }
  if (r >= d) {
    q++
    r -= d
  }
  rest = r
  return q
}

function divideByLimb(limbs: i32): void {
  const d = limb(DIVISOR, 0)
  const v = reciprocalOf(d)
  rest = limb(DIVIDEND, limbs)
  for (let i = limbs - 1; i >= 0; i--) {
    const q = divideTwo(rest, limb(DIVIDEND, i), d, v)
    if (i < 4) setLimb(QUOTIENT, i, q)
  }
  setLimb(DIVIDEND, 0, rest)
  setLimb(DIVIDEND, 1, 0)
}

function divideByLimbs(limbs: i32, size: i32): void {
  const highest = limb(DIVISOR, size - 1)
  const second = limb(DIVISOR, size - 2)
  const v = reciprocalOf(highest)
  for (let j = limbs - size; j >= 0; j--) {
    const part = DIVIDEND + ((j as usize) << 3)
    const q = divideStep(part, size, highest, second, v)
    if (j < 4) setLimb(QUOTIENT, j, q)
  }
}

/**
 * A limb of a quotient, from the three highest limbs of what is divided and the two highest of the divisor: hardly ever too
 * high, by two at the most.
 */
function quotientLimb(top: u64, next: u64, third: u64, highest: u64, second: u64, v: u64): u64 {
  if (top >= highest) return u64.MAX_VALUE
  let q = divideTwo(top, next, highest, v)
  let low = q * second
  let high = multiplyHigh(q, second)
  while (high > rest || (high == rest && low > third)) {
    q--
    high -= (low < second) as u64
    low -= second
    rest += highest
    if (rest < highest) break
  }
  return q
}

/** Takes the divisor from a part of the dividend as often as that goes. @returns How often. */
function divideStep(part: usize, size: i32, highest: u64, second: u64, v: u64): u64 {
  const top = limb(part, size)
  let q = quotientLimb(top, limb(part, size - 1), limb(part, size - 2), highest, second, v)
  if (subtractProduct(part, q, size)) {
    q--
    // The top limb of a quotient that was set to the most there is may be two too high.
    if (addBack(part, size) == 0) {
      q--
      addBack(part, size)
    }
  }
  return q
}

/** By less than a limb, into one limb more. */
function shiftLeft(to: usize, from: usize, limbs: i32, shift: u64): void {
  let carry: u64 = 0
  for (let i: i32 = 0; i < limbs; i++) {
    const value = limb(from, i)
    setLimb(to, i, (value << shift) | carry)
    carry = shift == 0 ? 0 : value >> (64 - shift)
  }
  setLimb(to, limbs, carry)
}

/** Back, from one limb more. */
function shiftRight(at: usize, limbs: i32, shift: u64): void {
  if (shift == 0) return
  for (let i: i32 = 0; i < limbs; i++) {
    setLimb(at, i, (limb(at, i) >> shift) | (limb(at, i + 1) << (64 - shift)))
  }
}

/** `part -= factor · DIVISOR`. @returns Whether that was too much. */
function subtractProduct(part: usize, factor: u64, limbs: i32): bool {
  let carry: u64 = 0
  for (let i: i32 = 0; i < limbs; i++) {
    const d = limb(DIVISOR, i)
    const low = factor * d + carry
    carry = multiplyHigh(factor, d) + ((low < carry) as u64)
    const value = limb(part, i)
    setLimb(part, i, value - low)
    carry += (value < low) as u64
  }
  const top = limb(part, limbs)
  setLimb(part, limbs, top - carry)
  return top < carry
}

/** @returns The carry: 0 if there is still too much taken off. */
function addBack(part: usize, limbs: i32): u64 {
  let carry: u64 = 0
  for (let i: i32 = 0; i < limbs; i++) {
    const value = limb(part, i)
    const sum = value + limb(DIVISOR, i)
    const total = sum + carry
    carry = ((sum < value) as u64) + ((total < sum) as u64)
    setLimb(part, i, total)
  }
  const top = limb(part, limbs)
  setLimb(part, limbs, top + carry)
  return (top + carry < top) as u64
}
