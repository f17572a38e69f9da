/**
 * Batched additions of affine points: they share one inversion, so that each takes six
 * multiplications, about half as many as in Jacobian coordinates.
 */
import { copy, multiply, square, subtract, subtractTwo, thrice, twice } from './field.ts'
import { invertNumbers, numberAt } from './inversions.ts'
import { MAX_ADDITIONS } from './limits.ts'
import { yOf } from './point.ts'

/** An entry: the addresses for the sum, and for the difference or 0; both points. */
const ENTRY_BYTES: usize = 16
const waiting = memory.data(MAX_ADDITIONS * ENTRY_BYTES, 16)
let count: i32 = 0

/** to = a + b; `to` may be either. */
// @inline
export function addLater(to: usize, a: usize, b: usize): void {
  addAndSubtractLater(to, 0, a, b)
}

/** to = 2a. */
// @inline
export function doubleLater(to: usize, a: usize): void {
  addAndSubtractLater(to, 0, a, a)
}

/** sum = a + b, difference = a − b. */
export function addAndSubtractLater(sum: usize, difference: usize, a: usize, b: usize): void {
  const entry = waiting + <usize>count * ENTRY_BYTES
  store<u32>(entry, <u32>sum)
  store<u32>(entry, <u32>difference, 4)
  store<u32>(entry, <u32>a, 8)
  store<u32>(entry, <u32>b, 12)
  count++
}

/**
 * Performs the queued additions in order, but all with the current x of the points.
 *
 * @returns Whether some points could not be added, since they were equal or opposite, or doubled: see `zeroLanes`, by the
 * order in which they were added. The sum is then some point off the curve.
 */
export function addAll(): bool {
  for (let i = 0; i < count; i++) {
    const entry = waiting + <usize>i * ENTRY_BYTES
    const a = <usize>load<u32>(entry, 8)
    const b = <usize>load<u32>(entry, 12)
    if (a == b) twice(numberAt(i), yOf(a))
    else subtract(numberAt(i), b, a)
  }
  const someFailed = invertNumbers(count)
  for (let i = 0; i < count; i++) finish(waiting + <usize>i * ENTRY_BYTES, numberAt(i))
  count = 0
  return someFailed
}

const slope = memory.data(80, 16)
const rise = memory.data(80, 16)
const newX = memory.data(80, 16)
const zero = memory.data(80, 16)

function finish(entry: usize, inverse: usize): void {
  const sum = <usize>load<u32>(entry)
  const difference = <usize>load<u32>(entry, 4)
  const a = <usize>load<u32>(entry, 8)
  const b = <usize>load<u32>(entry, 12)
  if (difference) {
    // −b has the same x.
    subtractTwo(rise, zero, yOf(b), yOf(a))
    multiply(slope, rise, inverse)
    follow(difference, a, b)
  }
  if (a == b) {
    square(rise, a)
    thrice(rise, rise)
  } else {
    subtract(rise, yOf(b), yOf(a))
  }
  multiply(slope, rise, inverse)
  follow(sum, a, b)
}

/** The third point of the curve on the line through `a` and `b`, mirrored. */
function follow(to: usize, a: usize, b: usize): void {
  square(newX, slope)
  subtractTwo(newX, newX, a, b)
  subtract(rise, a, newX)
  multiply(rise, slope, rise)
  subtract(yOf(to), rise, yOf(a))
  copy(to, newX)
}
