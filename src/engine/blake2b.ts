import { wasm } from './assembly/blake2b/index.ts?wasm'
import { compileWasmNow, instantiateWasm, type WasmMemory, type WasmModule } from './web-assembly.ts'

/** Exports of the module: see assembly/blake2b/index.ts. */
interface Exports {
  readonly memory: WasmMemory
  readonly input: { readonly value: number }
  begin(): void
  mix(first: number, end: number): void
  finish(): void
  compress(): void
}

const ROUNDS_BYTES = 4
const STATE_BYTES = 64

let compiled: WasmModule | undefined
/** An instance for what is done at once. */
let shared: Blake2bRounds | undefined

/**
 * The compression function F of BLAKE2b, in portions of rounds.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7693#section-3.2 | RFC 7693}
 */
export class Blake2bRounds {
  readonly #exports: Exports
  readonly #bytes: Uint8Array

  constructor() {
    compiled ??= compileWasmNow(wasm)
    this.#exports = instantiateWasm(compiled, {}) as Exports
    this.#bytes = new Uint8Array(this.#exports.memory.buffer)
  }

  /** @param input - 4 bytes of rounds, 64 of state, 128 of message, 16 of offset, and whether it is the last block. */
  begin(input: Uint8Array): void {
    this.#bytes.set(input, this.#exports.input.value)
    this.#exports.begin()
  }

  /** Runs the rounds from `first` to before `end`. */
  mix(first: number, end: number): void {
    this.#exports.mix(first, end)
  }

  /** The state after all rounds. */
  result(): Uint8Array {
    this.#exports.finish()
    return this.#state()
  }

  /** Runs all rounds of an input at once. */
  compress(input: Uint8Array): Uint8Array {
    this.#bytes.set(input, this.#exports.input.value)
    this.#exports.compress()
    return this.#state()
  }

  #state(): Uint8Array {
    const at = this.#exports.input.value + ROUNDS_BYTES
    return this.#bytes.slice(at, at + STATE_BYTES)
  }
}

/** Runs few rounds at once. @param input - As {@link Blake2bRounds.begin} takes it. */
export function compressBlake2b(input: Uint8Array): Uint8Array {
  shared ??= new Blake2bRounds()
  return shared.compress(input)
}
