import { FIELD_BYTES, multiply, squareTimes } from './field.ts'

// a^(2^k − 1), for the k that the exponent is made of: it has long runs of ones.
const x2 = memory.data(80, 16)
const x3 = memory.data(80, 16)
const x6 = memory.data(80, 16)
const x9 = memory.data(80, 16)
const x11 = memory.data(80, 16)
const x22 = memory.data(80, 16)
const x44 = memory.data(80, 16)
const x88 = memory.data(80, 16)
const x176 = memory.data(80, 16)
const x220 = memory.data(80, 16)
const x223 = memory.data(80, 16)
const result = memory.data(80, 16)

/** a^((p + 1) / 4): a square root of `a`, if it has one. */
export function squareRoot(to: usize, a: usize): void {
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
  extendRun(result, x223, 23, x22)
  extendRun(result, result, 6, x2)
  squareTimes(to, result, 2)
}

/** Appends as many bits to the exponent of `a` as `bits`, those of the exponent of `b`. */
function extendRun(to: usize, a: usize, bits: i32, b: usize): void {
  squareTimes(to, a, bits)
  multiply(to, to, b)
}
