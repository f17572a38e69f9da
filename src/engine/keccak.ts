import { wasm } from './assembly/evm/hashes/keccak.ts?wasm'
import { compileWasmNow, instantiateWasm, type WasmMemory } from './web-assembly.ts'

interface Exports {
  readonly memory: WasmMemory
  keccak256(from: number, size: number, to: number): void
  stateAt(): number
  /** Absorbs a multiple of {@link RATE_BYTES}. */
  absorbBlocks(from: number, size: number): void
  finish(from: number, size: number, to: number): void
}

/** What is absorbed between two permutations. */
const RATE_BYTES = 136
const STATE_BYTES = 200

/** The module itself needs less than this, in bytes. */
const HASH_AT = 4_096
const HASH_BYTES = 32
const INPUT_AT = HASH_AT + HASH_BYTES
const PAGE_BYTES = 65_536

const module = instantiateWasm(compileWasmNow(wasm), {}) as Exports
let memory = new Uint8Array(module.memory.buffer)
let hash = memory.subarray(HASH_AT, INPUT_AT)

/** keccak256 of all parts, one after the other: 32 bytes. */
export function keccak256(...parts: readonly Uint8Array[]): Uint8Array {
  let size = 0
  for (const { length } of parts) size += length
  reserve(size)
  let at = INPUT_AT
  for (const part of parts) {
    memory.set(part, at)
    at += part.length
  }
  module.keccak256(INPUT_AT, size, HASH_AT)
  return hash.slice()
}

/** keccak256 as a view that the next hash overwrites: for callers that convert it at once. */
export function keccak256View(bytes: Uint8Array): Uint8Array {
  reserve(bytes.length)
  memory.set(bytes, INPUT_AT)
  module.keccak256(INPUT_AT, bytes.length, HASH_AT)
  return hash
}

function reserve(size: number): void {
  const missing = INPUT_AT + size - memory.length
  if (missing <= 0) return
  module.memory.grow(Math.ceil(missing / PAGE_BYTES))
  memory = new Uint8Array(module.memory.buffer)
  hash = memory.subarray(HASH_AT, INPUT_AT)
}

/** What of a stream is copied into the module's memory at once: a multiple of {@link RATE_BYTES}. */
const PORTION_BYTES = 480 * RATE_BYTES

/** keccak256 of bytes that come in portions, among other hashes. */
export class Keccak256Stream {
  readonly #state = new Uint8Array(STATE_BYTES)
  /** Bytes that are not absorbed yet: less than a block. */
  readonly #rest = new Uint8Array(RATE_BYTES)
  #restBytes = 0

  update(bytes: Uint8Array): this {
    let at = 0
    if (this.#restBytes > 0) {
      at = Math.min(bytes.length, RATE_BYTES - this.#restBytes)
      this.#rest.set(bytes.subarray(0, at), this.#restBytes)
      this.#restBytes += at
      if (this.#restBytes < RATE_BYTES) return this
      this.#absorb(this.#rest)
    }
    const end = bytes.length - ((bytes.length - at) % RATE_BYTES)
    for (; at < end; at += PORTION_BYTES) this.#absorb(bytes.subarray(at, Math.min(end, at + PORTION_BYTES)))
    this.#rest.set(bytes.subarray(end))
    this.#restBytes = bytes.length - end
    return this
  }

  /** The hash of all portions: 32 bytes. Nothing may be added afterwards. */
  digest(): Uint8Array {
    this.#place(this.#rest.subarray(0, this.#restBytes))
    module.finish(INPUT_AT, this.#restBytes, HASH_AT)
    return hash.slice()
  }

  #absorb(blocks: Uint8Array): void {
    this.#place(blocks)
    module.absorbBlocks(INPUT_AT, blocks.length)
    const at = module.stateAt()
    this.#state.set(memory.subarray(at, at + STATE_BYTES))
  }

  /** Puts the state and what it is to absorb into the module's memory. */
  #place(bytes: Uint8Array): void {
    reserve(bytes.length)
    memory.set(this.#state, module.stateAt())
    memory.set(bytes, INPUT_AT)
  }
}
