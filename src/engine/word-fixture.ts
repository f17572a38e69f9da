import { LinearMemory } from './linear-memory.ts'
import { compileWasm, instantiateWasm, type WasmMemory } from './web-assembly.ts'

/** Where nothing is in the memory of a module that has hardly any. */
const SCRATCH = 32_768

type Functions = Readonly<Record<string, (...places: number[]) => void>>

/** A module of the engine whose functions tests call. */
export async function wordMachine(wasm: Uint8Array<ArrayBuffer>) {
  const exports = instantiateWasm(await compileWasm(wasm), {}) as Functions & { readonly memory: WasmMemory }
  exports.memory.grow(4)
  const memory = new LinearMemory(exports.memory)
  return {
    functions: exports as Functions,
    memory,
    scratch: SCRATCH,
    /** Calls a function with `words` on the stack, the first on top, and reads its result from the slot `at`. */
    run(name: string, words: readonly bigint[], at: number): bigint {
      words.forEach((word, slot) => memory.writeWord(SCRATCH + 32 * slot, word))
      exports[name]?.(SCRATCH)
      return memory.readWord(SCRATCH + 32 * at)
    },
  }
}
