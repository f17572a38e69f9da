import { copy, FIELD_BYTES } from './limbs.ts'
import { multiply, square } from './products.ts'
import { scale, subtract, subtractBoth, subtractScaled } from './sums.ts'

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

const slope = memory.data(40, 16)
const xSquare = memory.data(40, 16)
const ySquare = memory.data(40, 16)
const yFourth = memory.data(40, 16)
const xySquare = memory.data(40, 16)

/** Doubles a point in place (dbl-2009-l). */
export function double(point: usize): void {
  const x = point
  const y = yOf(point)
  const z = zOf(point)
  square(xSquare, x)
  square(ySquare, y)
  square(yFourth, ySquare)
  multiply(xySquare, x, ySquare)
  scale(slope, xSquare, 3)
  multiply(z, y, z)
  scale(z, z, 2)
  // X' = M² − 8XY²; Y' = M(4XY² − X') − 8Y⁴
  square(xSquare, slope)
  subtractScaled(x, xSquare, xySquare, 8)
  scale(xySquare, xySquare, 4)
  subtract(xySquare, xySquare, x)
  multiply(xySquare, slope, xySquare)
  subtractScaled(y, xySquare, yFourth, 8)
}

const zSquare = memory.data(40, 16)
const h = memory.data(40, 16)
const hSquare = memory.data(40, 16)
const hCube = memory.data(40, 16)
const r = memory.data(40, 16)
const v = memory.data(40, 16)
const newX = memory.data(40, 16)
const newY = memory.data(40, 16)

/**
 * Adds an affine point (madd). Where the two are equal or opposite, Z becomes 0: the formula does not hold then, and
 * whoever finds 0 at the end has to do it another way.
 *
 * @param to - May be `point`.
 */
export function addAffine(to: usize, point: usize, x: usize, y: usize): void {
  square(zSquare, zOf(point))
  multiply(h, x, zSquare)
  subtract(h, h, point)
  multiply(r, y, zOf(point))
  multiply(r, r, zSquare)
  subtract(r, r, yOf(point))
  square(hSquare, h)
  multiply(hCube, hSquare, h)
  multiply(v, point, hSquare)
  // X' = r² − h³ − 2v; Y' = r(v − X') − Yh³; Z' = Zh
  square(newX, r)
  subtractBoth(newX, newX, hCube, v)
  subtract(newY, v, newX)
  multiply(newY, r, newY)
  multiply(hCube, yOf(point), hCube)
  multiply(zOf(to), zOf(point), h)
  copy(to, newX)
  subtract(yOf(to), newY, hCube)
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
