/** Sums and products of words. An operation reads `a`, then `b`, and writes `to`; any of these places may be the same. */
import { setSmall, setWord } from './word.ts'

/** The upper half of a 128-bit product, from four 32-bit ones. */
// @inline
export function multiplyHigh(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff
  const aHigh = a >> 32
  const bLow = b & 0xffffffff
  const bHigh = b >> 32
  const middle = aHigh * bLow + ((aLow * bLow) >> 32)
  return aHigh * bHigh + (middle >> 32) + ((aLow * bHigh + (middle & 0xffffffff)) >> 32)
}

/** `to = a + b`, any of which may be the same. @returns The carry, 0 or 1. */
// @inline
export function addTo(to: usize, a: usize, b: usize): u64 {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const r0 = a0 + load<u64>(b)
  const c0 = (r0 < a0) as u64
  const s1 = a1 + load<u64>(b, 8)
  const r1 = s1 + c0
  const c1 = (s1 < a1 || r1 < s1) as u64
  const s2 = a2 + load<u64>(b, 16)
  const r2 = s2 + c1
  const c2 = (s2 < a2 || r2 < s2) as u64
  const s3 = a3 + load<u64>(b, 24)
  const r3 = s3 + c2
  setWord(to, r0, r1, r2, r3)
  return (s3 < a3 || r3 < s3) as u64
}

/** `to = a - b`, any of which may be the same. @returns The borrow, 0 or 1. */
// @inline
export function subtractTo(to: usize, a: usize, b: usize): u64 {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  const c0 = (a0 < b0) as u64
  const s1 = a1 - b1
  const c1 = (a1 < b1 || s1 < c0) as u64
  const s2 = a2 - b2
  const c2 = (a2 < b2 || s2 < c1) as u64
  const s3 = a3 - b3
  setWord(to, a0 - b0, s1 - c0, s2 - c1, s3 - c2)
  return (a3 < b3 || s3 < c2) as u64
}

// @inline
export function add(to: usize, a: usize, b: usize): void {
  addTo(to, a, b)
}

// @inline
export function sub(to: usize, a: usize, b: usize): void {
  subtractTo(to, a, b)
}

/** `to = a · b` modulo 2^256. */
export function mul(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  if ((a1 | a2 | a3 | b1 | b2 | b3) == 0) {
    setWord(to, a0 * b0, (a0 | b0) >> 32 == 0 ? 0 : multiplyHigh(a0, b0), 0, 0)
    return
  }
  // Column by column; what is carried beyond the fourth is lost.
  let r1 = multiplyHigh(a0, b0)
  let p = a0 * b1
  r1 += p
  let r2 = multiplyHigh(a0, b1) + ((r1 < p) as u64)
  p = a1 * b0
  r1 += p
  const h = multiplyHigh(a1, b0) + ((r1 < p) as u64)
  r2 += h
  let r3 = (r2 < h) as u64
  p = a0 * b2
  r2 += p
  r3 += (r2 < p) as u64
  p = a1 * b1
  r2 += p
  r3 += (r2 < p) as u64
  p = a2 * b0
  r2 += p
  r3 += (r2 < p) as u64
  r3 += multiplyHigh(a0, b2) + multiplyHigh(a1, b1) + multiplyHigh(a2, b0)
  r3 += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0
  setWord(to, a0 * b0, r1, r2, r3)
}

/** The 64 bytes of `a · b` in full; `to` is neither of them. */
export function multiplyWide(to: usize, a: usize, b: usize): void {
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  let r0: u64 = 0
  let r1: u64 = 0
  let r2: u64 = 0
  let r3: u64 = 0
  for (let i: usize = 0; i < 32; i += 8) {
    const limb = load<u64>(a + i)
    let low = limb * b0
    let sum = r0 + low
    let carry = multiplyHigh(limb, b0) + ((sum < low) as u64)
    store<u64>(to + i, sum)
    low = limb * b1
    sum = r1 + low
    r0 = sum + carry
    carry = multiplyHigh(limb, b1) + ((sum < low) as u64) + ((r0 < sum) as u64)
    low = limb * b2
    sum = r2 + low
    r1 = sum + carry
    carry = multiplyHigh(limb, b2) + ((sum < low) as u64) + ((r1 < sum) as u64)
    low = limb * b3
    sum = r3 + low
    r2 = sum + carry
    r3 = multiplyHigh(limb, b3) + ((sum < low) as u64) + ((r2 < sum) as u64)
  }
  setWord(to + 32, r0, r1, r2, r3)
}

const BASE: usize = memory.data(32, 8)
const POWER: usize = memory.data(32, 8)

/** `a` to the power of `b`: square and multiply, from the highest bit of the exponent on. */
export function exp(to: usize, a: usize, b: usize): void {
  setWord(BASE, load<u64>(a), load<u64>(a, 8), load<u64>(a, 16), load<u64>(a, 24))
  setSmall(POWER, 1)
  for (let bit = bitLength(b) - 1; bit >= 0; bit--) {
    mul(POWER, POWER, POWER)
    const limb = load<u64>(b + (((bit >> 6) as usize) << 3))
    if (((limb >> ((bit & 63) as u64)) & 1) != 0) mul(POWER, POWER, BASE)
  }
  setWord(to, load<u64>(POWER), load<u64>(POWER, 8), load<u64>(POWER, 16), load<u64>(POWER, 24))
}

/** Bits up to the highest that is set. */
export function bitLength(word: usize): i32 {
  for (let limb: i32 = 3; limb >= 0; limb--) {
    const bits = load<u64>(word + ((limb as usize) << 3))
    if (bits != 0) return 64 * limb + 64 - (clz<u64>(bits) as i32)
  }
  return 0
}
