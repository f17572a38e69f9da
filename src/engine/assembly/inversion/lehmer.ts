/**
 * Inverts a number modulo a larger one that has no factor in common with it, by Euclid's algorithm as Lehmer does it: quotients
 * follow from the 64 highest bits, as long as those show them for certain, and what some thirty bits of quotients come to is then
 * applied to the whole numbers at once.
 *
 * Numbers are 32-bit limbs, the lowest first, as many as have a value.
 *
 * @see Knuth, The Art of Computer Programming, 4.5.2; the condition is that of Collins.
 */
import { WIDE } from './wide.ts'

const LIMBS: usize = WIDE ? 12 : 8
const LIMB_BYTES: usize = 4
const BYTES: usize = LIMBS * LIMB_BYTES
const LOW: u64 = 0xffffffff
/** Above all factors of the steps that are applied at once, so that sums of two products fit into 64 bits. */
const MOST: u64 = 0x7fffffff

/** The two numbers, with room for a limb of zeros on both sides; and by what the inverted one is multiplied to give them. */
const first = memory.data(80, 16)
const second = memory.data(80, 16)
const firstBy = memory.data(80, 16)
const secondBy = memory.data(80, 16)

/**
 * Replaces words, the lowest first, by the inverse modulo an odd number, which they are below; 0 by 0.
 *
 * @param modulus - In words.
 */
export function invert(at: usize, modulus: usize): void {
  let a = first + 16
  let b = second + 16
  let x = firstBy
  let y = secondBy
  memory.copy(a, modulus, BYTES)
  memory.copy(b, at, BYTES)
  store<u32>(a, 0, BYTES)
  store<u32>(b, 0, BYTES)
  memory.fill(x, 0, BYTES + 8)
  memory.fill(y, 0, BYTES + 8)
  store<u32>(y, 1)
  let size = BYTES
  let sizeBy = LIMB_BYTES
  let isOdd = false
  if (lengthOf(b, BYTES) == 0) return
  for (;;) {
    while (load<u32>(a + size - LIMB_BYTES) == 0 && load<u32>(b + size - LIMB_BYTES) == 0) size -= LIMB_BYTES
    // The highest bits of both, at the same place.
    const shift = <u64>clz<u32>(load<u32>(a + size - LIMB_BYTES))
    let high = top(a + size, shift)
    let low = top(b + size, shift)
    let u0: u64 = 1
    let v0: u64 = 0
    let u1: u64 = 0
    let v1: u64 = 1
    let isSwapped = false
    while (low != 0) {
      const quotient = high / low
      if (quotient > MOST) break
      const rest = high - quotient * low
      const v2 = v0 + quotient * v1
      if (v2 > MOST || rest < v2 || low - rest < v2 + v1) break
      const u2 = u0 + quotient * u1
      high = low
      low = rest
      u0 = u1
      u1 = u2
      v0 = v1
      v1 = v2
      isSwapped = !isSwapped
    }
    if (v0 == 0) {
      // None of the quotients was certain.
      if (lengthOf(b, size) == 0) break
      sizeBy = divide(a, b, x, y, size, sizeBy)
      let other = a
      a = b
      b = other
      other = x
      x = y
      y = other
      isOdd = !isOdd
      continue
    }
    if (isSwapped) combine(a, b, size, -(<i64>u0), -(<i64>v0), -(<i64>v1), -(<i64>u1))
    else combine(a, b, size, u0, v0, v1, u1)
    sizeBy = combineBy(x, y, sizeBy, u0, v0, u1, v1)
    isOdd = isOdd != isSwapped
  }
  if (isOdd) {
    memory.copy(at, x, BYTES)
    return
  }
  let borrow: i64 = 0
  for (let i: usize = 0; i < BYTES; i += LIMB_BYTES) {
    borrow += <i64>load<u32>(modulus + i) - <i64>load<u32>(x + i)
    store<u32>(at + i, <u32>borrow)
    borrow >>= 32
  }
}

/** The 64 bits that begin `shift` bits below the end of a number. */
// @inline
function top(end: usize, shift: u64): u64 {
  return (load<u64>(end - 8) << shift) | (((<u64>load<u32>(end - 12)) << shift) >> 32)
}

// @inline
function lengthOf(at: usize, size: usize): usize {
  while (size > 0 && load<u32>(at + size - LIMB_BYTES) == 0) size -= LIMB_BYTES
  return size
}

/** Replaces a by ka − lb, and b by mb − na, neither of which is negative; k and l may both be, or m and n. */
// @inline
function combine(a: usize, b: usize, size: usize, k: i64, l: i64, m: i64, n: i64): void {
  let up: i64 = 0
  let upOther: i64 = 0
  for (let i: usize = 0; i < size; i += LIMB_BYTES) {
    const ai = <i64>load<u32>(a + i)
    const bi = <i64>load<u32>(b + i)
    up += k * ai - l * bi
    upOther += m * bi - n * ai
    store<u32>(a + i, <u32>up)
    store<u32>(b + i, <u32>upOther)
    up >>= 32
    upOther >>= 32
  }
}

/** Replaces x by kx + ly, and y by mx + ny. @returns The bytes of both. */
// @inline
function combineBy(x: usize, y: usize, size: usize, k: u64, l: u64, m: u64, n: u64): usize {
  let up: u64 = 0
  let upOther: u64 = 0
  for (let i: usize = 0; i < size; i += LIMB_BYTES) {
    const xi = <u64>load<u32>(x + i)
    const yi = <u64>load<u32>(y + i)
    const sum = k * xi + up
    const sumOther = m * xi + upOther
    const low = l * yi + (sum & LOW)
    const lowOther = n * yi + (sumOther & LOW)
    store<u32>(x + i, <u32>low)
    store<u32>(y + i, <u32>lowOther)
    up = (sum >> 32) + (low >> 32)
    upOther = (sumOther >> 32) + (lowOther >> 32)
  }
  if ((up | upOther) == 0) return size
  store<u32>(x + size, <u32>up)
  store<u32>(y + size, <u32>upOther)
  return size + LIMB_BYTES
}

/** Replaces a by its rest modulo b, and x by what it is then multiplied by. @returns The bytes of x and y. */
function divide(a: usize, b: usize, x: usize, y: usize, size: usize, sizeBy: usize): usize {
  while (true) {
    if (isBelow(a, b, size)) break
    // One less than the difference of their lengths is never too much.
    const shift = max(bitsOf(a, size) - bitsOf(b, size) - 1, 0)
    const by = <u64>(shift & 31)
    const over = <usize>(shift >> 5) * LIMB_BYTES
    let borrow: i64 = 0
    for (let i: usize = 0; over + i < size; i += LIMB_BYTES) {
      borrow += <i64>load<u32>(a + over + i) - <i64>shifted(b, i, by)
      store<u32>(a + over + i, <u32>borrow)
      borrow >>= 32
    }
    let carry: u64 = 0
    let i: usize = 0
    for (; i <= sizeBy || carry != 0; i += LIMB_BYTES) {
      if (over + i >= BYTES + LIMB_BYTES) break
      carry += <u64>load<u32>(x + over + i) + (i <= sizeBy ? <u64>shifted(y, i, by) : 0)
      store<u32>(x + over + i, <u32>carry)
      carry >>= 32
    }
    sizeBy = max(sizeBy, lengthOf(x, BYTES + LIMB_BYTES))
  }
  return sizeBy
}

/** A limb of a number that is multiplied by a power of two; what is below the number is zero. */
// @inline
function shifted(at: usize, i: usize, by: u64): u32 {
  const below: u64 = i == 0 ? 0 : <u64>load<u32>(at + i - LIMB_BYTES)
  return <u32>(((<u64>load<u32>(at + i)) << by) | ((below << by) >> 32))
}

function bitsOf(at: usize, size: usize): i32 {
  const length = lengthOf(at, size)
  return length == 0 ? 0 : <i32>(length << 3) - clz<u32>(load<u32>(at + length - LIMB_BYTES))
}

function isBelow(a: usize, b: usize, size: usize): bool {
  for (let i = <i32>size - 4; i >= 0; i -= 4) {
    const x = load<u32>(a + i)
    const y = load<u32>(b + i)
    if (x != y) return x < y
  }
  return false
}

/** Numbers of the curve secp256k1: its field's prime, and its group's order. */
const FIELD_PRIME = memory.data<u64>([0xfffffffefffffc2f, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff])
const GROUP_ORDER = memory.data<u64>([0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, 0xffffffffffffffff])

/** Replaces four 64-bit words, the lowest first, by the inverse modulo p; 0 by 0. The number is below p. */
export function invertWords(at: usize): void {
  invert(at, FIELD_PRIME)
}

/** Replaces a number by its inverse modulo the order of the curve's group, as {@link invertWords} does modulo p. */
export function invertScalarWords(at: usize): void {
  invert(at, GROUP_ORDER)
}
