/**
 * Products of two numbers modulo p side by side, in Montgomery's form: see `limbs.ts`. The product of two limbs is taken
 * twice, once rounded to a multiple of 2^BITS and once what that leaves. Both come as floating-point numbers of a known
 * exponent, whose mantissas are added up as integers; the exponents are taken off by what a column starts with.
 *
 * In each round the columns go down by one place: the lowest is made a multiple of 2^BITS by a multiple of p. In all rounds but
 * the last that is one of a multiple of p that is −1 modulo 2^BITS, so the factor is what stands in the lowest column, and
 * nothing waits for a product.
 *
 * Longer than most files: the products of both sizes are the same columns, written out.
 */

import { WIDE } from '../inversion/wide.ts'
import {
  BITS,
  complexStarts,
  halfAt,
  highAt,
  INVERSE_AT,
  LIMB_BYTES,
  lowAt,
  MULTIPLE_AT,
  maskAt,
  modulus,
  NUMBER_BYTES,
  pairStarts,
  shiftedAt,
  signAt,
  unitAt,
} from './limbs.ts'

/** a · b + c, rounded once. */
// @inline
function fused(a: v128, b: v128, c: v128): v128 {
  return v128.relaxed_madd<f64>(a, b, c)
}

/** Whether this machine's multiplication and addition round once. */
export function isFused(): bool {
  const above = f64x2.splat(1.0000000000000002)
  return f64x2.extract_lane(fused(above, above, f64x2.splat(-1.0000000000000004)), 0) != 0
}

/** The lanes, changed for each other. */
// @inline
function swapped(a: v128): v128 {
  return i64x2.shuffle(a, a, 1, 0)
}

/** What is not in the multiple of 2^BITS that `above` has. */
// @inline
function rest(a: v128, b: v128, above: v128, shifted: v128): v128 {
  return fused(a, b, f64x2.sub(shifted, above))
}

/** a · b in each lane; `to` may be either. */
export function multiplyPairs(to: usize, a: usize, b: usize): void {
  const c = v128.load(highAt)
  const k = v128.load(shiftedAt)
  const mask = v128.load(maskAt)
  const unit = v128.load(unitAt)
  const half = v128.load(halfAt)
  const p = modulus
  const b0 = v128.load(b, 0)
  const b1 = v128.load(b, 16)
  const b2 = v128.load(b, 32)
  const b3 = v128.load(b, 48)
  const b4 = v128.load(b, 64)
  const b5 = v128.load(b, 80)
  const b6 = WIDE ? v128.load(b, 96) : c
  const b7 = WIDE ? v128.load(b, 112) : c
  let t0 = v128.load(pairStarts, 0)
  let t1 = v128.load(pairStarts, 16)
  let t2 = v128.load(pairStarts, 32)
  let t3 = v128.load(pairStarts, 48)
  let t4 = v128.load(pairStarts, 64)
  let t5 = v128.load(pairStarts, 80)
  let t6 = v128.load(pairStarts, 96)
  let t7 = WIDE ? v128.load(pairStarts, 112) : c
  let t8 = WIDE ? v128.load(pairStarts, 128) : c
  let t9 = c
  let h: v128
  for (let i: usize = 0; i < NUMBER_BYTES; i += LIMB_BYTES) {
    if (WIDE) t9 = v128.load(pairStarts + i, NUMBER_BYTES + LIMB_BYTES)
    else t7 = v128.load(pairStarts + i, NUMBER_BYTES + LIMB_BYTES)
    const x = v128.load(a + i)
    h = fused(x, b0, c)
    t0 = i64x2.add(t0, rest(x, b0, h, k))
    t1 = i64x2.add(t1, h)
    const q = f64x2.sub(v128.or(v128.and(t0, mask), unit), half)
    h = fused(x, b1, c)
    t1 = i64x2.add(t1, rest(x, b1, h, k))
    t2 = i64x2.add(t2, h)
    h = fused(x, b2, c)
    t2 = i64x2.add(t2, rest(x, b2, h, k))
    t3 = i64x2.add(t3, h)
    h = fused(x, b3, c)
    t3 = i64x2.add(t3, rest(x, b3, h, k))
    t4 = i64x2.add(t4, h)
    h = fused(x, b4, c)
    t4 = i64x2.add(t4, rest(x, b4, h, k))
    t5 = i64x2.add(t5, h)
    h = fused(x, b5, c)
    t5 = i64x2.add(t5, rest(x, b5, h, k))
    t6 = i64x2.add(t6, h)
    if (WIDE) {
      h = fused(x, b6, c)
      t6 = i64x2.add(t6, rest(x, b6, h, k))
      t7 = i64x2.add(t7, h)
      h = fused(x, b7, c)
      t7 = i64x2.add(t7, rest(x, b7, h, k))
      t8 = i64x2.add(t8, h)
    }
    const m1 = v128.load(p, MULTIPLE_AT + 0)
    h = fused(q, m1, c)
    t1 = i64x2.add(t1, rest(q, m1, h, k))
    t2 = i64x2.add(t2, h)
    const m2 = v128.load(p, MULTIPLE_AT + 16)
    h = fused(q, m2, c)
    t2 = i64x2.add(t2, rest(q, m2, h, k))
    t3 = i64x2.add(t3, h)
    const m3 = v128.load(p, MULTIPLE_AT + 32)
    h = fused(q, m3, c)
    t3 = i64x2.add(t3, rest(q, m3, h, k))
    t4 = i64x2.add(t4, h)
    const m4 = v128.load(p, MULTIPLE_AT + 48)
    h = fused(q, m4, c)
    t4 = i64x2.add(t4, rest(q, m4, h, k))
    t5 = i64x2.add(t5, h)
    const m5 = v128.load(p, MULTIPLE_AT + 64)
    h = fused(q, m5, c)
    t5 = i64x2.add(t5, rest(q, m5, h, k))
    t6 = i64x2.add(t6, h)
    const m6 = v128.load(p, MULTIPLE_AT + 80)
    h = fused(q, m6, c)
    t6 = i64x2.add(t6, rest(q, m6, h, k))
    t7 = i64x2.add(t7, h)
    if (WIDE) {
      const m7 = v128.load(p, MULTIPLE_AT + 96)
      h = fused(q, m7, c)
      t7 = i64x2.add(t7, rest(q, m7, h, k))
      t8 = i64x2.add(t8, h)
      const m8 = v128.load(p, MULTIPLE_AT + 112)
      h = fused(q, m8, c)
      t8 = i64x2.add(t8, rest(q, m8, h, k))
      t9 = i64x2.add(t9, h)
    }
    t0 = i64x2.add(t1, i64x2.shr_u(t0, BITS))
    t1 = t2
    t2 = t3
    t3 = t4
    t4 = t5
    t5 = t6
    t6 = t7
    if (WIDE) {
      t7 = t8
      t8 = t9
    }
  }
  const u = f64x2.sub(v128.or(v128.and(t0, mask), unit), half)
  const inverse = v128.load(p, INVERSE_AT)
  h = fused(u, inverse, c)
  const q = f64x2.sub(rest(u, inverse, h, k), v128.load(lowAt))
  const p0 = v128.load(p, 0)
  h = fused(q, p0, c)
  t0 = i64x2.add(t0, rest(q, p0, h, k))
  t1 = i64x2.add(t1, h)
  const p1 = v128.load(p, 16)
  h = fused(q, p1, c)
  t1 = i64x2.add(t1, rest(q, p1, h, k))
  t2 = i64x2.add(t2, h)
  const p2 = v128.load(p, 32)
  h = fused(q, p2, c)
  t2 = i64x2.add(t2, rest(q, p2, h, k))
  t3 = i64x2.add(t3, h)
  const p3 = v128.load(p, 48)
  h = fused(q, p3, c)
  t3 = i64x2.add(t3, rest(q, p3, h, k))
  t4 = i64x2.add(t4, h)
  const p4 = v128.load(p, 64)
  h = fused(q, p4, c)
  t4 = i64x2.add(t4, rest(q, p4, h, k))
  t5 = i64x2.add(t5, h)
  const p5 = v128.load(p, 80)
  h = fused(q, p5, c)
  t5 = i64x2.add(t5, rest(q, p5, h, k))
  t6 = i64x2.add(t6, h)
  if (WIDE) {
    const p6 = v128.load(p, 96)
    h = fused(q, p6, c)
    t6 = i64x2.add(t6, rest(q, p6, h, k))
    t7 = i64x2.add(t7, h)
    const p7 = v128.load(p, 112)
    h = fused(q, p7, c)
    t7 = i64x2.add(t7, rest(q, p7, h, k))
    t8 = i64x2.add(t8, h)
  }
  t1 = i64x2.add(t1, i64x2.shr_u(t0, BITS))
  storeColumns(to, mask, unit, half, t1, t2, t3, t4, t5, t6, t7, t8)
}

/** (a₀ + a₁i)(b₀ + b₁i), where i² = −1: the real parts are in the first lane. `to` may be either. */
export function multiplyComplex(to: usize, a: usize, b: usize): void {
  const c = v128.load(highAt)
  const k = v128.load(shiftedAt)
  const mask = v128.load(maskAt)
  const unit = v128.load(unitAt)
  const half = v128.load(halfAt)
  const sign = v128.load(signAt)
  const p = modulus
  const b0 = v128.load(b, 0)
  const b1 = v128.load(b, 16)
  const b2 = v128.load(b, 32)
  const b3 = v128.load(b, 48)
  const b4 = v128.load(b, 64)
  const b5 = v128.load(b, 80)
  const b6 = WIDE ? v128.load(b, 96) : c
  const b7 = WIDE ? v128.load(b, 112) : c
  const s0 = swapped(b0)
  const s1 = swapped(b1)
  const s2 = swapped(b2)
  const s3 = swapped(b3)
  const s4 = swapped(b4)
  const s5 = swapped(b5)
  const s6 = WIDE ? swapped(b6) : c
  const s7 = WIDE ? swapped(b7) : c
  let t0 = v128.load(complexStarts, 0)
  let t1 = v128.load(complexStarts, 16)
  let t2 = v128.load(complexStarts, 32)
  let t3 = v128.load(complexStarts, 48)
  let t4 = v128.load(complexStarts, 64)
  let t5 = v128.load(complexStarts, 80)
  let t6 = v128.load(complexStarts, 96)
  let t7 = WIDE ? v128.load(complexStarts, 112) : c
  let t8 = WIDE ? v128.load(complexStarts, 128) : c
  let t9 = c
  let h: v128
  for (let i: usize = 0; i < NUMBER_BYTES; i += LIMB_BYTES) {
    if (WIDE) t9 = v128.load(complexStarts + i, NUMBER_BYTES + LIMB_BYTES)
    else t7 = v128.load(complexStarts + i, NUMBER_BYTES + LIMB_BYTES)
    const x = v128.load64_splat(a + i)
    const y = v128.xor(v128.load64_splat(a + i, 8), sign)
    h = fused(x, b0, c)
    t0 = i64x2.add(t0, rest(x, b0, h, k))
    t1 = i64x2.add(t1, h)
    h = fused(y, s0, c)
    t0 = i64x2.add(t0, rest(y, s0, h, k))
    t1 = i64x2.add(t1, h)
    const q = f64x2.sub(v128.or(v128.and(t0, mask), unit), half)
    h = fused(x, b1, c)
    t1 = i64x2.add(t1, rest(x, b1, h, k))
    t2 = i64x2.add(t2, h)
    h = fused(y, s1, c)
    t1 = i64x2.add(t1, rest(y, s1, h, k))
    t2 = i64x2.add(t2, h)
    h = fused(x, b2, c)
    t2 = i64x2.add(t2, rest(x, b2, h, k))
    t3 = i64x2.add(t3, h)
    h = fused(y, s2, c)
    t2 = i64x2.add(t2, rest(y, s2, h, k))
    t3 = i64x2.add(t3, h)
    h = fused(x, b3, c)
    t3 = i64x2.add(t3, rest(x, b3, h, k))
    t4 = i64x2.add(t4, h)
    h = fused(y, s3, c)
    t3 = i64x2.add(t3, rest(y, s3, h, k))
    t4 = i64x2.add(t4, h)
    h = fused(x, b4, c)
    t4 = i64x2.add(t4, rest(x, b4, h, k))
    t5 = i64x2.add(t5, h)
    h = fused(y, s4, c)
    t4 = i64x2.add(t4, rest(y, s4, h, k))
    t5 = i64x2.add(t5, h)
    h = fused(x, b5, c)
    t5 = i64x2.add(t5, rest(x, b5, h, k))
    t6 = i64x2.add(t6, h)
    h = fused(y, s5, c)
    t5 = i64x2.add(t5, rest(y, s5, h, k))
    t6 = i64x2.add(t6, h)
    if (WIDE) {
      h = fused(x, b6, c)
      t6 = i64x2.add(t6, rest(x, b6, h, k))
      t7 = i64x2.add(t7, h)
      h = fused(y, s6, c)
      t6 = i64x2.add(t6, rest(y, s6, h, k))
      t7 = i64x2.add(t7, h)
      h = fused(x, b7, c)
      t7 = i64x2.add(t7, rest(x, b7, h, k))
      t8 = i64x2.add(t8, h)
      h = fused(y, s7, c)
      t7 = i64x2.add(t7, rest(y, s7, h, k))
      t8 = i64x2.add(t8, h)
    }
    const m1 = v128.load(p, MULTIPLE_AT + 0)
    h = fused(q, m1, c)
    t1 = i64x2.add(t1, rest(q, m1, h, k))
    t2 = i64x2.add(t2, h)
    const m2 = v128.load(p, MULTIPLE_AT + 16)
    h = fused(q, m2, c)
    t2 = i64x2.add(t2, rest(q, m2, h, k))
    t3 = i64x2.add(t3, h)
    const m3 = v128.load(p, MULTIPLE_AT + 32)
    h = fused(q, m3, c)
    t3 = i64x2.add(t3, rest(q, m3, h, k))
    t4 = i64x2.add(t4, h)
    const m4 = v128.load(p, MULTIPLE_AT + 48)
    h = fused(q, m4, c)
    t4 = i64x2.add(t4, rest(q, m4, h, k))
    t5 = i64x2.add(t5, h)
    const m5 = v128.load(p, MULTIPLE_AT + 64)
    h = fused(q, m5, c)
    t5 = i64x2.add(t5, rest(q, m5, h, k))
    t6 = i64x2.add(t6, h)
    const m6 = v128.load(p, MULTIPLE_AT + 80)
    h = fused(q, m6, c)
    t6 = i64x2.add(t6, rest(q, m6, h, k))
    t7 = i64x2.add(t7, h)
    if (WIDE) {
      const m7 = v128.load(p, MULTIPLE_AT + 96)
      h = fused(q, m7, c)
      t7 = i64x2.add(t7, rest(q, m7, h, k))
      t8 = i64x2.add(t8, h)
      const m8 = v128.load(p, MULTIPLE_AT + 112)
      h = fused(q, m8, c)
      t8 = i64x2.add(t8, rest(q, m8, h, k))
      t9 = i64x2.add(t9, h)
    }
    t0 = i64x2.add(t1, i64x2.shr_u(t0, BITS))
    t1 = t2
    t2 = t3
    t3 = t4
    t4 = t5
    t5 = t6
    t6 = t7
    if (WIDE) {
      t7 = t8
      t8 = t9
    }
  }
  const u = f64x2.sub(v128.or(v128.and(t0, mask), unit), half)
  const inverse = v128.load(p, INVERSE_AT)
  h = fused(u, inverse, c)
  const q = f64x2.sub(rest(u, inverse, h, k), v128.load(lowAt))
  const p0 = v128.load(p, 0)
  h = fused(q, p0, c)
  t0 = i64x2.add(t0, rest(q, p0, h, k))
  t1 = i64x2.add(t1, h)
  const p1 = v128.load(p, 16)
  h = fused(q, p1, c)
  t1 = i64x2.add(t1, rest(q, p1, h, k))
  t2 = i64x2.add(t2, h)
  const p2 = v128.load(p, 32)
  h = fused(q, p2, c)
  t2 = i64x2.add(t2, rest(q, p2, h, k))
  t3 = i64x2.add(t3, h)
  const p3 = v128.load(p, 48)
  h = fused(q, p3, c)
  t3 = i64x2.add(t3, rest(q, p3, h, k))
  t4 = i64x2.add(t4, h)
  const p4 = v128.load(p, 64)
  h = fused(q, p4, c)
  t4 = i64x2.add(t4, rest(q, p4, h, k))
  t5 = i64x2.add(t5, h)
  const p5 = v128.load(p, 80)
  h = fused(q, p5, c)
  t5 = i64x2.add(t5, rest(q, p5, h, k))
  t6 = i64x2.add(t6, h)
  if (WIDE) {
    const p6 = v128.load(p, 96)
    h = fused(q, p6, c)
    t6 = i64x2.add(t6, rest(q, p6, h, k))
    t7 = i64x2.add(t7, h)
    const p7 = v128.load(p, 112)
    h = fused(q, p7, c)
    t7 = i64x2.add(t7, rest(q, p7, h, k))
    t8 = i64x2.add(t8, h)
  }
  t1 = i64x2.add(t1, i64x2.shr_u(t0, BITS))
  storeColumns(to, mask, unit, half, t1, t2, t3, t4, t5, t6, t7, t8)
}

/** Carries columns on, and stores them as limbs. */
// @inline
function storeColumns(
  to: usize,
  mask: v128,
  unit: v128,
  half: v128,
  t0: v128,
  t1: v128,
  t2: v128,
  t3: v128,
  t4: v128,
  t5: v128,
  t6: v128,
  t7: v128,
): void {
  storeLimb(to, t0, mask, unit, half)
  t1 = i64x2.add(t1, i64x2.shr_u(t0, BITS))
  storeLimb(to + LIMB_BYTES, t1, mask, unit, half)
  t2 = i64x2.add(t2, i64x2.shr_u(t1, BITS))
  storeLimb(to + 2 * LIMB_BYTES, t2, mask, unit, half)
  t3 = i64x2.add(t3, i64x2.shr_u(t2, BITS))
  storeLimb(to + 3 * LIMB_BYTES, t3, mask, unit, half)
  t4 = i64x2.add(t4, i64x2.shr_u(t3, BITS))
  storeLimb(to + 4 * LIMB_BYTES, t4, mask, unit, half)
  t5 = i64x2.add(t5, i64x2.shr_u(t4, BITS))
  if (WIDE) {
    storeLimb(to + 5 * LIMB_BYTES, t5, mask, unit, half)
    t6 = i64x2.add(t6, i64x2.shr_u(t5, BITS))
    storeLimb(to + 6 * LIMB_BYTES, t6, mask, unit, half)
    storeTop(to + 7 * LIMB_BYTES, i64x2.add(t7, i64x2.shr_u(t6, BITS)))
  } else {
    storeTop(to + 5 * LIMB_BYTES, t5)
  }
}

// @inline
function storeLimb(at: usize, column: v128, mask: v128, unit: v128, half: v128): void {
  v128.store(at, f64x2.sub(v128.or(v128.and(column, mask), unit), half))
}

/** The highest limb has the sign. */
// @inline
function storeTop(at: usize, column: v128): void {
  const low = v128.load(lowAt)
  v128.store(at, f64x2.sub(i64x2.add(column, low), low))
}
