import {
  copy,
  FIELD_BYTES,
  multiply,
  square,
  subtract,
  subtractBoth,
  subtractEightfold,
  subtractFromFourfold,
  thrice,
  twice,
} from './field.ts'

/**
 * Points of the curve y² = x³ + 7. In Jacobian coordinates X, Y, Z stand for x = X / Z², y = Y / Z³; Z = 0 is the point at
 * infinity, and stays 0 whatever is done to it. An affine point is x and y.
 */
export const JACOBIAN_BYTES: usize = 3 * FIELD_BYTES

// @inline
export function yOf(point: usize): usize {
  return point + FIELD_BYTES
}

// @inline
export function zOf(point: usize): usize {
  return point + 2 * FIELD_BYTES
}

const slope = memory.data(80, 16)
const xSquare = memory.data(80, 16)
const ySquare = memory.data(80, 16)
const yFourth = memory.data(80, 16)
const xySquare = memory.data(80, 16)

/** Doubles a point in place (dbl-2009-l). */
export function double(point: usize): void {
  const x = point
  const y = yOf(point)
  const z = zOf(point)
  square(xSquare, x)
  square(ySquare, y)
  square(yFourth, ySquare)
  multiply(xySquare, x, ySquare)
  thrice(slope, xSquare)
  multiply(z, y, z)
  twice(z, z)
  // X' = M² − 8XY²; Y' = M(4XY² − X') − 8Y⁴
  square(xSquare, slope)
  subtractEightfold(x, xSquare, xySquare)
  subtractFromFourfold(xySquare, xySquare, x)
  multiply(xySquare, slope, xySquare)
  subtractEightfold(y, xySquare, yFourth)
}

const zSquare = memory.data(80, 16)
const h = memory.data(80, 16)
const hSquare = memory.data(80, 16)
const hCube = memory.data(80, 16)
const r = memory.data(80, 16)
const v = memory.data(80, 16)
const newX = memory.data(80, 16)

/**
 * Adds an affine point in place (madd). If the two are equal or opposite, Z becomes 0: the formula does not hold, and
 * a caller that finds 0 at the end must compute the sum another way.
 */
export function addAffine(point: usize, affine: usize): void {
  const x = point
  const y = yOf(point)
  const z = zOf(point)
  square(zSquare, z)
  multiply(h, affine, zSquare)
  subtract(h, h, x)
  multiply(r, yOf(affine), z)
  multiply(r, r, zSquare)
  subtract(r, r, y)
  square(hSquare, h)
  multiply(hCube, hSquare, h)
  multiply(v, x, hSquare)
  // X' = r² − h³ − 2v; Y' = r(v − X') − Yh³; Z' = Zh
  square(newX, r)
  subtractBoth(newX, newX, hCube, v)
  subtract(v, v, newX)
  multiply(v, r, v)
  multiply(hCube, y, hCube)
  multiply(z, z, h)
  copy(x, newX)
  subtract(y, v, hCube)
}

/**
 * Makes a point affine in place.
 *
 * @param inverse - 1 / Z.
 */
export function toAffine(point: usize, inverse: usize): void {
  square(zSquare, inverse)
  multiply(point, point, zSquare)
  multiply(zSquare, zSquare, inverse)
  multiply(yOf(point), yOf(point), zSquare)
}
