import { wasm } from './assembly/evm/keccak.ts?wasm'
import { compileWasm, instantiateWasm, type WasmMemory } from './web-assembly.ts'

interface Exports {
  readonly memory: WasmMemory
  keccak256(from: number, size: number, to: number): void
}

/** The module itself needs less than this, in bytes. */
const HASH_AT = 4_096
const HASH_BYTES = 32
const INPUT_AT = HASH_AT + HASH_BYTES
const PAGE_BYTES = 65_536

const module = instantiateWasm(await compileWasm(wasm), {}) as Exports
let memory = new Uint8Array(module.memory.buffer)

/** keccak256, 32 bytes. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  const missing = INPUT_AT + bytes.length - memory.length
  if (missing > 0) {
    module.memory.grow(Math.ceil(missing / PAGE_BYTES))
    memory = new Uint8Array(module.memory.buffer)
  }
  memory.set(bytes, INPUT_AT)
  module.keccak256(INPUT_AT, bytes.length, HASH_AT)
  return memory.slice(HASH_AT, INPUT_AT)
}
