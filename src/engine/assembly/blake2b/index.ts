/**
 * The compression function F of BLAKE2b, in portions of rounds.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7693#section-3.2 | RFC 7693}
 */

/** The work vector, in words; and 16 words of the message behind it. */
export const work = memory.data(256, 16)
const MESSAGE_AT: usize = 128

/** Order of the message's words in each of ten rounds, which then repeats (RFC 7693, 2.7). */
const SIGMA = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3, 11, 8, 12,
  0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8, 9, 0, 5, 7, 2, 4, 10,
  15, 14, 1, 11, 12, 6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9, 12, 5, 1, 15, 14, 13, 4, 10, 0,
  7, 6, 3, 9, 2, 8, 11, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7,
  1, 4, 10, 5, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
])

/** A word of the message, by its place in the round's order. */
// @inline
function word(order: usize, place: usize): u64 {
  return load<u64>(work + ((<usize>load<u8>(order + place)) << 3), MESSAGE_AT)
}

/** Runs the rounds from `first` to before `end`. */
export function mix(first: u32, end: u32): void {
  let v0 = load<u64>(work, 0)
  let v1 = load<u64>(work, 8)
  let v2 = load<u64>(work, 16)
  let v3 = load<u64>(work, 24)
  let v4 = load<u64>(work, 32)
  let v5 = load<u64>(work, 40)
  let v6 = load<u64>(work, 48)
  let v7 = load<u64>(work, 56)
  let v8 = load<u64>(work, 64)
  let v9 = load<u64>(work, 72)
  let v10 = load<u64>(work, 80)
  let v11 = load<u64>(work, 88)
  let v12 = load<u64>(work, 96)
  let v13 = load<u64>(work, 104)
  let v14 = load<u64>(work, 112)
  let v15 = load<u64>(work, 120)
  for (let round = first; round < end; round++) {
    const order = SIGMA + ((<usize>(round % 10)) << 4)
    v0 += v4 + word(order, 0)
    v12 = rotr<u64>(v12 ^ v0, 32)
    v8 += v12
    v4 = rotr<u64>(v4 ^ v8, 24)
    v0 += v4 + word(order, 1)
    v12 = rotr<u64>(v12 ^ v0, 16)
    v8 += v12
    v4 = rotr<u64>(v4 ^ v8, 63)
    v1 += v5 + word(order, 2)
    v13 = rotr<u64>(v13 ^ v1, 32)
    v9 += v13
    v5 = rotr<u64>(v5 ^ v9, 24)
    v1 += v5 + word(order, 3)
    v13 = rotr<u64>(v13 ^ v1, 16)
    v9 += v13
    v5 = rotr<u64>(v5 ^ v9, 63)
    v2 += v6 + word(order, 4)
    v14 = rotr<u64>(v14 ^ v2, 32)
    v10 += v14
    v6 = rotr<u64>(v6 ^ v10, 24)
    v2 += v6 + word(order, 5)
    v14 = rotr<u64>(v14 ^ v2, 16)
    v10 += v14
    v6 = rotr<u64>(v6 ^ v10, 63)
    v3 += v7 + word(order, 6)
    v15 = rotr<u64>(v15 ^ v3, 32)
    v11 += v15
    v7 = rotr<u64>(v7 ^ v11, 24)
    v3 += v7 + word(order, 7)
    v15 = rotr<u64>(v15 ^ v3, 16)
    v11 += v15
    v7 = rotr<u64>(v7 ^ v11, 63)
    v0 += v5 + word(order, 8)
    v15 = rotr<u64>(v15 ^ v0, 32)
    v10 += v15
    v5 = rotr<u64>(v5 ^ v10, 24)
    v0 += v5 + word(order, 9)
    v15 = rotr<u64>(v15 ^ v0, 16)
    v10 += v15
    v5 = rotr<u64>(v5 ^ v10, 63)
    v1 += v6 + word(order, 10)
    v12 = rotr<u64>(v12 ^ v1, 32)
    v11 += v12
    v6 = rotr<u64>(v6 ^ v11, 24)
    v1 += v6 + word(order, 11)
    v12 = rotr<u64>(v12 ^ v1, 16)
    v11 += v12
    v6 = rotr<u64>(v6 ^ v11, 63)
    v2 += v7 + word(order, 12)
    v13 = rotr<u64>(v13 ^ v2, 32)
    v8 += v13
    v7 = rotr<u64>(v7 ^ v8, 24)
    v2 += v7 + word(order, 13)
    v13 = rotr<u64>(v13 ^ v2, 16)
    v8 += v13
    v7 = rotr<u64>(v7 ^ v8, 63)
    v3 += v4 + word(order, 14)
    v14 = rotr<u64>(v14 ^ v3, 32)
    v9 += v14
    v4 = rotr<u64>(v4 ^ v9, 24)
    v3 += v4 + word(order, 15)
    v14 = rotr<u64>(v14 ^ v3, 16)
    v9 += v14
    v4 = rotr<u64>(v4 ^ v9, 63)
  }
  store<u64>(work, v0, 0)
  store<u64>(work, v1, 8)
  store<u64>(work, v2, 16)
  store<u64>(work, v3, 24)
  store<u64>(work, v4, 32)
  store<u64>(work, v5, 40)
  store<u64>(work, v6, 48)
  store<u64>(work, v7, 56)
  store<u64>(work, v8, 64)
  store<u64>(work, v9, 72)
  store<u64>(work, v10, 80)
  store<u64>(work, v11, 88)
  store<u64>(work, v12, 96)
  store<u64>(work, v13, 104)
  store<u64>(work, v14, 112)
  store<u64>(work, v15, 120)
}

const ROOM: usize = memory.data(240, 16)
/** State, message, offset, and whether it is the last block. */
const STATE: usize = ROOM + 16
/** What the precompile takes: in front of all that, four bytes of rounds. */
export const input: usize = ROOM + 12
/** The fractional parts of the square roots of the first eight primes. */
const IV = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1,
  0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
])

/** Makes the work vector from the input. */
export function begin(): void {
  memory.copy(work, STATE, 64)
  memory.copy(work + 64, IV, 64)
  memory.copy(work + MESSAGE_AT, STATE + 64, 128)
  store<u64>(work, load<u64>(work, 96) ^ load<u64>(STATE, 192), 96)
  store<u64>(work, load<u64>(work, 104) ^ load<u64>(STATE, 200), 104)
  if (load<u8>(STATE, 208)) store<u64>(work, ~load<u64>(work, 112), 112)
}

/** Runs all rounds of the input. */
export function compress(): void {
  begin()
  mix(0, bswap<u32>(load<u32>(input)))
  finish()
}

/** Replaces the state in the input by the next one. */
export function finish(): void {
  for (let i: usize = 0; i < 64; i += 8) {
    store<u64>(STATE + i, load<u64>(STATE + i) ^ load<u64>(work + i) ^ load<u64>(work + i, 64))
  }
}
