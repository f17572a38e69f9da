/** Sums, differences and small multiples of numbers as `fused-limbs.ts` has them. */
import { P0, P1, P2, P3, P4, storeCarried } from './fused-limbs.ts'

/** The limbs of 256 · p: nothing that is subtracted has any above them. */
const room = memory.data<u64>(
  [P0 << 8, P0 << 8, P1 << 8, P1 << 8, P2 << 8, P2 << 8, P3 << 8, P3 << 8, P4 << 8, P4 << 8],
  16,
)

/** Limb i of a number. */
// @inline
function at(a: usize, i: usize): v128 {
  return v128.load(a + (i << 4))
}

export function add(to: usize, a: usize, b: usize): void {
  storeCarried(
    to,
    i64x2.add(at(a, 0), at(b, 0)),
    i64x2.add(at(a, 1), at(b, 1)),
    i64x2.add(at(a, 2), at(b, 2)),
    i64x2.add(at(a, 3), at(b, 3)),
    i64x2.add(at(a, 4), at(b, 4)),
  )
}

// @inline
function three(a: v128): v128 {
  return i64x2.add(a, i64x2.shl(a, 1))
}

export function thrice(to: usize, a: usize): void {
  storeCarried(to, three(at(a, 0)), three(at(a, 1)), three(at(a, 2)), three(at(a, 3)), three(at(a, 4)))
}

// @inline
function negated(a: v128, i: usize, lanes: v128): v128 {
  return v128.bitselect(i64x2.sub(at(room, i), a), a, lanes)
}

export function negateIn(to: usize, a: usize, lanes: u32): void {
  const mask = i64x2.replace_lane(i64x2.splat(-(<i64>(lanes & 1))), 1, -(<i64>(lanes >> 1)))
  storeCarried(
    to,
    negated(at(a, 0), 0, mask),
    negated(at(a, 1), 1, mask),
    negated(at(a, 2), 2, mask),
    negated(at(a, 3), 3, mask),
    negated(at(a, 4), 4, mask),
  )
}

// @inline
function difference(a: v128, b: v128, i: usize): v128 {
  return i64x2.sub(i64x2.add(a, at(room, i)), b)
}

export function subtract(to: usize, a: usize, b: usize): void {
  storeCarried(
    to,
    difference(at(a, 0), at(b, 0), 0),
    difference(at(a, 1), at(b, 1), 1),
    difference(at(a, 2), at(b, 2), 2),
    difference(at(a, 3), at(b, 3), 3),
    difference(at(a, 4), at(b, 4), 4),
  )
}

export function subtractEightfold(to: usize, a: usize, b: usize): void {
  storeCarried(
    to,
    difference(at(a, 0), i64x2.shl(at(b, 0), 3), 0),
    difference(at(a, 1), i64x2.shl(at(b, 1), 3), 1),
    difference(at(a, 2), i64x2.shl(at(b, 2), 3), 2),
    difference(at(a, 3), i64x2.shl(at(b, 3), 3), 3),
    difference(at(a, 4), i64x2.shl(at(b, 4), 3), 4),
  )
}

export function subtractFromFourfold(to: usize, a: usize, b: usize): void {
  storeCarried(
    to,
    difference(i64x2.shl(at(a, 0), 2), at(b, 0), 0),
    difference(i64x2.shl(at(a, 1), 2), at(b, 1), 1),
    difference(i64x2.shl(at(a, 2), 2), at(b, 2), 2),
    difference(i64x2.shl(at(a, 3), 2), at(b, 3), 3),
    difference(i64x2.shl(at(a, 4), 2), at(b, 4), 4),
  )
}

// @inline
function differenceOfThree(a: v128, b: v128, c: v128, i: usize): v128 {
  return i64x2.sub(difference(a, b, i), c)
}

export function subtractBoth(to: usize, a: usize, b: usize, c: usize): void {
  storeCarried(
    to,
    differenceOfThree(at(a, 0), at(b, 0), i64x2.shl(at(c, 0), 1), 0),
    differenceOfThree(at(a, 1), at(b, 1), i64x2.shl(at(c, 1), 1), 1),
    differenceOfThree(at(a, 2), at(b, 2), i64x2.shl(at(c, 2), 1), 2),
    differenceOfThree(at(a, 3), at(b, 3), i64x2.shl(at(c, 3), 1), 3),
    differenceOfThree(at(a, 4), at(b, 4), i64x2.shl(at(c, 4), 1), 4),
  )
}

export function subtractTwo(to: usize, a: usize, b: usize, c: usize): void {
  storeCarried(
    to,
    differenceOfThree(at(a, 0), at(b, 0), at(c, 0), 0),
    differenceOfThree(at(a, 1), at(b, 1), at(c, 1), 1),
    differenceOfThree(at(a, 2), at(b, 2), at(c, 2), 2),
    differenceOfThree(at(a, 3), at(b, 3), at(c, 3), 3),
    differenceOfThree(at(a, 4), at(b, 4), at(c, 4), 4),
  )
}
