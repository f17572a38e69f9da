/**
 * Numbers modulo p = 2^256 − 2^32 − 977, two side by side: five limbs of 52 bits, the lowest first, each an i64x2 in memory.
 * Numbers stand for themselves plus any multiple of p below 2^260. A limb is at most 2^52, itself included, so that it is
 * exact as a floating-point number.
 */
const LIMB: u64 = 0xfffffffffffff
const LIMB_BITS: i32 = 52
/** The limbs of p. */
export const P0: u64 = 0xffffefffffc2f
export const P1: u64 = LIMB
export const P2: u64 = LIMB
export const P3: u64 = LIMB
export const P4: u64 = 0xffffffffffff
/** The bits of a limb, for both lanes. */
export const MASK = memory.data<u64>([LIMB, LIMB], 16)

// @inline
function put(to: usize, lane: i32, a0: u64, a1: u64, a2: u64, a3: u64, a4: u64): void {
  const at = to + ((<usize>lane) << 3)
  store<u64>(at, a0)
  store<u64>(at, a1, 16)
  store<u64>(at, a2, 32)
  store<u64>(at, a3, 48)
  store<u64>(at, a4, 64)
}

export function storeWords(to: usize, lane: i32, v0: u64, v1: u64, v2: u64, v3: u64): void {
  put(
    to,
    lane,
    v0 & LIMB,
    ((v0 >> 52) | (v1 << 12)) & LIMB,
    ((v1 >> 40) | (v2 << 24)) & LIMB,
    ((v2 >> 28) | (v3 << 36)) & LIMB,
    v3 >> 16,
  )
}

export function loadWords(to: usize, a: usize, lane: i32): void {
  const at = a + ((<usize>lane) << 3)
  const a0 = load<u64>(at)
  const a1 = load<u64>(at, 16)
  const a2 = load<u64>(at, 32)
  const a3 = load<u64>(at, 48)
  const a4 = load<u64>(at, 64)
  store<u64>(to, a0 | (a1 << 52))
  store<u64>(to, (a1 >> 12) | (a2 << 40), 8)
  store<u64>(to, (a2 >> 24) | (a3 << 28), 16)
  store<u64>(to, (a3 >> 36) | (a4 << 16), 24)
}

export function copy(to: usize, from: usize): void {
  v128.store(to, v128.load(from))
  v128.store(to, v128.load(from, 16), 16)
  v128.store(to, v128.load(from, 32), 32)
  v128.store(to, v128.load(from, 48), 48)
  v128.store(to, v128.load(from, 64), 64)
}

export function join(to: usize, first: usize, second: usize): void {
  const other = second + 8
  v128.store(to, v128.load_lane<u64>(other, v128.load_zero<u64>(first), 1))
  v128.store(to, v128.load_lane<u64>(other, v128.load_zero<u64>(first, 16), 1, 16), 16)
  v128.store(to, v128.load_lane<u64>(other, v128.load_zero<u64>(first, 32), 1, 32), 32)
  v128.store(to, v128.load_lane<u64>(other, v128.load_zero<u64>(first, 48), 1, 48), 48)
  v128.store(to, v128.load_lane<u64>(other, v128.load_zero<u64>(first, 64), 1, 64), 64)
}

export function isZero(a: usize, lane: i32): bool {
  const at = a + ((<usize>lane) << 3)
  return (load<u64>(at) | load<u64>(at, 16) | load<u64>(at, 32) | load<u64>(at, 48) | load<u64>(at, 64)) == 0
}

/** Two normalized numbers of four 64-bit words, the lowest first. */
export function joinWords(to: usize, first: usize, second: usize): void {
  const v0 = v128.load_lane<u64>(second, v128.load_zero<u64>(first), 1)
  const v1 = v128.load_lane<u64>(second, v128.load_zero<u64>(first, 8), 1, 8)
  const v2 = v128.load_lane<u64>(second, v128.load_zero<u64>(first, 16), 1, 16)
  const v3 = v128.load_lane<u64>(second, v128.load_zero<u64>(first, 24), 1, 24)
  const mask = v128.load(MASK)
  v128.store(to, v128.and(v0, mask))
  v128.store(to, v128.and(v128.or(i64x2.shr_u(v0, 52), i64x2.shl(v1, 12)), mask), 16)
  v128.store(to, v128.and(v128.or(i64x2.shr_u(v1, 40), i64x2.shl(v2, 24)), mask), 32)
  v128.store(to, v128.and(v128.or(i64x2.shr_u(v2, 28), i64x2.shl(v3, 36)), mask), 48)
  v128.store(to, i64x2.shr_u(v3, 16), 64)
}

// @inline
export function limb(a: v128, mask: v128): v128 {
  return v128.and(a, mask)
}

// @inline
export function carry(a: v128): v128 {
  return i64x2.shr_u(a, LIMB_BITS)
}

/** Carries limbs below 2^63 on, the highest below 2^60; folds what stands above it, and stores them. */
// @inline
export function storeCarried(to: usize, w0: v128, w1: v128, w2: v128, w3: v128, w4: v128): void {
  const mask = v128.load(MASK)
  w1 = i64x2.add(w1, carry(w0))
  w2 = i64x2.add(w2, carry(w1))
  w3 = i64x2.add(w3, carry(w2))
  w4 = i64x2.add(w4, carry(w3))
  // Below 2^15, so that the product of 16-bit numbers is the product.
  const over = carry(w4)
  w0 = i64x2.add(limb(w0, mask), i64x2.add(i64x2.shl(over, 36), i32x4.dot_i16x8_s(over, i32x4.splat(15632))))
  w1 = i64x2.add(limb(w1, mask), carry(w0))
  v128.store(to, limb(w0, mask))
  v128.store(to, limb(w1, mask), 16)
  v128.store(to, i64x2.add(limb(w2, mask), carry(w1)), 32)
  v128.store(to, limb(w3, mask), 48)
  v128.store(to, limb(w4, mask), 64)
}

export function normalize(to: usize, a: usize): void {
  let w0 = v128.load(a)
  let w1 = v128.load(a, 16)
  let w2 = v128.load(a, 32)
  let w3 = v128.load(a, 48)
  let w4 = v128.load(a, 64)
  const top = i64x2.splat(P4)
  const mask = v128.load(MASK)
  // 2^256 ≡ 2^32 + 977.
  for (let i = 0; i < 2; i++) {
    const over = i64x2.shr_u(w4, 48)
    w0 = i64x2.add(w0, i64x2.add(i64x2.shl(over, 32), i32x4.dot_i16x8_s(over, i32x4.splat(977))))
    w1 = i64x2.add(w1, carry(w0))
    w2 = i64x2.add(w2, carry(w1))
    w3 = i64x2.add(w3, carry(w2))
    w4 = i64x2.add(v128.and(w4, top), carry(w3))
    w0 = limb(w0, mask)
    w1 = limb(w1, mask)
    w2 = limb(w2, mask)
    w3 = limb(w3, mask)
  }
  // Whether it is p or more: then adding 2^256 − p carries out of 256 bits.
  const x0 = i64x2.add(w0, i64x2.splat((1 << 32) + 977))
  const x1 = i64x2.add(w1, carry(x0))
  const x2 = i64x2.add(w2, carry(x1))
  const x3 = i64x2.add(w3, carry(x2))
  const x4 = i64x2.add(w4, carry(x3))
  const isOver = i64x2.ne(i64x2.shr_u(x4, 48), i64x2.splat(0))
  v128.store(to, v128.bitselect(limb(x0, mask), w0, isOver))
  v128.store(to, v128.bitselect(limb(x1, mask), w1, isOver), 16)
  v128.store(to, v128.bitselect(limb(x2, mask), w2, isOver), 32)
  v128.store(to, v128.bitselect(limb(x3, mask), w3, isOver), 48)
  v128.store(to, v128.bitselect(v128.and(x4, top), w4, isOver), 64)
}
