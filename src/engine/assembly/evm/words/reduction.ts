/**
 * Products modulo a word of four limbs that code names again and again, by Barrett's reduction: two multiplications instead
 * of a division. Numbers are in nine limbs of 29 bits, so that products of limbs can be summed in 64 bits without carries.
 * All limbs are locals, so that they can stay in registers.
 */
import { DIVIDEND, divideLimbs, QUOTIENT } from './long-division.ts'
import { copyWord, equalWords, setWord } from './word.ts'

const LIMB_BITS: u64 = 29
const LIMB: u64 = (1 << LIMB_BITS) - 1

/** The modulus that was named last, and how often in a row. */
const MODULUS: usize = memory.data(32, 8)
let uses: u32 = 0
/** Uses after which it is worth to {@link prepare}: that takes as long as two to three products save from then on. */
const MANY_USES: u32 = 4
/** The modulus in nine limbs, shifted so that bit 259 is its highest, and ⌊2^522 / that⌋, whose last limb has up to 32 bits. */
const SHIFTED: usize = memory.data(36, 8)
const RECIPROCAL: usize = memory.data(36, 8)
/** By how many bits it was shifted, less {@link MORE}. */
let shift: u64 = 0
const MORE: u64 = 4
const WORD: usize = memory.data(32, 8)

/** Counts another use of a modulus with four limbs. @returns Whether {@link multiplyReduced} may be called for it. */
export function isPrepared(n: usize): bool {
  if (!equalWords(n, MODULUS)) {
    copyWord(MODULUS, n)
    uses = 0
    return false
  }
  if (uses > MANY_USES) return true
  if (++uses > MANY_USES) prepare()
  return uses > MANY_USES
}

function prepare(): void {
  shift = clz<u64>(load<u64>(MODULUS, 24))
  shiftWordLeft(WORD, MODULUS, shift)
  storeShifted(SHIFTED, WORD)
  // 2^518 is 2^522 without the four bits that the word is not shifted by.
  memory.fill(DIVIDEND, 0, 64)
  store<u64>(DIVIDEND, 1 << 6, 64)
  divideLimbs(9, WORD)
  storeLimbs(RECIPROCAL, QUOTIENT, load<u64>(QUOTIENT, 32))
}

/** Writes the limbs of a word and what is above it. */
function storeLimbs(to: usize, word: usize, above: u64): void {
  const w0 = load<u64>(word)
  const w1 = load<u64>(word, 8)
  const w2 = load<u64>(word, 16)
  const w3 = load<u64>(word, 24)
  store<u32>(to, <u32>(w0 & LIMB))
  store<u32>(to, <u32>((w0 >> 29) & LIMB), 4)
  store<u32>(to, <u32>(((w0 >> 58) | (w1 << 6)) & LIMB), 8)
  store<u32>(to, <u32>((w1 >> 23) & LIMB), 12)
  store<u32>(to, <u32>(((w1 >> 52) | (w2 << 12)) & LIMB), 16)
  store<u32>(to, <u32>((w2 >> 17) & LIMB), 20)
  store<u32>(to, <u32>(((w2 >> 46) | (w3 << 18)) & LIMB), 24)
  store<u32>(to, <u32>((w3 >> 11) & LIMB), 28)
  store<u32>(to, <u32>((w3 >> 40) | (above << 24)), 32)
}

/** Writes the limbs of a word shifted by {@link MORE}. */
function storeShifted(to: usize, word: usize): void {
  const w0 = load<u64>(word)
  const w1 = load<u64>(word, 8)
  const w2 = load<u64>(word, 16)
  const w3 = load<u64>(word, 24)
  store<u32>(to, <u32>((w0 << MORE) & LIMB))
  store<u32>(to, <u32>((w0 >> 25) & LIMB), 4)
  store<u32>(to, <u32>(((w0 >> 54) | (w1 << 10)) & LIMB), 8)
  store<u32>(to, <u32>((w1 >> 19) & LIMB), 12)
  store<u32>(to, <u32>(((w1 >> 48) | (w2 << 16)) & LIMB), 16)
  store<u32>(to, <u32>((w2 >> 13) & LIMB), 20)
  store<u32>(to, <u32>(((w2 >> 42) | (w3 << 22)) & LIMB), 24)
  store<u32>(to, <u32>((w3 >> 7) & LIMB), 28)
  store<u32>(to, <u32>(w3 >> 36), 32)
}

const LEFT: usize = memory.data(36, 8)
const RIGHT: usize = memory.data(36, 8)

/**
 * `a · b` modulo the modulus that {@link isPrepared} was asked for last, which is above `a`.
 *
 * @see {@link https://cacr.uwaterloo.ca/hac/about/chap14.pdf | Handbook of Applied Cryptography, 14.42}
 */
export function multiplyReduced(to: usize, a: usize, b: usize): void {
  // As `a` is shifted with the modulus, so is the remainder.
  shiftWordLeft(WORD, a, shift)
  storeShifted(LEFT, WORD)
  storeLimbs(RIGHT, b, 0)
  const a0: u64 = load<u32>(LEFT)
  const a1: u64 = load<u32>(LEFT, 4)
  const a2: u64 = load<u32>(LEFT, 8)
  const a3: u64 = load<u32>(LEFT, 12)
  const a4: u64 = load<u32>(LEFT, 16)
  const a5: u64 = load<u32>(LEFT, 20)
  const a6: u64 = load<u32>(LEFT, 24)
  const a7: u64 = load<u32>(LEFT, 28)
  const a8: u64 = load<u32>(LEFT, 32)
  const b0: u64 = load<u32>(RIGHT)
  const b1: u64 = load<u32>(RIGHT, 4)
  const b2: u64 = load<u32>(RIGHT, 8)
  const b3: u64 = load<u32>(RIGHT, 12)
  const b4: u64 = load<u32>(RIGHT, 16)
  const b5: u64 = load<u32>(RIGHT, 20)
  const b6: u64 = load<u32>(RIGHT, 24)
  const b7: u64 = load<u32>(RIGHT, 28)
  const b8: u64 = load<u32>(RIGHT, 32)
  const v0: u64 = load<u32>(RECIPROCAL)
  const v1: u64 = load<u32>(RECIPROCAL, 4)
  const v2: u64 = load<u32>(RECIPROCAL, 8)
  const v3: u64 = load<u32>(RECIPROCAL, 12)
  const v4: u64 = load<u32>(RECIPROCAL, 16)
  const v5: u64 = load<u32>(RECIPROCAL, 20)
  const v6: u64 = load<u32>(RECIPROCAL, 24)
  const v7: u64 = load<u32>(RECIPROCAL, 28)
  const v8: u64 = load<u32>(RECIPROCAL, 32)
  const n0: u64 = load<u32>(SHIFTED)
  const n1: u64 = load<u32>(SHIFTED, 4)
  const n2: u64 = load<u32>(SHIFTED, 8)
  const n3: u64 = load<u32>(SHIFTED, 12)
  const n4: u64 = load<u32>(SHIFTED, 16)
  const n5: u64 = load<u32>(SHIFTED, 20)
  const n6: u64 = load<u32>(SHIFTED, 24)
  const n7: u64 = load<u32>(SHIFTED, 28)
  const n8: u64 = load<u32>(SHIFTED, 32)
  // The product, below 2^516.
  let c = a0 * b0
  const x0 = c & LIMB
  c = (c >> LIMB_BITS) + a0 * b1 + a1 * b0
  const x1 = c & LIMB
  c = (c >> LIMB_BITS) + a0 * b2 + a1 * b1 + a2 * b0
  const x2 = c & LIMB
  c = (c >> LIMB_BITS) + a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0
  const x3 = c & LIMB
  c = (c >> LIMB_BITS) + a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0
  const x4 = c & LIMB
  c = (c >> LIMB_BITS) + a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0
  const x5 = c & LIMB
  c = (c >> LIMB_BITS) + a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0
  const x6 = c & LIMB
  c = (c >> LIMB_BITS) + a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0
  const x7 = c & LIMB
  c = (c >> LIMB_BITS) + a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0
  const x8 = c & LIMB
  c = (c >> LIMB_BITS) + a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1
  const x9 = c & LIMB
  c = (c >> LIMB_BITS) + a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2
  const x10 = c & LIMB
  c = (c >> LIMB_BITS) + a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3
  const x11 = c & LIMB
  c = (c >> LIMB_BITS) + a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4
  const x12 = c & LIMB
  c = (c >> LIMB_BITS) + a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5
  const x13 = c & LIMB
  c = (c >> LIMB_BITS) + a6 * b8 + a7 * b7 + a8 * b6
  const x14 = c & LIMB
  c = (c >> LIMB_BITS) + a7 * b8 + a8 * b7
  const x15 = c & LIMB
  c = (c >> LIMB_BITS) + a8 * b8
  const x16 = c & LIMB
  const x17 = c >> LIMB_BITS
  // The quotient, at most one too low: the upper ten limbs times the reciprocal, without the columns that hardly count.
  c = x8 * v8 + x9 * v7 + x10 * v6 + x11 * v5 + x12 * v4 + x13 * v3 + x14 * v2 + x15 * v1 + x16 * v0
  c = (c >> LIMB_BITS) + x9 * v8 + x10 * v7 + x11 * v6 + x12 * v5 + x13 * v4 + x14 * v3 + x15 * v2 + x16 * v1 + x17 * v0
  c = (c >> LIMB_BITS) + x10 * v8 + x11 * v7 + x12 * v6 + x13 * v5 + x14 * v4 + x15 * v3 + x16 * v2 + x17 * v1
  const q0 = c & LIMB
  c = (c >> LIMB_BITS) + x11 * v8 + x12 * v7 + x13 * v6 + x14 * v5 + x15 * v4 + x16 * v3 + x17 * v2
  const q1 = c & LIMB
  c = (c >> LIMB_BITS) + x12 * v8 + x13 * v7 + x14 * v6 + x15 * v5 + x16 * v4 + x17 * v3
  const q2 = c & LIMB
  c = (c >> LIMB_BITS) + x13 * v8 + x14 * v7 + x15 * v6 + x16 * v5 + x17 * v4
  const q3 = c & LIMB
  c = (c >> LIMB_BITS) + x14 * v8 + x15 * v7 + x16 * v6 + x17 * v5
  const q4 = c & LIMB
  c = (c >> LIMB_BITS) + x15 * v8 + x16 * v7 + x17 * v6
  const q5 = c & LIMB
  c = (c >> LIMB_BITS) + x16 * v8 + x17 * v7
  const q6 = c & LIMB
  c = (c >> LIMB_BITS) + x17 * v8
  const q7 = c & LIMB
  const q8 = c >> LIMB_BITS
  // What is left, below twice the modulus, so that nine limbs of it are enough.
  c = x0 - q0 * n0
  let r0 = c & LIMB
  c = <u64>(<i64>c >> LIMB_BITS) + x1 - (q0 * n1 + q1 * n0)
  let r1 = c & LIMB
  c = <u64>(<i64>c >> LIMB_BITS) + x2 - (q0 * n2 + q1 * n1 + q2 * n0)
  let r2 = c & LIMB
  c = <u64>(<i64>c >> LIMB_BITS) + x3 - (q0 * n3 + q1 * n2 + q2 * n1 + q3 * n0)
  let r3 = c & LIMB
  c = <u64>(<i64>c >> LIMB_BITS) + x4 - (q0 * n4 + q1 * n3 + q2 * n2 + q3 * n1 + q4 * n0)
  let r4 = c & LIMB
  c = <u64>(<i64>c >> LIMB_BITS) + x5 - (q0 * n5 + q1 * n4 + q2 * n3 + q3 * n2 + q4 * n1 + q5 * n0)
  let r5 = c & LIMB
  c = <u64>(<i64>c >> LIMB_BITS) + x6 - (q0 * n6 + q1 * n5 + q2 * n4 + q3 * n3 + q4 * n2 + q5 * n1 + q6 * n0)
  let r6 = c & LIMB
  c = <u64>(<i64>c >> LIMB_BITS) + x7 - (q0 * n7 + q1 * n6 + q2 * n5 + q3 * n4 + q4 * n3 + q5 * n2 + q6 * n1 + q7 * n0)
  let r7 = c & LIMB
  c =
    <u64>(<i64>c >> LIMB_BITS) +
    x8 -
    (q0 * n8 + q1 * n7 + q2 * n6 + q3 * n5 + q4 * n4 + q5 * n3 + q6 * n2 + q7 * n1 + q8 * n0)
  let r8 = c & LIMB
  if (r8 >= n8) {
    let d = r0 - n0
    const d0 = d & LIMB
    d = <u64>(<i64>d >> LIMB_BITS) + r1 - n1
    const d1 = d & LIMB
    d = <u64>(<i64>d >> LIMB_BITS) + r2 - n2
    const d2 = d & LIMB
    d = <u64>(<i64>d >> LIMB_BITS) + r3 - n3
    const d3 = d & LIMB
    d = <u64>(<i64>d >> LIMB_BITS) + r4 - n4
    const d4 = d & LIMB
    d = <u64>(<i64>d >> LIMB_BITS) + r5 - n5
    const d5 = d & LIMB
    d = <u64>(<i64>d >> LIMB_BITS) + r6 - n6
    const d6 = d & LIMB
    d = <u64>(<i64>d >> LIMB_BITS) + r7 - n7
    const d7 = d & LIMB
    d = <u64>(<i64>d >> LIMB_BITS) + r8 - n8
    if (<i64>d >= 0) {
      r0 = d0
      r1 = d1
      r2 = d2
      r3 = d3
      r4 = d4
      r5 = d5
      r6 = d6
      r7 = d7
      r8 = d
    }
  }
  setWord(
    to,
    (r0 >> MORE) | (r1 << 25) | (r2 << 54),
    (r2 >> 10) | (r3 << 19) | (r4 << 48),
    (r4 >> 16) | (r5 << 13) | (r6 << 42),
    (r6 >> 22) | (r7 << 7) | (r8 << 36),
  )
  shiftWordRight(to, shift)
}

/** By less than a limb. */
function shiftWordLeft(to: usize, word: usize, bits: u64): void {
  const l0 = load<u64>(word)
  const l1 = load<u64>(word, 8)
  const l2 = load<u64>(word, 16)
  const l3 = load<u64>(word, 24)
  // By 64 less the bits, in two steps: a shift by 64 would do nothing.
  const back = 63 - bits
  setWord(
    to,
    l0 << bits,
    (l1 << bits) | ((l0 >> 1) >> back),
    (l2 << bits) | ((l1 >> 1) >> back),
    (l3 << bits) | ((l2 >> 1) >> back),
  )
}

function shiftWordRight(at: usize, bits: u64): void {
  const l0 = load<u64>(at)
  const l1 = load<u64>(at, 8)
  const l2 = load<u64>(at, 16)
  const l3 = load<u64>(at, 24)
  const back = 63 - bits
  setWord(
    at,
    (l0 >> bits) | ((l1 << 1) << back),
    (l1 >> bits) | ((l2 << 1) << back),
    (l2 >> bits) | ((l3 << 1) << back),
    l3 >> bits,
  )
}
