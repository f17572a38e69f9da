/**
 * Products of numbers as `fused-limbs.ts` has them: the product of two limbs is taken twice, once rounded to a multiple of
 * 2^52 and once what that leaves. Both come as floating-point numbers of a known exponent, whose mantissas are added up as
 * integers; the exponents are taken off by what a sum starts with.
 *
 * Constants stand in memory, once for each lane: V8 makes those that are written in the code anew wherever they are used.
 */
import { carry, limb, MASK, P0, P1, P2, P3, P4 } from './fused-limbs.ts'

/** 2^104: a number that is added to it loses what is below 2^52. */
const HIGH: u64 = 0x4670000000000000
/** 2^52 + 2^51: a number within 2^51 of it is exact, and has its exponent. */
const LOW: u64 = 0x4338000000000000
/** 2^52: the mantissas of its exponent are the integers. */
const UNIT: u64 = 0x4330000000000000
/** What stands above five limbs comes back at limb 0, as often: 2^260 modulo p, which is 2^36 + 15632. */
const FOLD: u64 = 0x423000003d100000
/** Makes a sum of parts positive, and is taken off the next. */
const BIAS: u64 = 1 << 58
const BIAS_CARRIED: u64 = BIAS >> 52

const high104 = memory.data<u64>([HIGH, HIGH], 16)
const low52 = memory.data<u64>([LOW, LOW], 16)
const unit = memory.data<u64>([UNIT, UNIT], 16)
const fold = memory.data<u64>([FOLD, FOLD], 16)
/** What the ten columns of a product start with: the lower five with 64 · p, which makes them positive, and with room for what
 * comes back from the upper five. */
const productStarts = memory.data<u64>(
  [
    (P0 << 6) - 2 * LOW,
    (P0 << 6) - 2 * LOW,
    (P1 << 6) - 3 * LOW - 2 * HIGH,
    (P1 << 6) - 3 * LOW - 2 * HIGH,
    (P2 << 6) - 4 * LOW - 3 * HIGH,
    (P2 << 6) - 4 * LOW - 3 * HIGH,
    (P3 << 6) - 5 * LOW - 4 * HIGH,
    (P3 << 6) - 5 * LOW - 4 * HIGH,
    (P4 << 6) - 6 * LOW - 5 * HIGH,
    (P4 << 6) - 6 * LOW - 5 * HIGH,
    BIAS - 4 * LOW - 5 * HIGH,
    BIAS - 4 * LOW - 5 * HIGH,
    BIAS - BIAS_CARRIED - 3 * LOW - 4 * HIGH,
    BIAS - BIAS_CARRIED - 3 * LOW - 4 * HIGH,
    BIAS - BIAS_CARRIED - 2 * LOW - 3 * HIGH,
    BIAS - BIAS_CARRIED - 2 * LOW - 3 * HIGH,
    BIAS - BIAS_CARRIED - LOW - 2 * HIGH,
    BIAS - BIAS_CARRIED - LOW - 2 * HIGH,
    -BIAS_CARRIED - HIGH,
    -BIAS_CARRIED - HIGH,
  ],
  16,
)
/** Columns 1 to 8 of the half of a square that counts twice. */
const mixedStarts = memory.data<u64>(
  [
    -LOW,
    -LOW,
    -LOW - HIGH,
    -LOW - HIGH,
    -2 * LOW - HIGH,
    -2 * LOW - HIGH,
    -2 * LOW - 2 * HIGH,
    -2 * LOW - 2 * HIGH,
    -2 * LOW - 2 * HIGH,
    -2 * LOW - 2 * HIGH,
    -LOW - 2 * HIGH,
    -LOW - 2 * HIGH,
    -LOW - HIGH,
    -LOW - HIGH,
    -HIGH,
    -HIGH,
  ],
  16,
)
/** What is added to the columns of a square once that is doubled. */
const squareStarts = memory.data<u64>(
  [
    (P0 << 6) - 2 * LOW,
    (P0 << 6) - 2 * LOW,
    (P1 << 6) - LOW - 2 * HIGH,
    (P1 << 6) - LOW - 2 * HIGH,
    (P2 << 6) - 2 * LOW - HIGH,
    (P2 << 6) - 2 * LOW - HIGH,
    (P3 << 6) - LOW - 2 * HIGH,
    (P3 << 6) - LOW - 2 * HIGH,
    (P4 << 6) - 2 * LOW - HIGH,
    (P4 << 6) - 2 * LOW - HIGH,
    BIAS - HIGH,
    BIAS - HIGH,
    BIAS - BIAS_CARRIED - LOW,
    BIAS - BIAS_CARRIED - LOW,
    BIAS - BIAS_CARRIED - HIGH,
    BIAS - BIAS_CARRIED - HIGH,
    BIAS - BIAS_CARRIED - LOW,
    BIAS - BIAS_CARRIED - LOW,
    -BIAS_CARRIED - HIGH,
    -BIAS_CARRIED - HIGH,
  ],
  16,
)
/** What is above column 4 in the end. */
const overStart = memory.data<u64>([-HIGH, -HIGH], 16)
/** What that adds to columns 0 and 1. */
const lowestStarts = memory.data<u64>([BIAS - LOW, BIAS - LOW, -BIAS_CARRIED - HIGH, -BIAS_CARRIED - HIGH], 16)

/** Whether this machine's multiplication and addition round once. */
export function isFused(): bool {
  const above = f64x2.splat(1.0000000000000002)
  return f64x2.extract_lane(v128.relaxed_madd<f64>(above, above, f64x2.splat(-1.0000000000000004)), 0) != 0
}

/** A limb as a floating-point number. */
// @inline
function float(a: v128, one: v128): v128 {
  return f64x2.sub(i64x2.add(a, one), one)
}

/** @param c - 2^104. */
// @inline
function high(a: v128, b: v128, c: v128): v128 {
  return v128.relaxed_madd<f64>(a, b, c)
}

/**
 * @param above - {@link high} of both.
 * @param l - 2^52 + 2^51.
 */
// @inline
function low(a: v128, b: v128, above: v128, c: v128, l: v128): v128 {
  return v128.relaxed_madd<f64>(a, b, f64x2.add(f64x2.sub(c, above), l))
}

/** Brings ten columns of a product down to five limbs, and stores them. The upper five are not negative as a whole. */
// @inline
function storeProduct(
  to: usize,
  c: v128,
  l: v128,
  one: v128,
  t0: v128,
  t1: v128,
  t2: v128,
  t3: v128,
  t4: v128,
  t5: v128,
  t6: v128,
  t7: v128,
  t8: v128,
  t9: v128,
): void {
  const mask = v128.load(MASK)
  const back = v128.load(fold)
  t6 = i64x2.add(t6, carry(t5))
  t7 = i64x2.add(t7, carry(t6))
  t8 = i64x2.add(t8, carry(t7))
  t9 = i64x2.add(t9, carry(t8))
  const f0 = float(limb(t5, mask), one)
  const h0 = high(f0, back, c)
  t0 = i64x2.add(t0, low(f0, back, h0, c, l))
  t1 = i64x2.add(t1, h0)
  const f1 = float(limb(t6, mask), one)
  const h1 = high(f1, back, c)
  t1 = i64x2.add(t1, low(f1, back, h1, c, l))
  t2 = i64x2.add(t2, h1)
  const f2 = float(limb(t7, mask), one)
  const h2 = high(f2, back, c)
  t2 = i64x2.add(t2, low(f2, back, h2, c, l))
  t3 = i64x2.add(t3, h2)
  const f3 = float(limb(t8, mask), one)
  const h3 = high(f3, back, c)
  t3 = i64x2.add(t3, low(f3, back, h3, c, l))
  t4 = i64x2.add(t4, h3)
  const f4 = float(t9, one)
  const h4 = high(f4, back, c)
  t4 = i64x2.add(t4, low(f4, back, h4, c, l))
  t1 = i64x2.add(t1, carry(t0))
  t2 = i64x2.add(t2, carry(t1))
  t3 = i64x2.add(t3, carry(t2))
  t4 = i64x2.add(t4, carry(t3))
  // Again, with what is left: below 2^38.
  const over = float(i64x2.add(i64x2.add(h4, v128.load(overStart)), carry(t4)), one)
  const h5 = high(over, back, c)
  t0 = i64x2.add(limb(t0, mask), i64x2.add(low(over, back, h5, c, l), v128.load(lowestStarts)))
  t1 = i64x2.add(limb(t1, mask), i64x2.add(i64x2.add(h5, v128.load(lowestStarts, 16)), carry(t0)))
  v128.store(to, limb(t0, mask))
  v128.store(to, limb(t1, mask), 16)
  v128.store(to, i64x2.add(limb(t2, mask), carry(t1)), 32)
  v128.store(to, limb(t3, mask), 48)
  v128.store(to, limb(t4, mask), 64)
}

export function multiply(to: usize, a: usize, b: usize): void {
  const c = v128.load(high104)
  const l = v128.load(low52)
  const one = v128.load(unit)
  const a0 = float(v128.load(a), one)
  const a1 = float(v128.load(a, 16), one)
  const a2 = float(v128.load(a, 32), one)
  const a3 = float(v128.load(a, 48), one)
  const a4 = float(v128.load(a, 64), one)
  const b0 = float(v128.load(b), one)
  const b1 = float(v128.load(b, 16), one)
  const b2 = float(v128.load(b, 32), one)
  const b3 = float(v128.load(b, 48), one)
  const b4 = float(v128.load(b, 64), one)
  let t0 = v128.load(productStarts)
  let t1 = v128.load(productStarts, 16)
  let t2 = v128.load(productStarts, 32)
  let t3 = v128.load(productStarts, 48)
  let t4 = v128.load(productStarts, 64)
  let t5 = v128.load(productStarts, 80)
  let t6 = v128.load(productStarts, 96)
  let t7 = v128.load(productStarts, 112)
  let t8 = v128.load(productStarts, 128)
  let t9 = v128.load(productStarts, 144)
  let h: v128
  h = high(a0, b0, c)
  t0 = i64x2.add(t0, low(a0, b0, h, c, l))
  t1 = i64x2.add(t1, h)
  h = high(a0, b1, c)
  t1 = i64x2.add(t1, low(a0, b1, h, c, l))
  t2 = i64x2.add(t2, h)
  h = high(a0, b2, c)
  t2 = i64x2.add(t2, low(a0, b2, h, c, l))
  t3 = i64x2.add(t3, h)
  h = high(a0, b3, c)
  t3 = i64x2.add(t3, low(a0, b3, h, c, l))
  t4 = i64x2.add(t4, h)
  h = high(a0, b4, c)
  t4 = i64x2.add(t4, low(a0, b4, h, c, l))
  t5 = i64x2.add(t5, h)
  h = high(a1, b0, c)
  t1 = i64x2.add(t1, low(a1, b0, h, c, l))
  t2 = i64x2.add(t2, h)
  h = high(a1, b1, c)
  t2 = i64x2.add(t2, low(a1, b1, h, c, l))
  t3 = i64x2.add(t3, h)
  h = high(a1, b2, c)
  t3 = i64x2.add(t3, low(a1, b2, h, c, l))
  t4 = i64x2.add(t4, h)
  h = high(a1, b3, c)
  t4 = i64x2.add(t4, low(a1, b3, h, c, l))
  t5 = i64x2.add(t5, h)
  h = high(a1, b4, c)
  t5 = i64x2.add(t5, low(a1, b4, h, c, l))
  t6 = i64x2.add(t6, h)
  h = high(a2, b0, c)
  t2 = i64x2.add(t2, low(a2, b0, h, c, l))
  t3 = i64x2.add(t3, h)
  h = high(a2, b1, c)
  t3 = i64x2.add(t3, low(a2, b1, h, c, l))
  t4 = i64x2.add(t4, h)
  h = high(a2, b2, c)
  t4 = i64x2.add(t4, low(a2, b2, h, c, l))
  t5 = i64x2.add(t5, h)
  h = high(a2, b3, c)
  t5 = i64x2.add(t5, low(a2, b3, h, c, l))
  t6 = i64x2.add(t6, h)
  h = high(a2, b4, c)
  t6 = i64x2.add(t6, low(a2, b4, h, c, l))
  t7 = i64x2.add(t7, h)
  h = high(a3, b0, c)
  t3 = i64x2.add(t3, low(a3, b0, h, c, l))
  t4 = i64x2.add(t4, h)
  h = high(a3, b1, c)
  t4 = i64x2.add(t4, low(a3, b1, h, c, l))
  t5 = i64x2.add(t5, h)
  h = high(a3, b2, c)
  t5 = i64x2.add(t5, low(a3, b2, h, c, l))
  t6 = i64x2.add(t6, h)
  h = high(a3, b3, c)
  t6 = i64x2.add(t6, low(a3, b3, h, c, l))
  t7 = i64x2.add(t7, h)
  h = high(a3, b4, c)
  t7 = i64x2.add(t7, low(a3, b4, h, c, l))
  t8 = i64x2.add(t8, h)
  h = high(a4, b0, c)
  t4 = i64x2.add(t4, low(a4, b0, h, c, l))
  t5 = i64x2.add(t5, h)
  h = high(a4, b1, c)
  t5 = i64x2.add(t5, low(a4, b1, h, c, l))
  t6 = i64x2.add(t6, h)
  h = high(a4, b2, c)
  t6 = i64x2.add(t6, low(a4, b2, h, c, l))
  t7 = i64x2.add(t7, h)
  h = high(a4, b3, c)
  t7 = i64x2.add(t7, low(a4, b3, h, c, l))
  t8 = i64x2.add(t8, h)
  h = high(a4, b4, c)
  t8 = i64x2.add(t8, low(a4, b4, h, c, l))
  t9 = i64x2.add(t9, h)
  storeProduct(to, c, l, one, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9)
}

export function square(to: usize, a: usize): void {
  const c = v128.load(high104)
  const l = v128.load(low52)
  const one = v128.load(unit)
  const a0 = float(v128.load(a), one)
  const a1 = float(v128.load(a, 16), one)
  const a2 = float(v128.load(a, 32), one)
  const a3 = float(v128.load(a, 48), one)
  const a4 = float(v128.load(a, 64), one)
  let t1 = v128.load(mixedStarts)
  let t2 = v128.load(mixedStarts, 16)
  let t3 = v128.load(mixedStarts, 32)
  let t4 = v128.load(mixedStarts, 48)
  let t5 = v128.load(mixedStarts, 64)
  let t6 = v128.load(mixedStarts, 80)
  let t7 = v128.load(mixedStarts, 96)
  let t8 = v128.load(mixedStarts, 112)
  let h: v128
  h = high(a0, a1, c)
  t1 = i64x2.add(t1, low(a0, a1, h, c, l))
  t2 = i64x2.add(t2, h)
  h = high(a0, a2, c)
  t2 = i64x2.add(t2, low(a0, a2, h, c, l))
  t3 = i64x2.add(t3, h)
  h = high(a0, a3, c)
  t3 = i64x2.add(t3, low(a0, a3, h, c, l))
  t4 = i64x2.add(t4, h)
  h = high(a0, a4, c)
  t4 = i64x2.add(t4, low(a0, a4, h, c, l))
  t5 = i64x2.add(t5, h)
  h = high(a1, a2, c)
  t3 = i64x2.add(t3, low(a1, a2, h, c, l))
  t4 = i64x2.add(t4, h)
  h = high(a1, a3, c)
  t4 = i64x2.add(t4, low(a1, a3, h, c, l))
  t5 = i64x2.add(t5, h)
  h = high(a1, a4, c)
  t5 = i64x2.add(t5, low(a1, a4, h, c, l))
  t6 = i64x2.add(t6, h)
  h = high(a2, a3, c)
  t5 = i64x2.add(t5, low(a2, a3, h, c, l))
  t6 = i64x2.add(t6, h)
  h = high(a2, a4, c)
  t6 = i64x2.add(t6, low(a2, a4, h, c, l))
  t7 = i64x2.add(t7, h)
  h = high(a3, a4, c)
  t7 = i64x2.add(t7, low(a3, a4, h, c, l))
  t8 = i64x2.add(t8, h)
  let t0 = v128.load(squareStarts)
  t1 = i64x2.add(i64x2.shl(t1, 1), v128.load(squareStarts, 16))
  t2 = i64x2.add(i64x2.shl(t2, 1), v128.load(squareStarts, 32))
  t3 = i64x2.add(i64x2.shl(t3, 1), v128.load(squareStarts, 48))
  t4 = i64x2.add(i64x2.shl(t4, 1), v128.load(squareStarts, 64))
  t5 = i64x2.add(i64x2.shl(t5, 1), v128.load(squareStarts, 80))
  t6 = i64x2.add(i64x2.shl(t6, 1), v128.load(squareStarts, 96))
  t7 = i64x2.add(i64x2.shl(t7, 1), v128.load(squareStarts, 112))
  t8 = i64x2.add(i64x2.shl(t8, 1), v128.load(squareStarts, 128))
  let t9 = v128.load(squareStarts, 144)
  h = high(a0, a0, c)
  t0 = i64x2.add(t0, low(a0, a0, h, c, l))
  t1 = i64x2.add(t1, h)
  h = high(a1, a1, c)
  t2 = i64x2.add(t2, low(a1, a1, h, c, l))
  t3 = i64x2.add(t3, h)
  h = high(a2, a2, c)
  t4 = i64x2.add(t4, low(a2, a2, h, c, l))
  t5 = i64x2.add(t5, h)
  h = high(a3, a3, c)
  t6 = i64x2.add(t6, low(a3, a3, h, c, l))
  t7 = i64x2.add(t7, h)
  h = high(a4, a4, c)
  t8 = i64x2.add(t8, low(a4, a4, h, c, l))
  t9 = i64x2.add(t9, h)
  storeProduct(to, c, l, one, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9)
}
