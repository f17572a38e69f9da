/** Quotients, remainders, and sums and products modulo a word. */
import { addTo, multiplyWide, subtractTo } from './arithmetic.ts'
import { DIVIDEND, divideLimbs, QUOTIENT } from './long-division.ts'
import { isPrepared, multiplyReduced } from './reduction.ts'
import { copyWord, isBelow, isZero, setSmall, setWord } from './word.ts'

const LEFT: usize = memory.data(32, 8)
const RIGHT: usize = memory.data(32, 8)
const ZERO: usize = memory.data(32, 8)
const ONE: usize = memory.data<u64>([1, 0, 0, 0])

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

/** Quotient or remainder by a divisor that is not 0. */
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
  if (isBelow(a, n) && isBelow(b, n)) {
    addReduced(to, a, b, n)
  } else if (isZero(n)) {
    setSmall(to, 0)
  } else {
    const carry = addTo(DIVIDEND, a, b)
    store<u64>(DIVIDEND, carry, 32)
    divideLimbs(5, n)
    copyWord(to, DIVIDEND)
  }
}

/** The sum of words below `n`, modulo `n`. Unlike that of `addTo`, it stays in registers until it is compared. */
function addReduced(to: usize, a: usize, b: usize, n: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const n0 = load<u64>(n)
  const n1 = load<u64>(n, 8)
  const n2 = load<u64>(n, 16)
  const n3 = load<u64>(n, 24)
  const s0 = a0 + load<u64>(b)
  const c0 = (s0 < a0) as u64
  const p1 = a1 + load<u64>(b, 8)
  const s1 = p1 + c0
  const c1 = (p1 < a1 || s1 < p1) as u64
  const p2 = a2 + load<u64>(b, 16)
  const s2 = p2 + c1
  const c2 = (p2 < a2 || s2 < p2) as u64
  const p3 = a3 + load<u64>(b, 24)
  const s3 = p3 + c2
  const isOver = p3 < a3 || s3 < p3
  const isAbove = s3 != n3 ? s3 > n3 : s2 != n2 ? s2 > n2 : s1 != n1 ? s1 > n1 : s0 >= n0
  if (!isOver && !isAbove) {
    setWord(to, s0, s1, s2, s3)
    return
  }
  const b0 = (s0 < n0) as u64
  const d1 = s1 - n1
  const b1 = (s1 < n1 || d1 < b0) as u64
  const d2 = s2 - n2
  const b2 = (s2 < n2 || d2 < b1) as u64
  setWord(to, s0 - n0, d1 - b0, d2 - b1, s3 - n3 - b2)
}

/** `a · b` modulo `n`, likewise. */
export function mulmod(to: usize, a: usize, b: usize, n: usize): void {
  if (load<u64>(n, 24) != 0) {
    if (isMost(n)) return multiplyModuloMost(to, a, b)
    if (isPrepared(n)) {
      if (isBelow(a, n)) return multiplyReduced(to, a, b)
      if (isBelow(b, n)) return multiplyReduced(to, b, a)
    }
  } else if (isZero(n)) {
    setSmall(to, 0)
    return
  }
  multiplyWide(DIVIDEND, a, b)
  divideLimbs(8, n)
  copyWord(to, DIVIDEND)
}

/** Whether it is 2^256 − 1. */
function isMost(word: usize): bool {
  return (load<u64>(word) & load<u64>(word, 8) & load<u64>(word, 16) & load<u64>(word, 24)) == u64.MAX_VALUE
}

/** `a · b` modulo 2^256 − 1, by which contracts get the upper half of a product: both halves are added. */
function multiplyModuloMost(to: usize, a: usize, b: usize): void {
  multiplyWide(DIVIDEND, a, b)
  if (addTo(to, DIVIDEND, DIVIDEND + 32) != 0) addTo(to, to, ONE)
  if (isMost(to)) setSmall(to, 0)
}
