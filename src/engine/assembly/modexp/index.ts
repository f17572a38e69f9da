/**
 * Powers modulo an odd number of any length, in Montgomery's form: limbs of 44 bits, the lowest first, each an f64, two in a v128.
 * A limb is about 2^43 at most, and may be negative. The product of two limbs is taken twice, once rounded to a multiple of 2^44
 * and once what that leaves: see `curves/products.ts`.
 *
 * A product is made two limbs of the first factor at a time; after each two, two limbs of the sum are zero, and go.
 */

const BITS: u64 = 44
/** 1.5 · 2^52, 2^52, and 1.5 · 2^96. */
const LOW: u64 = 0x4338000000000000
const UNIT: u64 = 0x4330000000000000
const HIGH: u64 = LOW + (BITS << 52)
const MASK: u64 = (1 << BITS) - 1
const HALF: u64 = 1 << (BITS - 1)
/** Makes a column positive; what of it goes up is taken off there. */
const BIAS: u64 = 1 << 60

/** Limbs of the longest number: 8,192 bits, and what sums take above them. */
const MOST_LIMBS: usize = 192
const NUMBER_BYTES: usize = MOST_LIMBS << 3

/** A number as the host has it: bytes, the lowest first, and zeros behind them. */
export const number = memory.data(1088, 16)
/** Numbers that the host has read: the modulus, the base in Montgomery's form, and one in it. */
export const modulus = memory.data(1536, 16)
export const base = memory.data(1536, 16)
export const one = memory.data(1536, 16)
export const result = memory.data(1536, 16)
/** −1 / modulus, modulo 2^44. */
export const inverse = memory.data(16, 16)
/** Bytes of the exponent, the highest first. */
export const exponent = memory.data(1024, 16)

/** The powers 0 to 15 of the base. */
const powers = memory.data(24576, 16)
/** Columns of a sum, and two behind it. */
const columns = memory.data(1600, 16)

let limbs: usize = 0
const high = memory.data<u64>([HIGH, HIGH], 16)
const low = memory.data<u64>([LOW, LOW], 16)
const unit = memory.data<u64>([UNIT, UNIT], 16)
const mask = memory.data<u64>([MASK, MASK], 16)
const shifted = memory.data(16, 16)
const half = memory.data(16, 16)

/** Whether this machine's multiplication and addition round once. */
export function isFused(): bool {
  const above = f64x2.splat(1.0000000000000002)
  return f64x2.extract_lane(v128.relaxed_madd<f64>(above, above, f64x2.splat(-1.0000000000000004)), 0) != 0
}

/** Makes limbs of the number. @param to - One of those above. */
export function read(to: usize, count: i32): void {
  let at = number
  for (let i: usize = 0; i < (<usize>count) << 3; i += 16, at += 11) {
    store<f64>(to + i, <f64>(load<u64>(at) & MASK))
    store<f64>(to + i, <f64>((load<u64>(at, 5) >> 4) & MASK), 8)
  }
}

/** To be called when the host has written the numbers. @param count - Of limbs, an even number. */
export function begin(count: i32, hasWindow: bool): void {
  limbs = <usize>count
  v128.store(shifted, f64x2.splat(reinterpret<f64>(HIGH) + reinterpret<f64>(LOW)))
  v128.store(half, f64x2.splat(reinterpret<f64>(UNIT) + <f64>HALF))
  memory.copy(result, one, NUMBER_BYTES)
  if (!hasWindow) return
  memory.copy(powers, one, NUMBER_BYTES)
  memory.copy(powers + NUMBER_BYTES, base, NUMBER_BYTES)
  for (let i: usize = 2; i < 16; i++) {
    multiply(powers + i * NUMBER_BYTES, powers + (i - 1) * NUMBER_BYTES, base)
  }
}

/** Goes on with the bits of the exponent from `first` to before `end`, counted from the highest of its bytes. */
export function goOn(first: i32, end: i32): void {
  for (let bit = first; bit < end; bit++) {
    multiply(result, result, result)
    if ((load<u8>(exponent + (bit >> 3)) >> <u8>(7 - (bit & 7))) & 1) multiply(result, result, base)
  }
}

/** Does the same by four bits at a time; `first` and `end` are multiples of four. */
export function goOnByWindows(first: i32, end: i32): void {
  for (let bit = first; bit < end; bit += 4) {
    for (let i = 0; i < 4; i++) multiply(result, result, result)
    const byte = load<u8>(exponent + (bit >> 3))
    const digit = <usize>(bit & 4 ? byte & 15 : byte >> 4)
    if (digit != 0) multiply(result, result, powers + digit * NUMBER_BYTES)
  }
}

/** Takes the result out of Montgomery's form, and writes it as the number. */
export function finish(): void {
  memory.fill(one, 0, NUMBER_BYTES)
  store<f64>(one, 1)
  multiply(result, result, one)
  // What is carried on from the highest limb is the sign.
  if (write(false) < 0) write(true)
}

/** Writes the result, or its sum with the modulus. @returns What is carried on. */
function write(withModulus: bool): i64 {
  let carry: i64 = 0
  let at = number
  for (let i: usize = 0; i < limbs << 3; i += 16, at += 11) {
    carry += <i64>load<f64>(result + i)
    if (withModulus) carry += <i64>load<f64>(modulus + i)
    const first = <u64>carry & MASK
    carry = (carry >> <i64>BITS) + <i64>load<f64>(result + i, 8)
    if (withModulus) carry += <i64>load<f64>(modulus + i, 8)
    const second = <u64>carry & MASK
    carry >>= <i64>BITS
    store<u64>(at, first | (second << BITS))
    store<u32>(at, <u32>(second >> 20), 8)
  }
  return carry
}

// @inline
function fused(a: v128, b: v128, c: v128): v128 {
  return v128.relaxed_madd<f64>(a, b, c)
}

/** The lowest of two columns as a factor: what makes it a multiple of 2^44. @returns It in both lanes. */
// @inline
function factor(column: v128, c: v128, k: v128): v128 {
  const one = v128.load(unit)
  const lowest = f64x2.sub(v128.or(v128.and(column, v128.load(mask)), one), one)
  const by = v128.load64_splat(inverse)
  const above = fused(lowest, by, c)
  const q = f64x2.sub(fused(lowest, by, f64x2.sub(k, above)), v128.load(low))
  return f64x2.splat(f64x2.extract_lane(q, 0))
}

/** Two columns moved up by one: the upper of the first pair and the lower of the second. */
// @inline
function between(first: v128, second: v128): v128 {
  return i64x2.shuffle(first, second, 1, 2)
}

/** a · b / 2^(44 · limbs); `to` may be either. */
function multiply(to: usize, a: usize, b: usize): void {
  const c = v128.load(high)
  const k = v128.load(shifted)
  const lowBits = i64x2.splat(LOW)
  const highBits = i64x2.splat(HIGH)
  const bytes = limbs << 3
  memory.fill(columns, 0, bytes + 32)
  for (let i: usize = 0; i < bytes; i += 16) {
    const x = v128.load64_splat(a + i)
    const y = v128.load64_splat(a + i, 8)
    // What the first column lacks, then the second.
    let b0 = v128.load(b)
    let p0 = v128.load(modulus)
    let h = fused(x, b0, c)
    let l = fused(x, b0, f64x2.sub(k, h))
    let t = i64x2.add(v128.load(columns), i64x2.sub(l, lowBits))
    const q = factor(t, c, k)
    let g = fused(q, p0, c)
    let m = fused(q, p0, f64x2.sub(k, g))
    t = i64x2.add(t, i64x2.sub(m, lowBits))
    let h1 = fused(y, b0, c)
    let l1 = fused(y, b0, f64x2.sub(k, h1))
    // Goes to the columns above: those of the first factor's high parts, and of the second's low ones.
    let up = i64x2.sub(i64x2.add(i64x2.add(h, g), l1), i64x2.add(i64x2.add(highBits, highBits), lowBits))
    const carried = i64x2.shr_s(t, <i32>BITS)
    const second = i64x2.add(i64x2.add(i64x2.shuffle(t, t, 1, 0), up), carried)
    const r = factor(second, c, k)
    let g1 = fused(r, p0, c)
    let m1 = fused(r, p0, f64x2.sub(k, g1))
    up = i64x2.add(up, i64x2.sub(m1, lowBits))
    let top = i64x2.sub(i64x2.add(h1, g1), i64x2.add(highBits, highBits))
    // The two lowest columns are multiples of 2^88 now: only their carry is left.
    const whole = i64x2.add(i64x2.add(i64x2.shuffle(t, t, 1, 0), up), carried)
    const carry = i64x2.replace_lane(i64x2.splat(0), 0, i64x2.extract_lane(i64x2.shr_s(whole, <i32>BITS), 0))
    top = i64x2.add(top, carry)
    for (let j: usize = 16; j < bytes; j += 16) {
      b0 = v128.load(b + j)
      p0 = v128.load(modulus + j)
      h = fused(x, b0, c)
      l = fused(x, b0, f64x2.sub(k, h))
      g = fused(q, p0, c)
      m = fused(q, p0, f64x2.sub(k, g))
      h1 = fused(y, b0, c)
      l1 = fused(y, b0, f64x2.sub(k, h1))
      g1 = fused(r, p0, c)
      m1 = fused(r, p0, f64x2.sub(k, g1))
      const middle = i64x2.sub(
        i64x2.add(i64x2.add(h, g), i64x2.add(l1, m1)),
        i64x2.add(i64x2.add(highBits, highBits), i64x2.add(lowBits, lowBits)),
      )
      t = i64x2.add(v128.load(columns + j), i64x2.sub(i64x2.add(l, m), i64x2.add(lowBits, lowBits)))
      t = i64x2.add(i64x2.add(t, between(up, middle)), top)
      v128.store(columns + j - 16, t)
      up = middle
      top = i64x2.sub(i64x2.add(h1, g1), i64x2.add(highBits, highBits))
    }
    t = i64x2.add(i64x2.add(v128.load(columns + bytes), between(up, i64x2.splat(0))), top)
    v128.store(columns + bytes - 16, t)
  }
  carryOn(to, bytes)
}

/** Makes limbs of the columns; what goes up is small enough to stay where it gets. */
// @inline
function carryOn(to: usize, bytes: usize): void {
  const m = v128.load(mask)
  const u = v128.load(unit)
  const h = v128.load(half)
  const bias = i64x2.splat(BIAS + HALF)
  const carriedBias = f64x2.splat(reinterpret<f64>(UNIT) + <f64>(BIAS >> BITS))
  let before = f64x2.splat(0)
  const last = bytes - 16
  for (let j: usize = 0; j < last; j += 16) {
    const t = i64x2.add(v128.load(columns + j), bias)
    const up = f64x2.sub(v128.or(i64x2.shr_u(t, <i32>BITS), u), carriedBias)
    const limb = f64x2.sub(v128.or(v128.and(t, m), u), h)
    v128.store(to + j, f64x2.add(limb, between(before, up)))
    before = up
  }
  // The highest limb keeps all that it has.
  const t = v128.load(columns + last)
  const lowest = i64x2.extract_lane(t, 0) + <i64>HALF
  const up = lowest >> <i64>BITS
  store<f64>(to + last, <f64>((lowest & <i64>MASK) - <i64>HALF) + f64x2.extract_lane(before, 1))
  store<f64>(to + last, <f64>(i64x2.extract_lane(t, 1) + up), 8)
}
