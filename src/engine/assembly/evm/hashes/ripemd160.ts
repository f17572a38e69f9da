/**
 * RIPEMD-160: two lines of eighty rounds on the same block, which differ in the order of the words, in how far they rotate
 * and in what they add.
 *
 * @see {@link https://homes.esat.kuleuven.be/~bosselae/ripemd160/pdf/AB-9601/AB-9601.pdf | RIPEMD-160: a strengthened version}
 */
import { BLOCK_BYTES, padTail, TAIL } from './padding.ts'

const STATE: usize = memory.data(20, 8)
const INITIAL: usize = memory.data<u32>([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0])
const STATE_BYTES: usize = 20
/** The states at the end of the two lines. */
const LINES: usize = memory.data(40, 8)

/** By line and round: the word, and how far to rotate. */
const WORDS: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8, 3, 10, 14,
  4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12, 1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2, 4, 0, 5, 9, 7, 12, 2,
  10, 14, 1, 3, 8, 11, 6, 15, 13, 5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 6, 11, 3, 7, 0, 13, 5, 10, 14,
  15, 8, 12, 4, 9, 1, 2, 15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13, 8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13,
  9, 7, 10, 14, 12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11,
])
const ROTATIONS: usize = memory.data<u8>([
  11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8, 7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12, 11,
  13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5, 11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12, 9, 15, 5,
  11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6, 8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6, 9, 13, 15, 7,
  12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11, 9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5, 15, 5, 8, 11, 14,
  14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8, 8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11,
])
/** By line and sixteen rounds. */
const CONSTANTS: usize = memory.data<u32>([
  0x00000000, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e, 0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9,
  0x00000000,
])
const ROUNDS: usize = 80

/** Hashes `size` bytes into the 20 at `to`. */
export function ripemd160(from: usize, size: usize, to: usize): void {
  memory.copy(STATE, INITIAL, STATE_BYTES)
  let left = size
  for (; left >= BLOCK_BYTES; left -= BLOCK_BYTES, from += BLOCK_BYTES) takeIn(from)
  const end = padTail(from, left)
  store<u64>(end - 8, (size as u64) << 3)
  for (let at = TAIL; at < end; at += BLOCK_BYTES) takeIn(at)
  memory.copy(to, STATE, STATE_BYTES)
}

function takeIn(block: usize): void {
  runLine(block, 0)
  runLine(block, 1)
  const h0 = load<u32>(STATE, 0)
  store<u32>(STATE, load<u32>(STATE, 4) + load<u32>(LINES, 8) + load<u32>(LINES, 32), 0)
  store<u32>(STATE, load<u32>(STATE, 8) + load<u32>(LINES, 12) + load<u32>(LINES, 36), 4)
  store<u32>(STATE, load<u32>(STATE, 12) + load<u32>(LINES, 16) + load<u32>(LINES, 20), 8)
  store<u32>(STATE, load<u32>(STATE, 16) + load<u32>(LINES, 0) + load<u32>(LINES, 24), 12)
  store<u32>(STATE, h0 + load<u32>(LINES, 4) + load<u32>(LINES, 28), 16)
}

/** @param line - 0 or 1. */
function runLine(block: usize, line: usize): void {
  let a = load<u32>(STATE, 0)
  let b = load<u32>(STATE, 4)
  let c = load<u32>(STATE, 8)
  let d = load<u32>(STATE, 12)
  let e = load<u32>(STATE, 16)
  for (let i: usize = 0; i < ROUNDS; i++) {
    const round = line * ROUNDS + i
    // The second line has the functions of the first in the other order.
    const mixed = mix((line == 0 ? i : ROUNDS - 1 - i) >> 4, b, c, d)
    const word = load<u32>(block + ((load<u8>(WORDS + round) as usize) << 2))
    const sum = a + mixed + word + load<u32>(CONSTANTS + ((round >> 4) << 2))
    a = e
    e = d
    d = rotl<u32>(c, 10)
    c = b
    b = rotl<u32>(sum, load<u8>(ROTATIONS + round)) + a
  }
  const at = LINES + line * STATE_BYTES
  store<u32>(at, a, 0)
  store<u32>(at, b, 4)
  store<u32>(at, c, 8)
  store<u32>(at, d, 12)
  store<u32>(at, e, 16)
}

// @inline
function mix(kind: usize, x: u32, y: u32, z: u32): u32 {
  switch (kind as u32) {
    case 0:
      return x ^ y ^ z
    case 1:
      return (x & y) | (~x & z)
    case 2:
      return (x | ~y) ^ z
    case 3:
      return (x & z) | (y & ~z)
    default:
      return x ^ (y | ~z)
  }
}
