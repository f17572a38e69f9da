import { copy, FIELD_BYTES } from './limbs.ts'
import { multiply, square, squareTimes } from './products.ts'

// a^(2^k − 1), for the k that both exponents are made of: each has long runs of ones.
const x2 = memory.data(40, 16)
const x3 = memory.data(40, 16)
const x6 = memory.data(40, 16)
const x9 = memory.data(40, 16)
const x11 = memory.data(40, 16)
const x22 = memory.data(40, 16)
const x44 = memory.data(40, 16)
const x88 = memory.data(40, 16)
const x176 = memory.data(40, 16)
const x220 = memory.data(40, 16)
const x223 = memory.data(40, 16)
const result = memory.data(40, 16)

function raiseToRuns(a: usize): void {
  extendRun(x2, a, 1, a)
  extendRun(x3, x2, 1, a)
  extendRun(x6, x3, 3, x3)
  extendRun(x9, x6, 3, x3)
  extendRun(x11, x9, 2, x2)
  extendRun(x22, x11, 11, x11)
  extendRun(x44, x22, 22, x22)
  extendRun(x88, x44, 44, x44)
  extendRun(x176, x88, 88, x88)
  extendRun(x220, x176, 44, x44)
  extendRun(x223, x220, 3, x3)
}

/** Appends as many bits to the exponent of `a` as `bits`, those of the exponent of `b`. */
function extendRun(to: usize, a: usize, bits: i32, b: usize): void {
  squareTimes(to, a, bits)
  multiply(to, to, b)
}

/** a^((p + 1) / 4): a square root of `a`, if it has one. */
export function squareRoot(to: usize, a: usize): void {
  raiseToRuns(a)
  extendRun(result, x223, 23, x22)
  extendRun(result, result, 6, x2)
  squareTimes(to, result, 2)
}

/** a^(p − 2): the inverse of `a`, and 0 for 0. */
function invert(to: usize, a: usize): void {
  raiseToRuns(a)
  extendRun(result, x223, 23, x22)
  extendRun(result, result, 5, a)
  extendRun(result, result, 3, x2)
  extendRun(to, result, 2, a)
}

const inverse = memory.data(40, 16)
const next = memory.data(40, 16)
/** Products of the first 1, 2, 3, … numbers. */
const products = memory.data(81920, 16)
/** How many numbers can be inverted at once. */
export const MOST_INVERTED: i32 = 2048

/**
 * Inverts many numbers in place for the price of one inversion and three multiplications each (Montgomery's trick).
 *
 * @param first - None of them may be 0: it would make all of them 0.
 * @param stride - Bytes from one to the next.
 */
export function invertAll(first: usize, count: i32, stride: usize): void {
  copy(products, first)
  for (let i = 1; i < count; i++) multiply(product(i), product(i - 1), first + <usize>i * stride)
  invert(inverse, product(count - 1))
  for (let i = count - 1; i > 0; i--) {
    const at = first + <usize>i * stride
    multiply(next, inverse, product(i - 1))
    multiply(inverse, inverse, at)
    copy(at, next)
  }
  copy(first, inverse)
}

// @inline
function product(i: i32): usize {
  return products + <usize>i * FIELD_BYTES
}
