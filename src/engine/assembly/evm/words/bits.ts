/** Comparisons, bits and shifts of words; places as in `arithmetic.ts`. */
import { bitLength } from './arithmetic.ts'
import { clamp, equalWords, isBelow, isZero, setSmall, setWord } from './word.ts'

export function lt(to: usize, a: usize, b: usize): void {
  setSmall(to, isBelow(a, b) as u64)
}

export function slt(to: usize, a: usize, b: usize): void {
  setSmall(to, isBelowSigned(a, b) as u64)
}

/** Whether `a` is below `b`, both with a sign. */
export function isBelowSigned(a: usize, b: usize): bool {
  const high = load<i64>(a, 24)
  const other = load<i64>(b, 24)
  return (high ^ other) < 0 ? high < 0 : isBelow(a, b)
}

export function eq(to: usize, a: usize, b: usize): void {
  setSmall(to, equalWords(a, b) as u64)
}

export function iszero(to: usize, a: usize): void {
  setSmall(to, isZero(a) as u64)
}

// @inline
export function and(to: usize, a: usize, b: usize): void {
  setWord(
    to,
    load<u64>(a) & load<u64>(b),
    load<u64>(a, 8) & load<u64>(b, 8),
    load<u64>(a, 16) & load<u64>(b, 16),
    load<u64>(a, 24) & load<u64>(b, 24),
  )
}

// @inline
export function or(to: usize, a: usize, b: usize): void {
  setWord(
    to,
    load<u64>(a) | load<u64>(b),
    load<u64>(a, 8) | load<u64>(b, 8),
    load<u64>(a, 16) | load<u64>(b, 16),
    load<u64>(a, 24) | load<u64>(b, 24),
  )
}

// @inline
export function xor(to: usize, a: usize, b: usize): void {
  setWord(
    to,
    load<u64>(a) ^ load<u64>(b),
    load<u64>(a, 8) ^ load<u64>(b, 8),
    load<u64>(a, 16) ^ load<u64>(b, 16),
    load<u64>(a, 24) ^ load<u64>(b, 24),
  )
}

export function not(to: usize, a: usize): void {
  setWord(to, ~load<u64>(a), ~load<u64>(a, 8), ~load<u64>(a, 16), ~load<u64>(a, 24))
}

/** Byte `a` of `b`; byte 0 is the highest. */
export function byte(to: usize, a: usize, b: usize): void {
  const index = clamp(a, 32)
  setSmall(to, index == 32 ? 0 : (load<u8>(b + 31 - (index as usize)) as u64))
}

/** Extends the sign of the number in the lowest `a` + 1 bytes of `b`. */
export function signextend(to: usize, a: usize, b: usize): void {
  const unused = 248 - 8 * clamp(a, 31)
  shiftLeft(to, b, unused)
  shiftRight(to, to, unused, (load<i64>(to, 24) >> 63) as u64)
}

export function clzWord(to: usize, a: usize): void {
  setSmall(to, (256 - bitLength(a)) as u64)
}

/** `b` shifted by `a` bits, as all three. */
export function shl(to: usize, a: usize, b: usize): void {
  shiftLeft(to, b, clamp(a, 256))
}

export function shr(to: usize, a: usize, b: usize): void {
  shiftRight(to, b, clamp(a, 256), 0)
}

export function sar(to: usize, a: usize, b: usize): void {
  shiftRight(to, b, clamp(a, 256), (load<i64>(b, 24) >> 63) as u64)
}

/** @param shift - At most 256. */
function shiftLeft(to: usize, word: usize, shift: u64): void {
  let r0 = load<u64>(word)
  let r1 = load<u64>(word, 8)
  let r2 = load<u64>(word, 16)
  let r3 = load<u64>(word, 24)
  for (; shift >= 64; shift -= 64) {
    r3 = r2
    r2 = r1
    r1 = r0
    r0 = 0
  }
  if (shift != 0) {
    const back = 64 - shift
    r3 = (r3 << shift) | (r2 >> back)
    r2 = (r2 << shift) | (r1 >> back)
    r1 = (r1 << shift) | (r0 >> back)
    r0 = r0 << shift
  }
  setWord(to, r0, r1, r2, r3)
}

/** @param fill - What comes in from above: all bits or none. */
function shiftRight(to: usize, word: usize, shift: u64, fill: u64): void {
  let r0 = load<u64>(word)
  let r1 = load<u64>(word, 8)
  let r2 = load<u64>(word, 16)
  let r3 = load<u64>(word, 24)
  for (; shift >= 64; shift -= 64) {
    r0 = r1
    r1 = r2
    r2 = r3
    r3 = fill
  }
  if (shift != 0) {
    const back = 64 - shift
    r0 = (r0 >> shift) | (r1 << back)
    r1 = (r1 >> shift) | (r2 << back)
    r2 = (r2 >> shift) | (r3 << back)
    r3 = (r3 >> shift) | (fill << back)
  }
  setWord(to, r0, r1, r2, r3)
}
