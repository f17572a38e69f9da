/** Numbers of the host in and out of the form that `limbs.ts` has, and what needs the number itself. */
import { invert } from '../inversion/lehmer.ts'
import {
  BITS,
  LIMB_BYTES,
  LIMBS,
  modulus,
  NUMBER_BYTES,
  ONE_AT,
  PRIME_AT,
  SQUARE_AT,
  WORD_BYTES,
  WORDS,
} from './limbs.ts'
import { multiplyComplex, multiplyPairs } from './products.ts'
import { copy, squareFactors } from './sums.ts'

const words = memory.data(64, 16)
const plain = memory.data(128, 16)
const pair = memory.data(128, 16)
const factors = memory.data(128, 16)
/** 1 in both lanes, not in Montgomery's form. */
const unit = memory.data(128, 16)

export function prepareNumbers(): void {
  v128.store(unit, f64x2.splat(1))
}

/** a² = (a₀ + a₁i)²; a has size 11 at most, or 2 if WIDE. */
export function squareComplex(to: usize, a: usize): void {
  squareFactors(pair, factors, a)
  multiplyPairs(to, pair, factors)
}

/** Big-endian bytes to words, the lowest first. */
export function wordsOf(to: usize, bytes: usize): void {
  for (let i = 0; i < WORDS; i++) {
    store<u64>(to + ((<usize>i) << 3), bswap<u64>(load<u64>(bytes + WORD_BYTES - 8 - ((<usize>i) << 3))))
  }
}

/** Whether words are below others. */
export function isBelow(a: usize, b: usize): bool {
  for (let i = <i32>WORD_BYTES - 8; i >= 0; i -= 8) {
    const x = load<u64>(a + <usize>i)
    const y = load<u64>(b + <usize>i)
    if (x != y) return x < y
  }
  return false
}

/** Puts words into a lane, not in Montgomery's form. */
function limbsOf(to: usize, lane: usize, from: usize): void {
  const at = to + (lane << 3)
  for (let i: usize = 0; i < <usize>LIMBS; i++) {
    const bit = i * BITS
    const word = from + ((bit >> 6) << 3)
    const shift = <u64>(bit & 63)
    let limb = load<u64>(word) >> shift
    if (shift > 64 - BITS && (bit >> 6) + 1 < <usize>WORDS) limb |= load<u64>(word, 8) << (64 - shift)
    store<f64>(at + i * LIMB_BYTES, <f64>(limb & (((<u64>1) << BITS) - 1)))
  }
}

/** Reads one number for each lane from big-endian bytes. @returns Whether both are below p. */
export function readPair(to: usize, first: usize, second: usize): bool {
  wordsOf(words, first)
  let isValid = isBelow(words, modulus + PRIME_AT)
  limbsOf(plain, 0, words)
  wordsOf(words, second)
  isValid = isValid && isBelow(words, modulus + PRIME_AT)
  limbsOf(plain, 1, words)
  multiplyPairs(to, plain, modulus + SQUARE_AT)
  return isValid
}

/** Words of a lane of a number that {@link toPlain} has made. */
function wordsOfLimbs(to: usize, a: usize, lane: usize): void {
  memory.fill(to, 0, WORD_BYTES)
  const at = a + (lane << 3)
  // The highest limb that is not 0 has the sign.
  let isNegative = false
  for (let i: usize = 0; i < <usize>LIMBS; i++) {
    const limb = load<f64>(at + i * LIMB_BYTES)
    if (limb != 0) isNegative = limb < 0
  }
  let carry: i64 = 0
  const prime = modulus + (lane << 3)
  for (let i: usize = 0; i < <usize>LIMBS; i++) {
    carry += <i64>load<f64>(at + i * LIMB_BYTES)
    if (isNegative) carry += <i64>load<f64>(prime + i * LIMB_BYTES)
    const limb = <u64>carry & (((<u64>1) << BITS) - 1)
    carry >>= BITS
    const bit = i * BITS
    const word = to + ((bit >> 6) << 3)
    const shift = <u64>(bit & 63)
    if (bit >> 6 >= <usize>WORDS) continue
    store<u64>(word, load<u64>(word) | (limb << shift))
    if (shift > 64 - BITS && (bit >> 6) + 1 < <usize>WORDS)
      store<u64>(word, load<u64>(word, 8) | (limb >> (64 - shift)), 8)
  }
}

/** The numbers themselves, between −p and p. */
function toPlain(to: usize, a: usize): void {
  multiplyPairs(to, a, unit)
}

/** Writes the numbers of both lanes as big-endian bytes. */
export function writePair(first: usize, second: usize, a: usize): void {
  toPlain(plain, a)
  wordsOfLimbs(words, plain, 0)
  wordsOf(first, words)
  wordsOfLimbs(words, plain, 1)
  wordsOf(second, words)
}

/** Whether a lane of a product is 0: of numbers whose product is below p. */
export function isZero(a: usize, lane: usize): bool {
  toPlain(plain, a)
  const at = plain + (lane << 3)
  for (let i: usize = 0; i < NUMBER_BYTES; i += LIMB_BYTES) if (load<f64>(at + i) != 0) return false
  return true
}

/** Whether a number of both lanes is 0. */
export function isAllZero(a: usize): bool {
  return isZero(a, 0) && isZero(a, 1)
}

/** 1/a of the first lane, in both; 0 for 0. */
export function invertFirst(to: usize, a: usize): void {
  toPlain(plain, a)
  wordsOfLimbs(words, plain, 0)
  invert(words, modulus + PRIME_AT)
  limbsOf(plain, 0, words)
  limbsOf(plain, 1, words)
  multiplyPairs(to, plain, modulus + SQUARE_AT)
}

/** 1/(a₀ + a₁i); 0 for 0. `to` may be a. */
export function invertComplex(to: usize, a: usize): void {
  // (a₀ − a₁i) / (a₀² + a₁²), and the product of both is a₀² + a₁².
  copy(factors, a)
  for (let i: usize = 0; i < NUMBER_BYTES; i += LIMB_BYTES) {
    store<f64>(factors + i, -load<f64>(factors + i, 8), 8)
  }
  multiplyComplex(pair, a, factors)
  invertFirst(pair, pair)
  multiplyPairs(to, pair, factors)
}

/** 1 in both lanes. */
export function one(): usize {
  return modulus + ONE_AT
}
