import { wasm } from './assembly/evm/hashes/keccak.ts?wasm'
import { compileWasmNow, instantiateWasm, type WasmMemory } from './web-assembly.ts'

interface Exports {
  readonly memory: WasmMemory
  keccak256(from: number, size: number, to: number): void
}

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
