/** Order of the message's words in each of ten rounds, which then repeats (RFC 7693, 2.7). */
const SIGMA: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]
/** The four words mixed by each of a round's eight steps: first the columns, then the diagonals. */
const STEPS: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
]
/** The fractional parts of the square roots of the first eight primes, 64 bits each, lower half first. */
const IV = Uint32Array.of(
  0xf3bcc908,
  0x6a09e667,
  0x84caa73b,
  0xbb67ae85,
  0xfe94f82b,
  0x3c6ef372,
  0x5f1d36f1,
  0xa54ff53a,
  0xade682d1,
  0x510e527f,
  0x2b3e6c1f,
  0x9b05688c,
  0xfb41bd6b,
  0x1f83d9ab,
  0x137e2179,
  0x5be0cd19,
)
const TWO_32 = 2 ** 32

/**
 * The compression function F of BLAKE2b, in portions of rounds. A 64-bit word is two of 32 bits, lower half first:
 * `bigint` would be ten times slower.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7693#section-3.2 | RFC 7693}
 */
export class Blake2bRounds {
  readonly #state: Uint32Array
  readonly #message: Uint32Array
  readonly #vector = new Uint32Array(32)

  /**
   * @param state - 64 bytes.
   * @param message - 128 bytes.
   * @param offset - 16 bytes.
   * @param isFinal - Whether this is the last block.
   */
  constructor(state: Uint8Array, message: Uint8Array, offset: Uint8Array, isFinal: boolean) {
    this.#state = littleEndian(state)
    this.#message = littleEndian(message)
    const v = this.#vector
    v.set(this.#state)
    v.set(IV, 16)
    littleEndian(offset).forEach((half, i) => {
      v[24 + i] = (v[24 + i] as number) ^ half
    })
    if (!isFinal) return
    v[28] = ~(v[28] as number)
    v[29] = ~(v[29] as number)
  }

  /** Runs the rounds from `first` to before `end`. */
  mix(first: number, end: number): void {
    for (let round = first; round < end; round++) {
      const order = SIGMA[round % SIGMA.length] as readonly number[]
      for (let step = 0; step < STEPS.length; step++) {
        const [a, b, c, d] = STEPS[step] as (typeof STEPS)[number]
        this.#mixWords(2 * a, 2 * b, 2 * c, 2 * d, 2 * (order[2 * step] as number), 2 * (order[2 * step + 1] as number))
      }
    }
  }

  /** The new state, 64 bytes. */
  result(): Uint8Array {
    const bytes = new Uint8Array(64)
    const view = new DataView(bytes.buffer)
    const v = this.#vector
    this.#state.forEach((half, i) => {
      view.setUint32(4 * i, half ^ (v[i] as number) ^ (v[i + 16] as number), true)
    })
    return bytes
  }

  /** The function G; takes the positions of the lower halves, with `x` and `y` in the message. */
  #mixWords(a: number, b: number, c: number, d: number, x: number, y: number): void {
    const v = this.#vector
    const m = this.#message
    this.#add(a, b, m[x] as number, m[x + 1] as number)
    // A rotation by 32 bits swaps the halves.
    let low = (v[d] as number) ^ (v[a] as number)
    let high = (v[d + 1] as number) ^ (v[a + 1] as number)
    v[d] = high
    v[d + 1] = low
    this.#add(c, d, 0, 0)
    low = (v[b] as number) ^ (v[c] as number)
    high = (v[b + 1] as number) ^ (v[c + 1] as number)
    v[b] = (low >>> 24) | (high << 8)
    v[b + 1] = (high >>> 24) | (low << 8)
    this.#add(a, b, m[y] as number, m[y + 1] as number)
    low = v[d] ^ (v[a] as number)
    high = (v[d + 1] as number) ^ (v[a + 1] as number)
    v[d] = (low >>> 16) | (high << 16)
    v[d + 1] = (high >>> 16) | (low << 16)
    this.#add(c, d, 0, 0)
    low = v[b] ^ (v[c] as number)
    high = (v[b + 1] as number) ^ (v[c + 1] as number)
    // A rotation right by 63 bits is one left by 1.
    v[b] = (low << 1) | (high >>> 31)
    v[b + 1] = (high << 1) | (low >>> 31)
  }

  /** Adds the word at `from` and the given one to the word at `to`. */
  #add(to: number, from: number, low: number, high: number): void {
    const v = this.#vector
    const sum = (v[to] as number) + (v[from] as number) + low
    v[to + 1] = (v[to + 1] as number) + (v[from + 1] as number) + high + Math.floor(sum / TWO_32)
    v[to] = sum
  }
}

function littleEndian(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true))
}
