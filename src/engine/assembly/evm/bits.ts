/** Comparisons, bits and shifts of words; operands and results as in `arithmetic.ts`. */
import { bitLength } from './arithmetic.ts'
import { clamp, equalWords, isBelow, isZero, setSmall, setWord } from './word.ts'

export function lt(sp: usize): void {
  setSmall(sp + 32, isBelow(sp, sp + 32) as u64)
}

export function gt(sp: usize): void {
  setSmall(sp + 32, isBelow(sp + 32, sp) as u64)
}

export function slt(sp: usize): void {
  setSmall(sp + 32, isBelowSigned(sp, sp + 32) as u64)
}

export function sgt(sp: usize): void {
  setSmall(sp + 32, isBelowSigned(sp + 32, sp) as u64)
}

function isBelowSigned(a: usize, b: usize): bool {
  const high = load<i64>(a, 24)
  const other = load<i64>(b, 24)
  return (high ^ other) < 0 ? high < 0 : isBelow(a, b)
}

export function eq(sp: usize): void {
  setSmall(sp + 32, equalWords(sp, sp + 32) as u64)
}

export function iszero(sp: usize): void {
  setSmall(sp, isZero(sp) as u64)
}

export function and(sp: usize): void {
  store<u64>(sp, load<u64>(sp) & load<u64>(sp, 32), 32)
  store<u64>(sp, load<u64>(sp, 8) & load<u64>(sp, 40), 40)
  store<u64>(sp, load<u64>(sp, 16) & load<u64>(sp, 48), 48)
  store<u64>(sp, load<u64>(sp, 24) & load<u64>(sp, 56), 56)
}

export function or(sp: usize): void {
  store<u64>(sp, load<u64>(sp) | load<u64>(sp, 32), 32)
  store<u64>(sp, load<u64>(sp, 8) | load<u64>(sp, 40), 40)
  store<u64>(sp, load<u64>(sp, 16) | load<u64>(sp, 48), 48)
  store<u64>(sp, load<u64>(sp, 24) | load<u64>(sp, 56), 56)
}

export function xor(sp: usize): void {
  store<u64>(sp, load<u64>(sp) ^ load<u64>(sp, 32), 32)
  store<u64>(sp, load<u64>(sp, 8) ^ load<u64>(sp, 40), 40)
  store<u64>(sp, load<u64>(sp, 16) ^ load<u64>(sp, 48), 48)
  store<u64>(sp, load<u64>(sp, 24) ^ load<u64>(sp, 56), 56)
}

export function not(sp: usize): void {
  setWord(sp, ~load<u64>(sp), ~load<u64>(sp, 8), ~load<u64>(sp, 16), ~load<u64>(sp, 24))
}

/** Byte 0 is the highest. */
export function byte(sp: usize): void {
  const index = clamp(sp, 32)
  setSmall(sp + 32, index == 32 ? 0 : (load<u8>(sp + 63 - (index as usize)) as u64))
}

/** Extends the sign of a number of one byte more than is on top. */
export function signextend(sp: usize): void {
  const index = clamp(sp, 31)
  if (index == 31) return
  const word = sp + 32
  const sign = load<i8>(word + (index as usize)) < 0 ? 0xff : 0
  for (let i = (index as usize) + 1; i < 32; i++) store<u8>(word + i, sign)
}

export function clzWord(sp: usize): void {
  setSmall(sp, (256 - bitLength(sp)) as u64)
}

export function shl(sp: usize): void {
  let shift = clamp(sp, 256)
  if (shift == 256) {
    setSmall(sp + 32, 0)
    return
  }
  let r0 = load<u64>(sp, 32)
  let r1 = load<u64>(sp, 40)
  let r2 = load<u64>(sp, 48)
  let r3 = load<u64>(sp, 56)
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
  setWord(sp + 32, r0, r1, r2, r3)
}

export function shr(sp: usize): void {
  shiftRight(sp, 0)
}

export function sar(sp: usize): void {
  shiftRight(sp, (load<i64>(sp, 56) >> 63) as u64)
}

/** @param fill - What comes in from above: all bits or none. */
function shiftRight(sp: usize, fill: u64): void {
  let shift = clamp(sp, 256)
  if (shift == 256) {
    setWord(sp + 32, fill, fill, fill, fill)
    return
  }
  let r0 = load<u64>(sp, 32)
  let r1 = load<u64>(sp, 40)
  let r2 = load<u64>(sp, 48)
  let r3 = load<u64>(sp, 56)
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
  setWord(sp + 32, r0, r1, r2, r3)
}
