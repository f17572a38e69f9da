/**
 * SHA-256. The eight words of the state are locals while a block is taken in; eight rounds are written out, in which each of
 * them has each of the roles once, so that none has to move.
 *
 * @see {@link https://csrc.nist.gov/pubs/fips/180-4/upd1/final | FIPS 180-4}
 */
import { BLOCK_BYTES, padTail, TAIL } from './padding.ts'

const STATE: usize = memory.data(32, 8)
/** The block as words, and what is made of them: one for each round. */
const SCHEDULE: usize = memory.data(256, 8)
const SCHEDULE_BYTES: usize = 256
const CONSTANTS: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])
const INITIAL: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
])

/** Hashes `size` bytes into the 32 at `to`. */
export function sha256(from: usize, size: usize, to: usize): void {
  memory.copy(STATE, INITIAL, 32)
  let left = size
  for (; left >= BLOCK_BYTES; left -= BLOCK_BYTES, from += BLOCK_BYTES) takeIn(from)
  const end = padTail(from, left)
  store<u64>(end - 8, bswap<u64>((size as u64) << 3))
  for (let at = TAIL; at < end; at += BLOCK_BYTES) takeIn(at)
  for (let i: usize = 0; i < 32; i += 4) store<u32>(to + i, bswap<u32>(load<u32>(STATE + i)))
}

function takeIn(block: usize): void {
  for (let i: usize = 0; i < BLOCK_BYTES; i += 4) store<u32>(SCHEDULE + i, bswap<u32>(load<u32>(block + i)))
  for (let at = SCHEDULE + BLOCK_BYTES; at < SCHEDULE + SCHEDULE_BYTES; at += 4) {
    const w15 = load<u32>(at - 60)
    const w2 = load<u32>(at - 8)
    const s0 = rotr<u32>(w15, 7) ^ rotr<u32>(w15, 18) ^ (w15 >> 3)
    const s1 = rotr<u32>(w2, 17) ^ rotr<u32>(w2, 19) ^ (w2 >> 10)
    store<u32>(at, load<u32>(at - 64) + s0 + load<u32>(at - 28) + s1)
  }
  let a = load<u32>(STATE, 0)
  let b = load<u32>(STATE, 4)
  let c = load<u32>(STATE, 8)
  let d = load<u32>(STATE, 12)
  let e = load<u32>(STATE, 16)
  let f = load<u32>(STATE, 20)
  let g = load<u32>(STATE, 24)
  let h = load<u32>(STATE, 28)
  for (let round: usize = 0; round < SCHEDULE_BYTES; round += 32) {
    h += fromLower(e, f, g) + added(round, 0)
    d += h
    h += fromUpper(a, b, c)
    g += fromLower(d, e, f) + added(round, 4)
    c += g
    g += fromUpper(h, a, b)
    f += fromLower(c, d, e) + added(round, 8)
    b += f
    f += fromUpper(g, h, a)
    e += fromLower(b, c, d) + added(round, 12)
    a += e
    e += fromUpper(f, g, h)
    d += fromLower(a, b, c) + added(round, 16)
    h += d
    d += fromUpper(e, f, g)
    c += fromLower(h, a, b) + added(round, 20)
    g += c
    c += fromUpper(d, e, f)
    b += fromLower(g, h, a) + added(round, 24)
    f += b
    b += fromUpper(c, d, e)
    a += fromLower(f, g, h) + added(round, 28)
    e += a
    a += fromUpper(b, c, d)
  }
  store<u32>(STATE, load<u32>(STATE, 0) + a, 0)
  store<u32>(STATE, load<u32>(STATE, 4) + b, 4)
  store<u32>(STATE, load<u32>(STATE, 8) + c, 8)
  store<u32>(STATE, load<u32>(STATE, 12) + d, 12)
  store<u32>(STATE, load<u32>(STATE, 16) + e, 16)
  store<u32>(STATE, load<u32>(STATE, 20) + f, 20)
  store<u32>(STATE, load<u32>(STATE, 24) + g, 24)
  store<u32>(STATE, load<u32>(STATE, 28) + h, 28)
}

/** Σ1 and Ch of the specification. */
// @inline
function fromLower(e: u32, f: u32, g: u32): u32 {
  return (rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25)) + (g ^ (e & (f ^ g)))
}

/** Σ0 and Maj. */
// @inline
function fromUpper(a: u32, b: u32, c: u32): u32 {
  return (rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22)) + ((a & b) | (c & (a | b)))
}

/** The constants that the rounds add. */
// @inline
function added(round: usize, word: usize): u32 {
  return load<u32>(CONSTANTS + round + word) + load<u32>(SCHEDULE + round + word)
}
