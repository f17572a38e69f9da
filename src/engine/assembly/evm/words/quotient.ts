/** Limbs of quotients. WebAssembly divides 64 bits by 64 only, so that they are found by multiplying by a reciprocal. */
import { multiplyHigh } from './arithmetic.ts'

/** The remainder of {@link divideTwo}. */
export let rest: u64 = 0

/**
 * ⌊(2^128 − 1) / d⌋ − 2^64 for a divisor whose highest bit is set: two digits of 32 bits, one after the other.
 *
 * @see {@link https://gmplib.org/~tege/division-paper.pdf | Möller and Granlund, Improved division by invariant integers}
 */
export function reciprocalOf(d: u64): u64 {
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
export function divideTwo(high: u64, low: u64, d: u64, v: u64): u64 {
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

/**
 * A limb of a quotient, from the three highest limbs of the dividend and the two highest of the divisor: rarely too
 * high, by at most two.
 */
export function quotientLimb(top: u64, next: u64, third: u64, highest: u64, second: u64, v: u64): u64 {
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
