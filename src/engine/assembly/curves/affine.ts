/**
 * Sums of two points that come in as coordinates and go out as such. The one inversion that they need would follow any other
 * formula, so these take the fewest products. The curves have no points of order 2.
 */

import { COORDINATE, GOOD, INFINITY, readG1, readG2, writeComplex, writeCoordinates } from './groups.ts'
import { invertComplex, invertFirst, squareComplex } from './numbers.ts'
import { multiplyComplex, multiplyPairs } from './products.ts'
import { join, scale, subtract } from './sums.ts'

const x1 = memory.data(128, 16)
const y1 = memory.data(128, 16)
const x2 = memory.data(128, 16)
const y2 = memory.data(128, 16)
const slope = memory.data(128, 16)
const under = memory.data(128, 16)
const x3 = memory.data(128, 16)
const y3 = memory.data(128, 16)

// @inline
function read<F>(x: usize, y: usize, at: usize): i32 {
  return isFloat<F>() ? readG2(x, y, at) : readG1(x, y, at)
}

// @inline
function multiply<F>(to: usize, a: usize, b: usize): void {
  if (isFloat<F>()) multiplyComplex(to, a, b)
  else multiplyPairs(to, a, b)
}

/** a², of size 2 at most. */
// @inline
function square<F>(to: usize, a: usize): void {
  if (isFloat<F>()) squareComplex(to, a)
  else multiplyPairs(to, a, a)
}

function isEqual(a: usize, b: usize, size: usize): bool {
  for (let i: usize = 0; i < size; i += 8) if (load<u64>(a + i) != load<u64>(b + i)) return false
  return true
}

/**
 * Writes the sum of two points, in any subgroup.
 *
 * @typeParam F - As in `points.ts`: i32 for the first group, f64 for the second curve.
 * @returns As reading points does.
 */
export function addAffine<F>(to: usize, input: usize): i32 {
  const coordinate = isFloat<F>() ? 2 * COORDINATE : COORDINATE
  const size = 2 * coordinate
  const first = read<F>(x1, y1, input)
  if (first > INFINITY) return first
  const second = read<F>(x2, y2, input + size)
  if (second > INFINITY) return second
  if (first == INFINITY || second == INFINITY) {
    memory.copy(to, first == INFINITY ? input + size : input, size)
    return GOOD
  }
  if (isEqual(input, input + size, coordinate)) {
    if (!isEqual(input + coordinate, input + size + coordinate, coordinate)) {
      memory.fill(to, 0, size)
      return GOOD
    }
    square<F>(slope, x1)
    scale(slope, slope, 3)
    scale(under, y1, 2)
  } else {
    subtract(slope, y2, y1)
    subtract(under, x2, x1)
  }
  if (isFloat<F>()) invertComplex(under, under)
  else invertFirst(under, under)
  multiply<F>(slope, slope, under)
  square<F>(x3, slope)
  subtract(x3, x3, x1)
  subtract(x3, x3, x2)
  subtract(y3, x1, x3)
  multiply<F>(y3, y3, slope)
  subtract(y3, y3, y1)
  if (isFloat<F>()) {
    writeComplex(to, x3)
    writeComplex(to + coordinate, y3)
  } else {
    join(x3, x3, y3)
    writeCoordinates(to, x3)
  }
  return GOOD
}
