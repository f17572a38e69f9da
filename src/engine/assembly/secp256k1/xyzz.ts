/**
 * Points as X, Y, ZZ, ZZZ: x = X / ZZ, y = Y / ZZZ, with ZZ³ = ZZZ². Adding to one takes a multiplication less than in Jacobian
 * coordinates. What is 0 of ZZZ stays 0: then two points were equal or opposite on the way.
 */
import { copy, FIELD_BYTES, multiply, square, subtract, subtractBoth } from './field.ts'
import { yOf, zOf } from './point.ts'

export const XYZZ_BYTES: usize = 4 * FIELD_BYTES

// @inline
export function zzzOf(point: usize): usize {
  return point + 3 * FIELD_BYTES
}

const h = memory.data(80, 16)
const hSquare = memory.data(80, 16)
const hCube = memory.data(80, 16)
const r = memory.data(80, 16)
const v = memory.data(80, 16)
const ofY = memory.data(80, 16)

/** Adds an affine point in place (madd-2008-s). */
export function addAffineTo(point: usize, affine: usize): void {
  multiply(h, affine, zOf(point))
  multiply(r, yOf(affine), zzzOf(point))
  add(point, point, yOf(point))
}

/** Adds two points (add-2008-s). */
export function addPoints(point: usize, other: usize): void {
  multiply(h, other, zOf(point))
  multiply(r, yOf(other), zzzOf(point))
  multiply(v, point, zOf(other))
  multiply(ofY, yOf(point), zzzOf(other))
  multiply(zOf(point), zOf(point), zOf(other))
  multiply(zzzOf(point), zzzOf(point), zzzOf(other))
  add(point, v, ofY)
}

/** What both have in common. */
function add(point: usize, x: usize, y: usize): void {
  subtract(h, h, x)
  subtract(r, r, y)
  square(hSquare, h)
  multiply(hCube, hSquare, h)
  multiply(v, x, hSquare)
  multiply(zOf(point), zOf(point), hSquare)
  multiply(zzzOf(point), zzzOf(point), hCube)
  multiply(ofY, y, hCube)
  // X' = r² − h³ − 2v; Y' = r(v − X') − Yh³
  square(point, r)
  subtractBoth(point, point, hCube, v)
  subtract(v, v, point)
  multiply(v, r, v)
  subtract(yOf(point), v, ofY)
}

/**
 * Makes a point affine in place.
 *
 * @param inverse - 1 / ZZZ.
 */
export function toAffineFrom(point: usize, inverse: usize): void {
  multiply(yOf(point), yOf(point), inverse)
  multiply(h, zOf(point), inverse)
  square(h, h)
  multiply(point, point, h)
}
