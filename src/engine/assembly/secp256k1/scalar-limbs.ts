/**
 * Numbers modulo p = 2^256 − 2^32 − 977 in nine limbs of 29 bits, the lowest first, each a u32 in memory: products of limbs
 * can be summed in 64 bits without carries. Numbers stand for themselves plus any multiple of p below 2^261, and limbs may
 * be a little above 2^29 (by 2^16), unless a function says otherwise.
 *
 * Carries are written out wherever they occur: limbs are locals, so that they can stay in registers, and a function can
 * answer but one of them.
 */
export const LIMB_BITS: u64 = 29
export const LIMB: u64 = (1 << LIMB_BITS) - 1
/** 2^261 ≡ 2^37 + FOLD: what stands above nine limbs comes back at limb 1, eight bits up, and at limb 0. */
export const FOLD: u64 = 977 << 5

/** Stores a number that is given in four 64-bit words, the lowest first. */
export function storeWords(to: usize, v0: u64, v1: u64, v2: u64, v3: u64): void {
  store<u32>(to, <u32>(v0 & LIMB))
  store<u32>(to, <u32>((v0 >> 29) & LIMB), 4)
  store<u32>(to, <u32>(((v0 >> 58) | (v1 << 6)) & LIMB), 8)
  store<u32>(to, <u32>((v1 >> 23) & LIMB), 12)
  store<u32>(to, <u32>(((v1 >> 52) | (v2 << 12)) & LIMB), 16)
  store<u32>(to, <u32>((v2 >> 17) & LIMB), 20)
  store<u32>(to, <u32>(((v2 >> 46) | (v3 << 18)) & LIMB), 24)
  store<u32>(to, <u32>((v3 >> 11) & LIMB), 28)
  store<u32>(to, <u32>(v3 >> 40), 32)
}

/** Writes four 64-bit words of a normalized number, the lowest first. */
export function loadWords(to: usize, a: usize): void {
  const a0: u64 = load<u32>(a)
  const a1: u64 = load<u32>(a, 4)
  const a2: u64 = load<u32>(a, 8)
  const a3: u64 = load<u32>(a, 12)
  const a4: u64 = load<u32>(a, 16)
  const a5: u64 = load<u32>(a, 20)
  const a6: u64 = load<u32>(a, 24)
  const a7: u64 = load<u32>(a, 28)
  const a8: u64 = load<u32>(a, 32)
  store<u64>(to, a0 | (a1 << 29) | (a2 << 58))
  store<u64>(to, (a2 >> 6) | (a3 << 23) | (a4 << 52), 8)
  store<u64>(to, (a4 >> 12) | (a5 << 17) | (a6 << 46), 16)
  store<u64>(to, (a6 >> 18) | (a7 << 11) | (a8 << 40), 24)
}

export function copy(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from))
  store<u64>(to, load<u64>(from, 8), 8)
  store<u64>(to, load<u64>(from, 16), 16)
  store<u64>(to, load<u64>(from, 24), 24)
  store<u32>(to, load<u32>(from, 32), 32)
}

/** Whether a normalized number is 0. */
export function isZero(a: usize): bool {
  return (load<u64>(a) | load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24) | <u64>load<u32>(a, 32)) == 0
}

/** Carries limbs of up to 36 bits on, folds what stands above the highest, and stores them. */
// @inline
export function storeCarried(
  to: usize,
  w0: u64,
  w1: u64,
  w2: u64,
  w3: u64,
  w4: u64,
  w5: u64,
  w6: u64,
  w7: u64,
  w8: u64,
): void {
  w1 += w0 >> LIMB_BITS
  w0 &= LIMB
  w2 += w1 >> LIMB_BITS
  w1 &= LIMB
  w3 += w2 >> LIMB_BITS
  w2 &= LIMB
  w4 += w3 >> LIMB_BITS
  w3 &= LIMB
  w5 += w4 >> LIMB_BITS
  w4 &= LIMB
  w6 += w5 >> LIMB_BITS
  w5 &= LIMB
  w7 += w6 >> LIMB_BITS
  w6 &= LIMB
  w8 += w7 >> LIMB_BITS
  w7 &= LIMB
  const over = w8 >> LIMB_BITS
  w8 &= LIMB
  w0 += over * FOLD
  w1 += (over << 8) + (w0 >> LIMB_BITS)
  w0 &= LIMB
  w2 += w1 >> LIMB_BITS
  w1 &= LIMB
  storeLimbs(to, w0, w1, w2, w3, w4, w5, w6, w7, w8)
}

// @inline
export function storeLimbs(
  to: usize,
  w0: u64,
  w1: u64,
  w2: u64,
  w3: u64,
  w4: u64,
  w5: u64,
  w6: u64,
  w7: u64,
  w8: u64,
): void {
  store<u32>(to, <u32>w0)
  store<u32>(to, <u32>w1, 4)
  store<u32>(to, <u32>w2, 8)
  store<u32>(to, <u32>w3, 12)
  store<u32>(to, <u32>w4, 16)
  store<u32>(to, <u32>w5, 20)
  store<u32>(to, <u32>w6, 24)
  store<u32>(to, <u32>w7, 28)
  store<u32>(to, <u32>w8, 32)
}

/** The number itself, below p, in limbs below 2^29. `to` may be `a`. */
export function normalize(to: usize, a: usize): void {
  let w0: u64 = load<u32>(a)
  let w1: u64 = load<u32>(a, 4)
  let w2: u64 = load<u32>(a, 8)
  let w3: u64 = load<u32>(a, 12)
  let w4: u64 = load<u32>(a, 16)
  let w5: u64 = load<u32>(a, 20)
  let w6: u64 = load<u32>(a, 24)
  let w7: u64 = load<u32>(a, 28)
  let w8: u64 = load<u32>(a, 32)
  // 2^256 ≡ 2^32 + 977, and 2^32 is eight at limb 1.
  for (let i = 0; i < 2; i++) {
    const over = w8 >> 24
    w8 &= 0xffffff
    w0 += over * 977
    w1 += over << 3
    w1 += w0 >> LIMB_BITS
    w0 &= LIMB
    w2 += w1 >> LIMB_BITS
    w1 &= LIMB
    w3 += w2 >> LIMB_BITS
    w2 &= LIMB
    w4 += w3 >> LIMB_BITS
    w3 &= LIMB
    w5 += w4 >> LIMB_BITS
    w4 &= LIMB
    w6 += w5 >> LIMB_BITS
    w5 &= LIMB
    w7 += w6 >> LIMB_BITS
    w6 &= LIMB
    w8 += w7 >> LIMB_BITS
    w7 &= LIMB
  }
  // Whether it is p or more: then adding 2^256 − p carries out of 256 bits.
  const x0 = w0 + 977
  const x1 = w1 + 8 + (x0 >> LIMB_BITS)
  const x2 = w2 + (x1 >> LIMB_BITS)
  const x3 = w3 + (x2 >> LIMB_BITS)
  const x4 = w4 + (x3 >> LIMB_BITS)
  const x5 = w5 + (x4 >> LIMB_BITS)
  const x6 = w6 + (x5 >> LIMB_BITS)
  const x7 = w7 + (x6 >> LIMB_BITS)
  const x8 = w8 + (x7 >> LIMB_BITS)
  if (x8 >> 24) {
    storeLimbs(
      to,
      x0 & LIMB,
      x1 & LIMB,
      x2 & LIMB,
      x3 & LIMB,
      x4 & LIMB,
      x5 & LIMB,
      x6 & LIMB,
      x7 & LIMB,
      x8 & 0xffffff,
    )
  } else {
    storeLimbs(to, w0, w1, w2, w3, w4, w5, w6, w7, w8)
  }
}
