/**
 * Numbers modulo the order N of the curve's group: eight limbs of 32 bits, the lowest first, below N unless a function says otherwise.
 * Products are Montgomery's: a · b / 2^256.
 */
import { invertScalarWords } from '../inversion/lehmer.ts'

const LIMB: u64 = 0xffffffff
const N0: u64 = 0xd0364141
const N1: u64 = 0xbfd25e8c
const N2: u64 = 0xaf48a03b
const N3: u64 = 0xbaaedce6
const N4: u64 = 0xfffffffe
/** N in words. */
const WORD_0: u64 = N0 | (N1 << 32)
const WORD_1: u64 = N2 | (N3 << 32)
const WORD_2: u64 = N4 | (LIMB << 32)
const WORD_3: u64 = ~0
/** −1 / N modulo 2^32. */
const FACTOR: u64 = 0x5588b13f
/** 2^256 − N: its limbs above these are 0, but for a 1 at limb 4. */
const C0: u64 = 0x2fc9bebf
const C1: u64 = 0x402da173
const C2: u64 = 0x50b75fc4
const C3: u64 = 0x45512319

/** 2^512 modulo N: times it, a number becomes 2^256 times itself. */
const scale = memory.data<u64>([0x896cf21467d7d140, 0x741496c20e7cf878, 0xe697f5e45bcd07c6, 0x9d671cd581c69bc5], 16)

/**
 * a · b / 2^256; `to` may be either.
 *
 * @param a - Of 256 bits; it need not be below N.
 */
export function multiplyScalars(to: usize, a: usize, b: usize): void {
  const a0: u64 = load<u32>(a)
  const a1: u64 = load<u32>(a, 4)
  const a2: u64 = load<u32>(a, 8)
  const a3: u64 = load<u32>(a, 12)
  const a4: u64 = load<u32>(a, 16)
  const a5: u64 = load<u32>(a, 20)
  const a6: u64 = load<u32>(a, 24)
  const a7: u64 = load<u32>(a, 28)
  let t0: u64 = 0
  let t1: u64 = 0
  let t2: u64 = 0
  let t3: u64 = 0
  let t4: u64 = 0
  let t5: u64 = 0
  let t6: u64 = 0
  let t7: u64 = 0
  let t8: u64 = 0
  for (let i: usize = 0; i < 32; i += 4) {
    const limb: u64 = load<u32>(b + i)
    // Adds a · limb, and the multiple of N that makes the lowest limb 0, which then goes.
    let c = t0 + a0 * limb
    const m = (c * FACTOR) & LIMB
    let d = (c & LIMB) + m * N0
    c = t1 + a1 * limb + (c >> 32)
    d = (c & LIMB) + m * N1 + (d >> 32)
    t0 = d & LIMB
    c = t2 + a2 * limb + (c >> 32)
    d = (c & LIMB) + m * N2 + (d >> 32)
    t1 = d & LIMB
    c = t3 + a3 * limb + (c >> 32)
    d = (c & LIMB) + m * N3 + (d >> 32)
    t2 = d & LIMB
    c = t4 + a4 * limb + (c >> 32)
    d = (c & LIMB) + m * N4 + (d >> 32)
    t3 = d & LIMB
    c = t5 + a5 * limb + (c >> 32)
    d = (c & LIMB) + m * LIMB + (d >> 32)
    t4 = d & LIMB
    c = t6 + a6 * limb + (c >> 32)
    d = (c & LIMB) + m * LIMB + (d >> 32)
    t5 = d & LIMB
    c = t7 + a7 * limb + (c >> 32)
    d = (c & LIMB) + m * LIMB + (d >> 32)
    t6 = d & LIMB
    d = t8 + (c >> 32) + (d >> 32)
    t7 = d & LIMB
    t8 = d >> 32
  }
  // Below 2N. Whether it is N or more: then adding 2^256 − N carries out of 256 bits.
  const x0 = t0 + C0
  const x1 = t1 + C1 + (x0 >> 32)
  const x2 = t2 + C2 + (x1 >> 32)
  const x3 = t3 + C3 + (x2 >> 32)
  const x4 = t4 + 1 + (x3 >> 32)
  const x5 = t5 + (x4 >> 32)
  const x6 = t6 + (x5 >> 32)
  const x7 = t7 + (x6 >> 32)
  const isOver = (t8 | (x7 >> 32)) != 0
  store<u32>(to, <u32>(isOver ? x0 : t0))
  store<u32>(to, <u32>(isOver ? x1 : t1), 4)
  store<u32>(to, <u32>(isOver ? x2 : t2), 8)
  store<u32>(to, <u32>(isOver ? x3 : t3), 12)
  store<u32>(to, <u32>(isOver ? x4 : t4), 16)
  store<u32>(to, <u32>(isOver ? x5 : t5), 20)
  store<u32>(to, <u32>(isOver ? x6 : t6), 24)
  store<u32>(to, <u32>(isOver ? x7 : t7), 28)
}

/** 2^256 / a; `to` may be `a`. */
export function invertScaled(to: usize, a: usize): void {
  memory.copy(to, a, 32)
  invertScalarWords(to)
  multiplyScalars(to, scale, to)
}

/** Whether a number of 256 bits is above 0 and below N. */
export function isScalar(a: usize): bool {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  if ((a0 | a1 | a2 | a3) == 0) return false
  if (a3 != WORD_3) return true
  if (a2 != WORD_2) return a2 < WORD_2
  if (a1 != WORD_1) return a1 < WORD_1
  return a0 < WORD_0
}

/**
 * Half of a scalar that is odd, rounded down: of u, or of N − u.
 *
 * @returns Whether it is of N − u.
 */
export function halveOdd(to: usize, u: usize): bool {
  const isEven = (load<u32>(u) & 1) == 0
  let u0 = load<u64>(u)
  let u1 = load<u64>(u, 8)
  let u2 = load<u64>(u, 16)
  let u3 = load<u64>(u, 24)
  if (isEven) {
    const b0: u64 = WORD_0 < u0 ? 1 : 0
    u0 = WORD_0 - u0
    const b1: u64 = WORD_1 < u1 || (WORD_1 == u1 && b0 != 0) ? 1 : 0
    u1 = WORD_1 - u1 - b0
    const b2: u64 = WORD_2 < u2 || (WORD_2 == u2 && b1 != 0) ? 1 : 0
    u2 = WORD_2 - u2 - b1
    u3 = WORD_3 - u3 - b2
  }
  store<u64>(to, (u0 >> 1) | (u1 << 63))
  store<u64>(to, (u1 >> 1) | (u2 << 63), 8)
  store<u64>(to, (u2 >> 1) | (u3 << 63), 16)
  store<u64>(to, u3 >> 1, 24)
  return isEven
}
