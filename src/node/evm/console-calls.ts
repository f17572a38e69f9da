/** Most calls of the console that are kept of one execution, and the most bytes of their inputs. */
const MAX_CALLS = 1_000
const MAX_BYTES = 128 * 1024

/** The calls of the console that an execution made, also in frames that failed. */
export interface ConsoleCalls {
  /** Input of each call, in order. */
  readonly inputs: readonly Uint8Array[]
  /** How many more there were. */
  readonly more: number
}

/** Collects an execution's calls of the console, as many as there is room for. */
export class ConsoleCollector {
  readonly #inputs: Uint8Array[] = []
  #bytes = 0
  #more = 0

  /** @param input - Is copied. */
  add(input: Uint8Array): void {
    // Nothing later is kept once something was left out, so that what is shown is a beginning without gaps.
    if (this.#more > 0 || this.#inputs.length >= MAX_CALLS || this.#bytes + input.length > MAX_BYTES) {
      this.#more++
      return
    }
    this.#bytes += input.length
    this.#inputs.push(input.slice())
  }

  /** `undefined` if there were none. */
  calls(): ConsoleCalls | undefined {
    return this.#inputs.length + this.#more === 0 ? undefined : { inputs: this.#inputs, more: this.#more }
  }
}
