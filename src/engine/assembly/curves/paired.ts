/** Sums of points as `points.ts` has them, over the field: two products at a time. */

import { WIDE } from '../inversion/wide.ts'
import { NUMBER_BYTES } from './limbs.ts'
import { multiplyPairs } from './products.ts'
import { add, addLanes, blend, reduce, scale, splat, subtract } from './sums.ts'

export const POINT_BYTES: usize = 3 * NUMBER_BYTES
export const Y_AT: usize = NUMBER_BYTES
export const Z_AT: usize = 2 * NUMBER_BYTES

/** b of P-256, in both lanes. */
export const p256B = memory.data(128, 16)

/** Whether the current curve is P-256; a curve with a = 0 otherwise. */
let isP256: bool = false

export function useP256(isIt: bool): void {
  isP256 = isIt
}

const t0 = memory.data(128, 16)
const t1 = memory.data(128, 16)
const t2 = memory.data(128, 16)
const t3 = memory.data(128, 16)
const t4 = memory.data(128, 16)
const x3 = memory.data(128, 16)
const y3 = memory.data(128, 16)
const z3 = memory.data(128, 16)
const l = memory.data(128, 16)
const r = memory.data(128, 16)
const m = memory.data(128, 16)
const n = memory.data(128, 16)

/** a · b in the first lane, c · d in the second. */
// @inline
function both(to: usize, a: usize, b: usize, c: usize, d: usize): void {
  blend(l, a, c)
  blend(r, b, d)
  multiplyPairs(to, l, r)
}

/** 3b · a: 12 on BLS12-381, where the result has size 3, and 9 on BN254. */
// @inline
function multiplyByThreeB(to: usize): void {
  if (WIDE) {
    scale(to, to, 4)
    reduce(to, to)
    scale(to, to, 3)
  } else {
    scale(to, to, 9)
  }
}

/** p + q; `to` may be either. */
export function addPaired(to: usize, p: usize, q: usize): void {
  both(m, p, q, p + Y_AT, q + Y_AT)
  splat(t0, m, 0)
  splat(t1, m, 1)
  add(x3, p, p + Y_AT)
  add(y3, q, q + Y_AT)
  both(m, p + Z_AT, q + Z_AT, x3, y3)
  splat(t2, m, 0)
  splat(t3, m, 1)
  subtract(t3, t3, t0)
  subtract(t3, t3, t1)
  add(x3, p + Y_AT, p + Z_AT)
  add(y3, q + Y_AT, q + Z_AT)
  add(z3, p, p + Z_AT)
  add(t4, q, q + Z_AT)
  both(m, x3, y3, z3, t4)
  splat(t4, m, 0)
  subtract(t4, t4, t1)
  subtract(t4, t4, t2)
  splat(y3, m, 1)
  subtract(y3, y3, t0)
  subtract(y3, y3, t2)
  if (!WIDE && isP256) {
    finishP256Sum(to)
    return
  }
  scale(t0, t0, 3)
  multiplyByThreeB(t2)
  add(z3, t1, t2)
  subtract(t1, t1, t2)
  multiplyByThreeB(y3)
  both(m, t4, y3, t3, t1)
  splat(to, m, 1)
  splat(n, m, 0)
  subtract(to, to, n)
  both(m, y3, t0, t1, z3)
  addLanes(to + Y_AT, m)
  both(m, t0, t3, z3, t4)
  addLanes(to + Z_AT, m)
}

function finishP256Sum(to: usize): void {
  blend(l, t2, y3)
  multiplyPairs(m, l, p256B)
  splat(z3, m, 0)
  subtract(x3, y3, z3)
  scale(x3, x3, 3)
  subtract(z3, t1, x3)
  add(x3, t1, x3)
  splat(y3, m, 1)
  scale(t2, t2, 3)
  subtract(y3, y3, t2)
  subtract(y3, y3, t0)
  scale(y3, y3, 3)
  scale(t0, t0, 3)
  subtract(t0, t0, t2)
  // t₄y₃ and t₀y₃; x₃z₃ and x₃t₃.
  both(m, t4, y3, t0, y3)
  both(n, x3, z3, x3, t3)
  splat(t1, m, 1)
  splat(t2, n, 0)
  add(to + Y_AT, t1, t2)
  splat(t1, m, 0)
  splat(t2, n, 1)
  subtract(to, t2, t1)
  both(m, t4, z3, t3, t0)
  addLanes(to + Z_AT, m)
}

/** 2p; `to` may be p. */
export function doublePaired(to: usize, p: usize): void {
  if (!WIDE && isP256) {
    doubleP256(to, p)
    return
  }
  both(m, p + Y_AT, p + Y_AT, p + Y_AT, p + Z_AT)
  both(n, p + Z_AT, p + Z_AT, p, p + Y_AT)
  splat(t0, m, 0)
  splat(t1, m, 1)
  splat(t2, n, 0)
  splat(t3, n, 1)
  multiplyByThreeB(t2)
  if (WIDE) reduce(t2, t2)
  scale(z3, t0, 8)
  add(y3, t0, t2)
  both(m, t2, z3, t1, z3)
  scale(t2, t2, 3)
  subtract(t0, t0, t2)
  both(n, t0, y3, t0, t3)
  splat(to + Z_AT, m, 1)
  splat(x3, m, 0)
  splat(y3, n, 0)
  add(to + Y_AT, x3, y3)
  splat(x3, n, 1)
  scale(to, x3, 2)
}

function doubleP256(to: usize, p: usize): void {
  both(m, p, p, p + Y_AT, p + Y_AT)
  both(n, p + Z_AT, p + Z_AT, p, p + Y_AT)
  splat(t0, m, 0)
  splat(t1, m, 1)
  splat(t2, n, 0)
  splat(t3, n, 1)
  both(m, p, p + Z_AT, p + Y_AT, p + Z_AT)
  splat(z3, m, 0)
  splat(t4, m, 1)
  scale(t3, t3, 2)
  scale(t4, t4, 2)
  scale(z3, z3, 2)
  both(m, t2, p256B, z3, p256B)
  splat(y3, m, 0)
  subtract(y3, y3, z3)
  scale(y3, y3, 3)
  subtract(x3, t1, y3)
  add(y3, t1, y3)
  both(n, x3, y3, x3, t3)
  splat(z3, m, 1)
  scale(t2, t2, 3)
  subtract(z3, z3, t2)
  subtract(z3, z3, t0)
  scale(z3, z3, 3)
  scale(t0, t0, 3)
  subtract(t0, t0, t2)
  both(m, z3, t0, z3, t4)
  add(y3, n, m)
  subtract(x3, n, m)
  splat(to + Y_AT, y3, 0)
  splat(to, x3, 1)
  multiplyPairs(t1, t4, t1)
  scale(to + Z_AT, t1, 4)
}
