/**
 * 256-bit words in linear memory: four 64-bit limbs, the lowest first. Code, input and memory are big-endian;
 * the words are converted at that boundary.
 */
export const WORD_BYTES: usize = 32

export function setWord(to: usize, l0: u64, l1: u64, l2: u64, l3: u64): void {
  store<u64>(to, l0)
  store<u64>(to, l1, 8)
  store<u64>(to, l2, 16)
  store<u64>(to, l3, 24)
}

/** A word that fits into one limb. */
export function setSmall(to: usize, value: u64): void {
  setWord(to, value, 0, 0, 0)
}

/** `to` may be `from`. */
export function copyWord(to: usize, from: usize): void {
  setWord(to, load<u64>(from), load<u64>(from, 8), load<u64>(from, 16), load<u64>(from, 24))
}

export function isZero(word: usize): bool {
  return (load<u64>(word) | load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) == 0
}

export function equalWords(a: usize, b: usize): bool {
  return (
    ((load<u64>(a) ^ load<u64>(b)) |
      (load<u64>(a, 8) ^ load<u64>(b, 8)) |
      (load<u64>(a, 16) ^ load<u64>(b, 16)) |
      (load<u64>(a, 24) ^ load<u64>(b, 24))) ==
    0
  )
}

/** Whether `a` is below `b`, both unsigned. */
export function isBelow(a: usize, b: usize): bool {
  let left = load<u64>(a, 24)
  let right = load<u64>(b, 24)
  if (left == right) {
    left = load<u64>(a, 16)
    right = load<u64>(b, 16)
  }
  if (left == right) {
    left = load<u64>(a, 8)
    right = load<u64>(b, 8)
  }
  if (left == right) {
    left = load<u64>(a)
    right = load<u64>(b)
  }
  return left < right
}

/** The word that 32 bytes spell; `to` may be `from`. */
// @inline
export function loadBigEndian(to: usize, from: usize): void {
  setWord(
    to,
    bswap<u64>(load<u64>(from, 24)),
    bswap<u64>(load<u64>(from, 16)),
    bswap<u64>(load<u64>(from, 8)),
    bswap<u64>(load<u64>(from)),
  )
}

/** The 32 bytes that spell a word; `to` may be `from`. */
export function storeBigEndian(to: usize, from: usize): void {
  loadBigEndian(to, from)
}

/** The word as a number, capped at `most`. */
export function clamp(word: usize, most: u64): u64 {
  const low = load<u64>(word)
  const high = load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)
  return high != 0 || low > most ? most : low
}
