/**
 * Numbers modulo p, two side by side: limbs of {@link BITS} bits, the lowest first, each an f64x2 in memory that is a whole
 * number. A limb may be negative; a number stands for itself plus any multiple of p.
 *
 * A product has limbs of at most 2^(BITS − 1), and is not above 0.8 p. Sums and differences are just those of the limbs, and are
 * not carried on: a number has size n if its limbs are at most n · 2^(BITS − 1). Numbers may be multiplied if the product of
 * their sizes is at most 512, or 16 if WIDE; `reduce` makes a number of size 1 from one of size 64, or 24 if WIDE.
 */
import { WIDE } from '../inversion/wide.ts'

export const LIMBS: i32 = WIDE ? 8 : 6
export const BITS: i32 = WIDE ? 49 : 44
export const LIMB_BYTES: usize = 16
export const NUMBER_BYTES: usize = WIDE ? 128 : 96
/** Bytes of a number of the host, the highest first, and of 64-bit words, the lowest first. */
export const WORDS: i32 = WIDE ? 6 : 4
export const WORD_BYTES: usize = (<usize>WORDS) << 3

/** 1.5 · 2^52: a number within 2^51 of it is exact, and has its exponent. */
const LOW: u64 = 0x4338000000000000
/** 2^52: the mantissas of its exponent are the integers. */
const UNIT: u64 = 0x4330000000000000
/** LOW · 2^BITS: a number that is added to it loses what is below 2^BITS. */
const HIGH: u64 = LOW + ((<u64>BITS) << 52)
const MASK: u64 = (1 << BITS) - 1
/** Makes a column positive, and is taken off the next. */
const BIAS: u64 = 1 << 62

// Constants are in memory, once per lane: V8 would rebuild inline constants at every use.
export const highAt = memory.data<u64>([HIGH, HIGH], 16)
export const lowAt = memory.data<u64>([LOW, LOW], 16)
export const unitAt = memory.data<u64>([UNIT, UNIT], 16)
export const maskAt = memory.data<u64>([MASK, MASK], 16)
/** The sign of the first lane. */
export const signAt = memory.data<u64>([1 << 63, 0], 16)
/** HIGH + LOW. */
export const shiftedAt = memory.data(16, 16)
/** 2^52 + 2^(BITS − 1). */
export const halfAt = memory.data(16, 16)
/** 2^−BITS. */
export const downAt = memory.data(16, 16)

/** Start values of the columns of one product in each lane, and of two. */
export const pairStarts = memory.data(288, 16)
export const complexStarts = memory.data(288, 16)

/** A field, in numbers with the same in both lanes: p; */
export const INVERSE_AT: usize = WIDE ? 128 : 96
/** −1 / p modulo 2^BITS; */
export const RATIO_AT: usize = INVERSE_AT + 16
/** 2^(BITS · (LIMBS − 1)) / p; */
export const MULTIPLE_AT: usize = INVERSE_AT + 32
/** the multiple of p that is −1 modulo 2^BITS, without that limb; */
export const SQUARE_AT: usize = MULTIPLE_AT + NUMBER_BYTES
/** R² modulo p, where R is 2^(BITS · (LIMBS + 1)); */
export const ONE_AT: usize = SQUARE_AT + NUMBER_BYTES
/** R modulo p; */
export const PRIME_AT: usize = ONE_AT + NUMBER_BYTES
/** p in words. */
export const FIELD_BYTES: usize = PRIME_AT + 64

/** The current field. */
export let modulus: usize = 0

export function useField(at: usize): void {
  modulus = at
}

function fill(at: usize, value: f64): void {
  v128.store(at, f64x2.splat(value))
}

/** To be called once. */
export function prepareLimbs(): void {
  fill(shiftedAt, reinterpret<f64>(HIGH) + reinterpret<f64>(LOW))
  fill(halfAt, reinterpret<f64>(UNIT) + <f64>((<u64>1) << (BITS - 1)))
  fill(downAt, 1.0 / <f64>((<u64>1) << BITS))
  prepareStarts(pairStarts, 1)
  prepareStarts(complexStarts, 2)
}

/** A row of products of limbs, whose columns begin at `first`, has the bits of HIGH and LOW besides its own. */
function takeOff(at: usize, first: i32, times: u64): void {
  for (let i = first; i < first + LIMBS; i++) {
    const column = at + ((<usize>i) << 4)
    v128.store(column, i64x2.sub(v128.load(column), i64x2.splat(times * LOW)))
    v128.store(column, i64x2.sub(v128.load(column, 16), i64x2.splat(times * HIGH)), 16)
  }
}

/** @param passes - Products that each column adds up, besides the multiples of p. */
function prepareStarts(at: usize, passes: u64): void {
  const last = 2 * LIMBS
  for (let i = 0; i <= last; i++) {
    let start: u64 = 0
    // Limbs are rounded to the nearest.
    if (i < last) start += BIAS + (1 << (BITS - 1))
    if (i > 0) start -= BIAS >> BITS
    v128.store(at + ((<usize>i) << 4), i64x2.splat(start))
  }
  for (let i = 0; i < LIMBS; i++) {
    takeOff(at, i, passes)
    takeOff(at, i + 1, 1)
  }
  takeOff(at, LIMBS, 1)
}
