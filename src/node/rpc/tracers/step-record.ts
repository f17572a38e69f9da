import { concatBytes } from '#primitives/bytes.ts'
import { bytesToHex, type Hex } from '#primitives/hex.ts'
import type { TraceBudget } from './trace-budget.ts'

/** Bytes of a step in each column. */
const STEP_BYTES = 4
/** Bytes of one piece of a column. */
const PIECE_BYTES = 1 << 16

/** Bytes that are appended, in pieces, so that a long column is never copied to grow. */
class Column {
  readonly #pieces: Uint8Array[] = []
  /** Bytes in the newest piece. */
  #used = PIECE_BYTES

  append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      if (this.#used === PIECE_BYTES) {
        this.#pieces.push(new Uint8Array(PIECE_BYTES))
        this.#used = 0
      }
      const part = bytes.subarray(from, from + PIECE_BYTES - this.#used)
      this.#pieces.at(-1)?.set(part, this.#used)
      this.#used += part.length
      from += part.length
    }
  }

  toHex(length: number): Hex {
    return bytesToHex(concatBytes(...this.#pieces).subarray(0, length))
  }
}

/** Where each step of an execution stood and what gas it had, 4 bytes of each. */
export class StepRecord {
  readonly #pcs = new Column()
  readonly #gas = new Column()
  readonly #budget: TraceBudget
  #bytes = 0

  constructor(budget: TraceBudget) {
    this.#budget = budget
  }

  /** Number of steps so far. */
  get length(): number {
    return this.#bytes / STEP_BYTES
  }

  /**
   * Takes two columns, both big-endian, with as many steps.
   *
   * @throws {RpcRefusedError} `server`, if the trace grows too large.
   */
  append(pcs: Uint8Array, gas: Uint8Array): void {
    this.#budget.spend(2 * (pcs.length + gas.length))
    this.#pcs.append(pcs)
    this.#gas.append(gas)
    this.#bytes += pcs.length
  }

  toHex(): { readonly pcs: Hex; readonly gas: Hex } {
    return { pcs: this.#pcs.toHex(this.#bytes), gas: this.#gas.toHex(this.#bytes) }
  }
}
