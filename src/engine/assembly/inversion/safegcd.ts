/**
 * Inverts a number modulo an odd one by division steps, thirty at a time: as many as fit into a matrix of 32-bit numbers are
 * worked out on the lowest bits alone, and then applied to the whole.
 *
 * Numbers are nine limbs of 30 bits, or thirteen if WIDE, the lowest first, each an i32 in memory; the highest carries the sign.
 *
 * @see {@link https://gcd.cr.yp.to/safegcd-20190413.pdf | Bernstein and Yang}; the shape is that of libsecp256k1's modinv32.
 */
import { WIDE } from './wide.ts'

const LIMBS: usize = WIDE ? 13 : 9
const LIMB_BITS: i64 = 30
const LIMB: i64 = (1 << LIMB_BITS) - 1
const LIMB_BYTES: usize = 4
const TOP: usize = (LIMBS - 1) * LIMB_BYTES

/** A modulus in limbs, and its inverse modulo 2^30. */
const FIELD_PRIME = memory.data<i32>([-0x3d1, -4, 0, 0, 0, 0, 0, 0, 65536, 0x2ddacacf])
const GROUP_ORDER = memory.data<i32>([
  0x10364141, 0x3f497a33, 0x348a03bb, 0x2bb739ab, -0x146, 0, 0, 0, 65536, 0x2a774ec1,
])
const INVERSE_AT: usize = LIMBS * LIMB_BYTES

const f = memory.data(WIDE ? 52 : 36, 16)
const g = memory.data(WIDE ? 52 : 36, 16)
const d = memory.data(WIDE ? 52 : 36, 16)
const e = memory.data(WIDE ? 52 : 36, 16)

/** Replaces four 64-bit words, the lowest first, by the inverse modulo p; 0 by 0. The number is below p. */
export function invertWords(at: usize): void {
  invert(at, FIELD_PRIME)
}

/** Replaces a number by its inverse modulo the order of the curve's group, as {@link invertWords} does modulo p. */
export function invertScalarWords(at: usize): void {
  invert(at, GROUP_ORDER)
}

/**
 * Replaces four 64-bit words, or six if WIDE, by the inverse modulo an odd number, which they are below; 0 by 0.
 *
 * @param modulus - In limbs, with its inverse modulo 2^30 behind it.
 */
export function invert(at: usize, modulus: usize): void {
  memory.copy(f, modulus, LIMBS * LIMB_BYTES)
  readWords(g, at)
  memory.fill(d, 0, LIMBS * LIMB_BYTES)
  memory.fill(e, 0, LIMBS * LIMB_BYTES)
  store<i32>(e, 1)
  let eta: i32 = -1
  while (!isZero(g)) {
    eta = steps(eta, load<i32>(f) | (load<i32>(f, LIMB_BYTES) << 30), load<i32>(g) | (load<i32>(g, LIMB_BYTES) << 30))
    transform(modulus)
    reduce()
  }
  normalize(load<i32>(f, TOP) < 0, modulus)
  writeWords(at, d)
}

// The matrix of thirty steps, times 2^30.
let u: i32 = 0
let v: i32 = 0
let q: i32 = 0
let r: i32 = 0

/** Thirty steps on the lowest bits of f and g. @returns The next eta. */
function steps(eta: i32, lowF: i32, lowG: i32): i32 {
  let a: u32 = 1
  let b: u32 = 0
  let c: u32 = 0
  let k: u32 = 1
  let x: u32 = lowF
  let y: u32 = lowG
  let left: i32 = 30
  for (;;) {
    const zeros = <i32>ctz<u32>(y | (0xffffffff << left))
    y >>= zeros
    a <<= zeros
    b <<= zeros
    eta -= zeros
    left -= zeros
    if (left == 0) break
    if (eta < 0) {
      eta = -eta
      const wasX = x
      x = y
      y = 0 - wasX
      const wasA = a
      a = c
      c = 0 - wasA
      const wasB = b
      b = k
      k = 0 - wasB
    }
    // As many of the lowest bits of y as may go at once, six at most: −1/x modulo 2^6 is x (x² − 2).
    const most = min(min(eta + 1, left), 6)
    const w = (x * y * (x * x - 2)) & ((1 << most) - 1)
    y += x * w
    c += a * w
    k += b * w
  }
  u = a
  v = b
  q = c
  r = k
  return eta
}

/** Applies the matrix to d and e, modulo the modulus. */
function transform(modulus: usize): void {
  const inverse = load<u32>(modulus, INVERSE_AT)
  const dSign = load<i32>(d, TOP) >> 31
  const eSign = load<i32>(e, TOP) >> 31
  let di: i64 = load<i32>(d)
  let ei: i64 = load<i32>(e)
  let cd = <i64>u * di + <i64>v * ei
  let ce = <i64>q * di + <i64>r * ei
  // The multiples of the modulus that make the lowest limbs zero, and the results small.
  let md = (u & dSign) + (v & eSign)
  let me = (q & dSign) + (r & eSign)
  md -= (inverse * <u32>cd + <u32>md) & <u32>LIMB
  me -= (inverse * <u32>ce + <u32>me) & <u32>LIMB
  cd += <i64>load<i32>(modulus) * <i64>md
  ce += <i64>load<i32>(modulus) * <i64>me
  for (let i: usize = LIMB_BYTES; i <= TOP; i += LIMB_BYTES) {
    di = load<i32>(d + i)
    ei = load<i32>(e + i)
    const limb: i64 = load<i32>(modulus + i)
    cd = (cd >> LIMB_BITS) + <i64>u * di + <i64>v * ei + limb * <i64>md
    ce = (ce >> LIMB_BITS) + <i64>q * di + <i64>r * ei + limb * <i64>me
    store<i32>(d + i - LIMB_BYTES, <i32>(cd & LIMB))
    store<i32>(e + i - LIMB_BYTES, <i32>(ce & LIMB))
  }
  store<i32>(d, <i32>(cd >> LIMB_BITS), TOP)
  store<i32>(e, <i32>(ce >> LIMB_BITS), TOP)
}

/** Applies the matrix to f and g, which it makes shorter by thirty bits. */
function reduce(): void {
  let fi: i64 = load<i32>(f)
  let gi: i64 = load<i32>(g)
  let cf = <i64>u * fi + <i64>v * gi
  let cg = <i64>q * fi + <i64>r * gi
  for (let i: usize = LIMB_BYTES; i <= TOP; i += LIMB_BYTES) {
    fi = load<i32>(f + i)
    gi = load<i32>(g + i)
    cf = (cf >> LIMB_BITS) + <i64>u * fi + <i64>v * gi
    cg = (cg >> LIMB_BITS) + <i64>q * fi + <i64>r * gi
    store<i32>(f + i - LIMB_BYTES, <i32>(cf & LIMB))
    store<i32>(g + i - LIMB_BYTES, <i32>(cg & LIMB))
  }
  store<i32>(f, <i32>(cf >> LIMB_BITS), TOP)
  store<i32>(g, <i32>(cg >> LIMB_BITS), TOP)
}

/** Brings d, or −d, into the range of the modulus, where d is more than −2 times it and less than it. */
function normalize(isNegated: bool, modulus: usize): void {
  if (load<i32>(d, TOP) < 0) addModulus(modulus)
  if (isNegated) {
    for (let i: usize = 0; i <= TOP; i += LIMB_BYTES) store<i32>(d + i, -load<i32>(d + i))
    carryOn()
  }
  if (load<i32>(d, TOP) < 0) addModulus(modulus)
}

function addModulus(modulus: usize): void {
  for (let i: usize = 0; i <= TOP; i += LIMB_BYTES) store<i32>(d + i, load<i32>(d + i) + load<i32>(modulus + i))
  carryOn()
}

function carryOn(): void {
  for (let i: usize = 0; i < TOP; i += LIMB_BYTES) {
    const limb = load<i32>(d + i)
    store<i32>(d + i, limb & <i32>LIMB)
    store<i32>(d + i + LIMB_BYTES, load<i32>(d + i + LIMB_BYTES) + (limb >> <i32>LIMB_BITS))
  }
}

function isZero(a: usize): bool {
  let all = load<i32>(a)
  for (let i: usize = LIMB_BYTES; i <= TOP; i += LIMB_BYTES) all |= load<i32>(a + i)
  return all == 0
}

function readWords(to: usize, at: usize): void {
  if (WIDE) {
    readLong(to, at)
    return
  }
  const v0 = load<u64>(at)
  const v1 = load<u64>(at, 8)
  const v2 = load<u64>(at, 16)
  const v3 = load<u64>(at, 24)
  store<i32>(to, <i32>(v0 & LIMB))
  store<i32>(to, <i32>((v0 >> 30) & LIMB), 4)
  store<i32>(to, <i32>(((v0 >> 60) | (v1 << 4)) & LIMB), 8)
  store<i32>(to, <i32>((v1 >> 26) & LIMB), 12)
  store<i32>(to, <i32>(((v1 >> 56) | (v2 << 8)) & LIMB), 16)
  store<i32>(to, <i32>((v2 >> 22) & LIMB), 20)
  store<i32>(to, <i32>(((v2 >> 52) | (v3 << 12)) & LIMB), 24)
  store<i32>(to, <i32>((v3 >> 18) & LIMB), 28)
  store<i32>(to, <i32>(v3 >> 48), 32)
}

/** Six words. */
function readLong(to: usize, at: usize): void {
  for (let i: usize = 0; i < LIMBS; i++) {
    const word = at + (((30 * i) >> 6) << 3)
    const shift = <u64>((30 * i) & 63)
    let limb = load<u64>(word) >> shift
    if (shift > 34) limb |= load<u64>(word, 8) << (64 - shift)
    store<i32>(to + i * LIMB_BYTES, <i32>(limb & LIMB))
  }
}

function writeLong(at: usize, a: usize): void {
  memory.fill(at, 0, 48)
  for (let i: usize = 0; i < LIMBS; i++) {
    const word = at + (((30 * i) >> 6) << 3)
    const shift = <u64>((30 * i) & 63)
    const limb: u64 = load<u32>(a + i * LIMB_BYTES)
    store<u64>(word, load<u64>(word) | (limb << shift))
    if (shift > 34) store<u64>(word, load<u64>(word, 8) | (limb >> (64 - shift)), 8)
  }
}

function writeWords(at: usize, a: usize): void {
  if (WIDE) {
    writeLong(at, a)
    return
  }
  const a0: u64 = load<u32>(a)
  const a1: u64 = load<u32>(a, 4)
  const a2: u64 = load<u32>(a, 8)
  const a3: u64 = load<u32>(a, 12)
  const a4: u64 = load<u32>(a, 16)
  const a5: u64 = load<u32>(a, 20)
  const a6: u64 = load<u32>(a, 24)
  const a7: u64 = load<u32>(a, 28)
  const a8: u64 = load<u32>(a, 32)
  store<u64>(at, a0 | (a1 << 30) | (a2 << 60))
  store<u64>(at, (a2 >> 4) | (a3 << 26) | (a4 << 56), 8)
  store<u64>(at, (a4 >> 8) | (a5 << 22) | (a6 << 52), 16)
  store<u64>(at, (a6 >> 12) | (a7 << 18) | (a8 << 48), 24)
}
