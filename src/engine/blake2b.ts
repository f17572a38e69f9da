import { wasm } from './assembly/blake2b/index.ts?wasm'
import { compileWasmNow, instantiateWasm, type WasmMemory } from './web-assembly.ts'

/** Exports of the module: see assembly/blake2b/index.ts. */
interface Exports {
  readonly memory: WasmMemory
  readonly work: { readonly value: number }
  mix(first: number, end: number): void
}

export const VECTOR_BYTES = 128

let made: { readonly exports: Exports; readonly bytes: Uint8Array } | undefined

/** Runs rounds of BLAKE2b from `first` to before `end` on a work vector, which it replaces. @param message - 128 bytes. */
export function mixBlake2b(vector: Uint8Array, message: Uint8Array, first: number, end: number): void {
  const { exports, bytes } = (made ??= make())
  const at = exports.work.value
  bytes.set(vector, at)
  bytes.set(message, at + VECTOR_BYTES)
  exports.mix(first, end)
  vector.set(bytes.subarray(at, at + VECTOR_BYTES))
}

function make() {
  const exports = instantiateWasm(compileWasmNow(wasm), {}) as Exports
  return { exports, bytes: new Uint8Array(exports.memory.buffer) }
}
