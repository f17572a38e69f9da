/**
 * Numbers modulo p = 2^256 − 2^32 − 977, of one signature each or of two side by side, as the module was compiled: above this
 * file, one is told from the other by its {@link LANES} alone. A number takes {@link FIELD_BYTES}; a lane is 0, or 1 where there are two.
 */
import * as fusedLimbs from './fused-limbs.ts'
import * as fusedProducts from './fused-products.ts'
import * as fusedSums from './fused-sums.ts'
import * as scalarLimbs from './scalar-limbs.ts'
import * as scalarProducts from './scalar-products.ts'
import * as scalarSums from './scalar-sums.ts'

/** Two signatures at a time, by fused multiplications of floating-point numbers; `x.ts?fused-wasm` makes it true. */
export const FUSED: bool = false

export const LANES: i32 = FUSED ? 2 : 1
/** Bytes of a number, for each lane. */
export const LANE_BYTES: usize = 40
export const FIELD_BYTES: usize = LANES * LANE_BYTES

/** Stores a number of one lane that is given in four 64-bit words, the lowest first. */
// @inline
export function storeWords(to: usize, lane: i32, v0: u64, v1: u64, v2: u64, v3: u64): void {
  if (FUSED) fusedLimbs.storeWords(to, lane, v0, v1, v2, v3)
  else scalarLimbs.storeWords(to, v0, v1, v2, v3)
}

/** Writes four 64-bit words of a normalized number in one lane, the lowest first. */
// @inline
export function loadWords(to: usize, a: usize, lane: i32): void {
  if (FUSED) fusedLimbs.loadWords(to, a, lane)
  else scalarLimbs.loadWords(to, a)
}

// @inline
export function copy(to: usize, from: usize): void {
  if (FUSED) fusedLimbs.copy(to, from)
  else scalarLimbs.copy(to, from)
}

/** Copies one lane from one number and the other from another. */
// @inline
export function join(to: usize, first: usize, second: usize): void {
  if (FUSED) fusedLimbs.join(to, first, second)
  else scalarLimbs.copy(to, first)
}

/** What {@link loadWords} has written: a number for each lane. */
// @inline
export function joinWords(to: usize, first: usize, second: usize): void {
  if (FUSED) fusedLimbs.joinWords(to, first, second)
  else scalarLimbs.storeWords(to, load<u64>(first), load<u64>(first, 8), load<u64>(first, 16), load<u64>(first, 24))
}

/** Whether a normalized number is 0. */
// @inline
export function isZero(a: usize, lane: i32): bool {
  if (FUSED) return fusedLimbs.isZero(a, lane)
  return scalarLimbs.isZero(a)
}

/** Whether a normalized number is odd. */
// @inline
export function isOdd(a: usize, lane: i32): bool {
  return (load<u32>(a + ((<usize>lane) << 3)) & 1) != 0
}

/** The number itself, below p. `to` may be `a`. */
// @inline
export function normalize(to: usize, a: usize): void {
  if (FUSED) fusedLimbs.normalize(to, a)
  else scalarLimbs.normalize(to, a)
}

/** a · b; `to` may be either. */
// @inline
export function multiply(to: usize, a: usize, b: usize): void {
  if (FUSED) fusedProducts.multiply(to, a, b)
  else scalarProducts.multiply(to, a, b)
}

/** a²; `to` may be `a`. */
// @inline
export function square(to: usize, a: usize): void {
  if (FUSED) fusedProducts.square(to, a)
  else scalarProducts.square(to, a)
}

/** a squared `times` times over; at least once. */
export function squareTimes(to: usize, a: usize, times: i32): void {
  square(to, a)
  for (let i = 1; i < times; i++) square(to, to)
}

/** a + b. */
// @inline
export function add(to: usize, a: usize, b: usize): void {
  if (FUSED) fusedSums.add(to, a, b)
  else scalarSums.add(to, a, b)
}

/** 2a. */
// @inline
export function twice(to: usize, a: usize): void {
  if (FUSED) fusedSums.add(to, a, a)
  else scalarSums.add(to, a, a)
}

/** 3a. */
// @inline
export function thrice(to: usize, a: usize): void {
  if (FUSED) fusedSums.thrice(to, a)
  else scalarSums.scale(to, a, 3)
}

/** −a, in the lanes whose bit in `lanes` is 1. */
// @inline
export function negateIn(to: usize, a: usize, lanes: u32): void {
  if (FUSED) fusedSums.negateIn(to, a, lanes)
  else if (lanes) scalarSums.negate(to, a)
  else scalarLimbs.copy(to, a)
}

/** a − b. */
// @inline
export function subtract(to: usize, a: usize, b: usize): void {
  if (FUSED) fusedSums.subtract(to, a, b)
  else scalarSums.subtractScaled(to, a, b, 1)
}

/** a − 8b. */
// @inline
export function subtractEightfold(to: usize, a: usize, b: usize): void {
  if (FUSED) fusedSums.subtractEightfold(to, a, b)
  else scalarSums.subtractScaled(to, a, b, 8)
}

/** 4a − b. */
// @inline
export function subtractFromFourfold(to: usize, a: usize, b: usize): void {
  if (FUSED) fusedSums.subtractFromFourfold(to, a, b)
  else scalarSums.subtractFromFourfold(to, a, b)
}

/** a − b − 2c. */
// @inline
export function subtractBoth(to: usize, a: usize, b: usize, c: usize): void {
  if (FUSED) fusedSums.subtractBoth(to, a, b, c)
  else scalarSums.subtractBoth(to, a, b, c)
}

/** a − b − c. */
// @inline
export function subtractTwo(to: usize, a: usize, b: usize, c: usize): void {
  if (FUSED) fusedSums.subtractTwo(to, a, b, c)
  else scalarSums.subtractTwo(to, a, b, c)
}
