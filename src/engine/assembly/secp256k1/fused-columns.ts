/**
 * The columns of a product of numbers as `fused-limbs.ts` has them: column i has the parts of limbs whose places add up to
 * i. The product of two limbs is taken twice, once rounded to a multiple of 2^52 and once what that leaves. Both come as
 * floating-point numbers of a known exponent, whose mantissas are added up as integers; the exponents are taken off by what
 * a column starts with.
 *
 * Constants are in memory, once per lane: V8 would rebuild inline constants at every use.
 */
import { carry, limb, MASK, P0, P1, P2, P3, P4 } from './fused-limbs.ts'

/** 2^104: a number that is added to it loses what is below 2^52. */
const HIGH: u64 = 0x4670000000000000
/** 2^52 + 2^51: a number within 2^51 of it is exact, and has its exponent. */
const LOW: u64 = 0x4338000000000000
/** 2^52: the mantissas of its exponent are the integers. */
const UNIT: u64 = 0x4330000000000000
/** Factor by which everything above five limbs is folded back to limb 0: 2^260 modulo p, which is 2^36 + 15632. */
const FOLD: u64 = 0x423000003d100000
/** Makes a sum of parts positive, and is taken off the next. */
const BIAS: u64 = 1 << 58
const BIAS_CARRIED: u64 = BIAS >> 52

export const high104 = memory.data<u64>([HIGH, HIGH], 16)
export const low52 = memory.data<u64>([LOW, LOW], 16)
export const unit = memory.data<u64>([UNIT, UNIT], 16)
const fold = memory.data<u64>([FOLD, FOLD], 16)
/**
 * Start values of the ten columns of a product. Column i gets a low part for each pair of limbs whose places add up to
 * i, and a high part for each pair of column i − 1; {@link storeProduct} adds a low part to each of columns 0 to 4, and
 * a high part to each of 1 to 4. Every part has the bits of LOW or HIGH besides its own, which are taken off here. What
 * is left may be negative: so columns 0 to 4 get 64 · p, and columns 5 to 8 get BIAS, which goes up as a carry, and is
 * taken off there.
 */
export const productStarts = memory.data<u64>(
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
/** Where the sums of columns 1 to 8 begin, for the half of a square that counts twice: the pairs of two different limbs. They are doubled. */
export const mixedStarts = memory.data<u64>(
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
/** Start values for a square, whose products of two limbs are doubled before those of each limb with itself are added. */
export const squareStarts = memory.data<u64>(
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
/** Start values of the carry above column 4. */
const overStart = memory.data<u64>([-HIGH, -HIGH], 16)
/** Start values of the parts that it adds to columns 0 and 1. */
const lowestStarts = memory.data<u64>([BIAS - LOW, BIAS - LOW, -BIAS_CARRIED - HIGH, -BIAS_CARRIED - HIGH], 16)

/** A limb as a floating-point number. */
// @inline
export function float(a: v128, one: v128): v128 {
  return f64x2.sub(i64x2.add(a, one), one)
}

/** @param c - 2^104. */
// @inline
export function high(a: v128, b: v128, c: v128): v128 {
  return v128.relaxed_madd<f64>(a, b, c)
}

/**
 * @param above - {@link high} of both.
 * @param l - 2^52 + 2^51.
 */
// @inline
export function low(a: v128, b: v128, above: v128, c: v128, l: v128): v128 {
  return v128.relaxed_madd<f64>(a, b, f64x2.add(f64x2.sub(c, above), l))
}

/** Brings ten columns of a product down to five limbs, and stores them. The upper five are not negative as a whole. */
// @inline
export function storeProduct(
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
