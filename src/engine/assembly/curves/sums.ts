/** Sums, differences and small multiples of numbers as `limbs.ts` has them; `to` may be any of the others. */

import { WIDE } from '../inversion/wide.ts'
import { downAt, highAt, LIMB_BYTES, LIMBS, lowAt, modulus, NUMBER_BYTES, RATIO_AT, signAt } from './limbs.ts'

// @inline
function limb(a: usize, i: usize): v128 {
  return v128.load(a + (i << 4))
}

// @inline
function put(to: usize, i: usize, value: v128): void {
  v128.store(to + (i << 4), value)
}

// @inline
function swapped(a: v128): v128 {
  return i64x2.shuffle(a, a, 1, 0)
}

export function copy(to: usize, from: usize): void {
  memory.copy(to, from, NUMBER_BYTES)
}

export function clear(to: usize): void {
  memory.fill(to, 0, NUMBER_BYTES)
}

// @inline
function addLimb(to: usize, a: usize, b: usize, i: usize): void {
  put(to, i, f64x2.add(limb(a, i), limb(b, i)))
}

/** a + b: the sum of their sizes. */
export function add(to: usize, a: usize, b: usize): void {
  addLimb(to, a, b, 0)
  addLimb(to, a, b, 1)
  addLimb(to, a, b, 2)
  addLimb(to, a, b, 3)
  addLimb(to, a, b, 4)
  addLimb(to, a, b, 5)
  if (WIDE) {
    addLimb(to, a, b, 6)
    addLimb(to, a, b, 7)
  }
}

// @inline
function subtractLimb(to: usize, a: usize, b: usize, i: usize): void {
  put(to, i, f64x2.sub(limb(a, i), limb(b, i)))
}

/** a − b: the sum of their sizes. */
export function subtract(to: usize, a: usize, b: usize): void {
  subtractLimb(to, a, b, 0)
  subtractLimb(to, a, b, 1)
  subtractLimb(to, a, b, 2)
  subtractLimb(to, a, b, 3)
  subtractLimb(to, a, b, 4)
  subtractLimb(to, a, b, 5)
  if (WIDE) {
    subtractLimb(to, a, b, 6)
    subtractLimb(to, a, b, 7)
  }
}

/** a · factor: `factor` times its size. */
export function scale(to: usize, a: usize, factor: f64): void {
  const factors = f64x2.splat(factor)
  for (let i: usize = 0; i < <usize>LIMBS; i++) put(to, i, f64x2.mul(limb(a, i), factors))
}

/** Puts the sum of the lanes of a into each lane of `to`: twice its size. */
export function addLanes(to: usize, a: usize): void {
  for (let i: usize = 0; i < <usize>LIMBS; i++) {
    const value = limb(a, i)
    put(to, i, f64x2.add(value, swapped(value)))
  }
}

/** −a. */
export function negate(to: usize, a: usize): void {
  scale(to, a, -1)
}

/** (a₀, −a₁). */
export function conjugate(to: usize, a: usize): void {
  const sign = swapped(v128.load(signAt))
  for (let i: usize = 0; i < <usize>LIMBS; i++) put(to, i, v128.xor(limb(a, i), sign))
}

/** a · (real + i): `real + 1` times its size. */
export function multiplyByRoot(to: usize, a: usize, real: f64): void {
  const factors = f64x2.splat(real)
  const sign = v128.load(signAt)
  for (let i: usize = 0; i < <usize>LIMBS; i++) {
    const value = limb(a, i)
    put(to, i, f64x2.add(f64x2.mul(value, factors), v128.xor(swapped(value), sign)))
  }
}

/** The factors of a square of a₀ + a₁i: (a₀ + a₁, a₁) and (a₀ − a₁, 2a₀). Both have twice its size. */
export function squareFactors(first: usize, second: usize, a: usize): void {
  const sign = v128.load(signAt)
  for (let i: usize = 0; i < <usize>LIMBS; i++) {
    const value = limb(a, i)
    const other = swapped(value)
    // (a₁, 0) is added to (a₀, a₁).
    put(first, i, f64x2.add(value, v128.and(other, i64x2.replace_lane(i64x2.splat(-1), 1, 0))))
    put(second, i, f64x2.add(i64x2.shuffle(value, value, 0, 0), v128.xor(other, sign)))
  }
}

/** Puts a lane of a into each lane of `to`. @param lane - 0 or 1. */
export function splat(to: usize, a: usize, lane: usize): void {
  for (let i: usize = 0; i < NUMBER_BYTES; i += LIMB_BYTES) v128.store(to + i, v128.load64_splat(a + i + (lane << 3)))
}

/** The first lane is the first of a, and the second is the first of b. */
export function join(to: usize, a: usize, b: usize): void {
  for (let i: usize = 0; i < NUMBER_BYTES; i += LIMB_BYTES) {
    const first = load<u64>(a + i)
    const second = load<u64>(b + i)
    store<u64>(to + i, first)
    store<u64>(to + i, second, 8)
  }
}

/** The first lane of a and the second of b. */
export function blend(to: usize, a: usize, b: usize): void {
  for (let i: usize = 0; i < NUMBER_BYTES; i += LIMB_BYTES) {
    v128.store(to + i, i64x2.shuffle(v128.load(a + i), v128.load(b + i), 0, 3))
  }
}

// @inline
function reducedLimb(a: usize, i: usize, times: v128): v128 {
  return f64x2.sub(limb(a, i), f64x2.mul(times, limb(modulus, i)))
}

/** Stores what of a limb remains below 2^BITS, with what came up. @returns What goes up. */
// @inline
function carryLimb(to: usize, i: usize, value: v128, up: v128): v128 {
  const high = v128.load(highAt)
  const over = f64x2.sub(f64x2.add(value, high), high)
  put(to, i, f64x2.add(f64x2.sub(value, over), up))
  return f64x2.mul(over, v128.load(downAt))
}

/** a, less a multiple of p, so that it is not above 0.6 p; its limbs may exceed 2^(BITS − 1) by 64. */
export function reduce(to: usize, a: usize): void {
  const low = v128.load(lowAt)
  const top = limb(a, LIMBS - 1)
  const times = f64x2.sub(f64x2.add(f64x2.mul(top, v128.load(modulus, RATIO_AT)), low), low)
  let up = f64x2.splat(0)
  up = carryLimb(to, 0, reducedLimb(a, 0, times), up)
  up = carryLimb(to, 1, reducedLimb(a, 1, times), up)
  up = carryLimb(to, 2, reducedLimb(a, 2, times), up)
  up = carryLimb(to, 3, reducedLimb(a, 3, times), up)
  up = carryLimb(to, 4, reducedLimb(a, 4, times), up)
  if (WIDE) {
    up = carryLimb(to, 5, reducedLimb(a, 5, times), up)
    up = carryLimb(to, 6, reducedLimb(a, 6, times), up)
    put(to, 7, f64x2.add(reducedLimb(a, 7, times), up))
  } else {
    put(to, 5, f64x2.add(reducedLimb(a, 5, times), up))
  }
}
