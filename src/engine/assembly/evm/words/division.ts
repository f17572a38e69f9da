/** Quotients, remainders, and sums and products modulo a word. */
import { addTo, multiplyWide, subtractTo } from './arithmetic.ts'
import { DIVIDEND, divideLimbs, QUOTIENT } from './long-division.ts'
import { multiplyReduced } from './reduction.ts'
import { copyWord, isBelow, isZero, setSmall } from './word.ts'

const LEFT: usize = memory.data(32, 8)
const RIGHT: usize = memory.data(32, 8)
const ZERO: usize = memory.data(32, 8)

/** Division by 0 gives 0, and so does the remainder. */
export function div(to: usize, a: usize, b: usize): void {
  if (!divideSmall(to, a, b, true)) divide(to, a, b, true)
}

export function mod(to: usize, a: usize, b: usize): void {
  if (!divideSmall(to, a, b, false)) divide(to, a, b, false)
}

/** Divides if that takes at most one instruction. @returns Whether it did. */
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

/** Has the sign of the dividend. */
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
