/** Products of numbers as `scalar-limbs.ts` has them. */
import { FOLD, LIMB, LIMB_BITS, storeLimbs } from './scalar-limbs.ts'

/** Brings the seventeen columns of a product, each below 2^63, down to nine limbs, and stores them. */
// @inline
function storeProduct(
  to: usize,
  c0: u64,
  c1: u64,
  c2: u64,
  c3: u64,
  c4: u64,
  c5: u64,
  c6: u64,
  c7: u64,
  c8: u64,
  c9: u64,
  c10: u64,
  c11: u64,
  c12: u64,
  c13: u64,
  c14: u64,
  c15: u64,
  c16: u64,
): void {
  c10 += c9 >> LIMB_BITS
  c9 &= LIMB
  c11 += c10 >> LIMB_BITS
  c10 &= LIMB
  c12 += c11 >> LIMB_BITS
  c11 &= LIMB
  c13 += c12 >> LIMB_BITS
  c12 &= LIMB
  c14 += c13 >> LIMB_BITS
  c13 &= LIMB
  c15 += c14 >> LIMB_BITS
  c14 &= LIMB
  c16 += c15 >> LIMB_BITS
  c15 &= LIMB
  const c17 = c16 >> LIMB_BITS
  c16 &= LIMB
  c0 += c9 * FOLD
  c1 += c10 * FOLD + (c9 << 8)
  c2 += c11 * FOLD + (c10 << 8)
  c3 += c12 * FOLD + (c11 << 8)
  c4 += c13 * FOLD + (c12 << 8)
  c5 += c14 * FOLD + (c13 << 8)
  c6 += c15 * FOLD + (c14 << 8)
  c7 += c16 * FOLD + (c15 << 8)
  c8 += c17 * FOLD + (c16 << 8)
  c1 += c0 >> LIMB_BITS
  c0 &= LIMB
  c2 += c1 >> LIMB_BITS
  c1 &= LIMB
  c3 += c2 >> LIMB_BITS
  c2 &= LIMB
  c4 += c3 >> LIMB_BITS
  c3 &= LIMB
  c5 += c4 >> LIMB_BITS
  c4 &= LIMB
  c6 += c5 >> LIMB_BITS
  c5 &= LIMB
  c7 += c6 >> LIMB_BITS
  c6 &= LIMB
  c8 += c7 >> LIMB_BITS
  c7 &= LIMB
  const over = (c8 >> LIMB_BITS) + (c17 << 8)
  c8 &= LIMB
  c0 += over * FOLD
  c1 += (over << 8) + (c0 >> LIMB_BITS)
  c0 &= LIMB
  c2 += c1 >> LIMB_BITS
  c1 &= LIMB
  storeLimbs(to, c0, c1, c2, c3, c4, c5, c6, c7, c8)
}

/** a · b; `to` may be either. */
export function multiply(to: usize, a: usize, b: usize): void {
  const a0: u64 = load<u32>(a)
  const a1: u64 = load<u32>(a, 4)
  const a2: u64 = load<u32>(a, 8)
  const a3: u64 = load<u32>(a, 12)
  const a4: u64 = load<u32>(a, 16)
  const a5: u64 = load<u32>(a, 20)
  const a6: u64 = load<u32>(a, 24)
  const a7: u64 = load<u32>(a, 28)
  const a8: u64 = load<u32>(a, 32)
  const b0: u64 = load<u32>(b)
  const b1: u64 = load<u32>(b, 4)
  const b2: u64 = load<u32>(b, 8)
  const b3: u64 = load<u32>(b, 12)
  const b4: u64 = load<u32>(b, 16)
  const b5: u64 = load<u32>(b, 20)
  const b6: u64 = load<u32>(b, 24)
  const b7: u64 = load<u32>(b, 28)
  const b8: u64 = load<u32>(b, 32)
  storeProduct(
    to,
    a0 * b0,
    a0 * b1 + a1 * b0,
    a0 * b2 + a1 * b1 + a2 * b0,
    a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0,
    a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0,
    a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0,
    a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0,
    a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0,
    a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0,
    a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1,
    a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2,
    a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3,
    a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4,
    a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5,
    a6 * b8 + a7 * b7 + a8 * b6,
    a7 * b8 + a8 * b7,
    a8 * b8,
  )
}

/** a²; `to` may be `a`. */
export function square(to: usize, a: usize): void {
  const a0: u64 = load<u32>(a)
  const a1: u64 = load<u32>(a, 4)
  const a2: u64 = load<u32>(a, 8)
  const a3: u64 = load<u32>(a, 12)
  const a4: u64 = load<u32>(a, 16)
  const a5: u64 = load<u32>(a, 20)
  const a6: u64 = load<u32>(a, 24)
  const a7: u64 = load<u32>(a, 28)
  const a8: u64 = load<u32>(a, 32)
  const d0 = a0 << 1
  const d1 = a1 << 1
  const d2 = a2 << 1
  const d3 = a3 << 1
  const d4 = a4 << 1
  const d5 = a5 << 1
  const d6 = a6 << 1
  const d7 = a7 << 1
  storeProduct(
    to,
    a0 * a0,
    d0 * a1,
    d0 * a2 + a1 * a1,
    d0 * a3 + d1 * a2,
    d0 * a4 + d1 * a3 + a2 * a2,
    d0 * a5 + d1 * a4 + d2 * a3,
    d0 * a6 + d1 * a5 + d2 * a4 + a3 * a3,
    d0 * a7 + d1 * a6 + d2 * a5 + d3 * a4,
    d0 * a8 + d1 * a7 + d2 * a6 + d3 * a5 + a4 * a4,
    d1 * a8 + d2 * a7 + d3 * a6 + d4 * a5,
    d2 * a8 + d3 * a7 + d4 * a6 + a5 * a5,
    d3 * a8 + d4 * a7 + d5 * a6,
    d4 * a8 + d5 * a7 + a6 * a6,
    d5 * a8 + d6 * a7,
    d6 * a8 + a7 * a7,
    d7 * a8,
    a8 * a8,
  )
}
