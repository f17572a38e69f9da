/** Rounds of the generator: ChaCha12, which Rust's `StdRng` is. */
const ROUNDS = 12
const MASK = 2n ** 64n - 1n
/** "expand 32-byte k". */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]
/** The columns of the state, then its diagonals. */
const QUARTERS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const

/**
 * The first random bytes of Rust's `StdRng::seed_from_u64(seed)`, up to 16, each the lowest of a 32-bit word. With them
 * anvil makes the mnemonic of `--mnemonic-seed-unsafe`.
 *
 * @param seed - 64 bits.
 */
export function seededBytes(seed: bigint, count: number): Uint8Array {
  const start = Uint32Array.from([...CONSTANTS, ...keyOf(seed), 0, 0, 0, 0])
  const words = start.slice()
  for (let round = 0; round < ROUNDS; round += 2) for (const quarter of QUARTERS) mix(words, quarter)
  return Uint8Array.from(words.subarray(0, count), (word, i) => word + (start[i] ?? 0))
}

/** The key that a seed becomes: eight outputs of PCG32. */
function keyOf(seed: bigint): readonly number[] {
  let state = seed
  return Array.from({ length: 8 }, () => {
    state = (state * 6_364_136_223_846_793_005n + 11_634_580_027_462_260_723n) & MASK
    const shifted = Number((((state >> 18n) ^ state) >> 27n) & 0xffff_ffffn)
    return rotateLeft(shifted, 32 - Number(state >> 59n))
  })
}

function mix(words: Uint32Array, [a, b, c, d]: (typeof QUARTERS)[number]): void {
  const step = (sum: number, added: number, turned: number, by: number) => {
    words[sum] = word(words, sum) + word(words, added)
    words[turned] = rotateLeft(word(words, turned) ^ word(words, sum), by)
  }
  step(a, b, d, 16)
  step(c, d, b, 12)
  step(a, b, d, 8)
  step(c, d, b, 7)
}

const word = (words: Uint32Array, index: number) => words[index] ?? 0

const rotateLeft = (value: number, by: number) => ((value << (by & 31)) | (value >>> ((32 - by) & 31))) >>> 0
