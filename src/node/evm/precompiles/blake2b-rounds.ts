import { mixBlake2b, VECTOR_BYTES } from '#engine/blake2b.ts'

/** The fractional parts of the square roots of the first eight primes, 64 bits each. */
const IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]
const STATE_BYTES = 64

/** The words that stand behind the state at first, without the offset. */
const SECOND_HALF = new Uint8Array(BigUint64Array.from(IV).buffer)

/**
 * The compression function F of BLAKE2b, in portions of rounds.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7693#section-3.2 | RFC 7693}
 */
export class Blake2bRounds {
  readonly #state: Uint8Array
  readonly #message: Uint8Array
  readonly #vector = new Uint8Array(VECTOR_BYTES)

  /**
   * @param state - 64 bytes.
   * @param message - 128 bytes.
   * @param offset - 16 bytes.
   * @param isFinal - Whether this is the last block.
   */
  constructor(state: Uint8Array, message: Uint8Array, offset: Uint8Array, isFinal: boolean) {
    this.#state = state
    this.#message = message
    const v = this.#vector
    v.set(state)
    v.set(SECOND_HALF, STATE_BYTES)
    for (let i = 0; i < 16; i++) v[96 + i] = (v[96 + i] as number) ^ (offset[i] as number)
    if (isFinal) for (let i = 112; i < 120; i++) v[i] = ~(v[i] as number)
  }

  /** Runs the rounds from `first` to before `end`. */
  mix(first: number, end: number): void {
    mixBlake2b(this.#vector, this.#message, first, end)
  }

  /** The state after all rounds. */
  result(): Uint8Array {
    const v = this.#vector
    return this.#state.map((byte, i) => byte ^ (v[i] as number) ^ (v[STATE_BYTES + i] as number))
  }
}
