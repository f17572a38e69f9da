import { LinearMemory } from '#engine/linear-memory.ts'
import { compileWasm, instantiateWasm, type WasmMemory } from '#engine/web-assembly.ts'

/** A free address in a small module's memory. */
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
    /**
     * Calls a function with the addresses of its result and its operands. The result replaces operand `at`, if there is
     * one.
     */
    run(name: string, words: readonly bigint[], at: number): bigint {
      const places = words.map((_, index) => SCRATCH + 32 * index)
      const to = places[at] ?? SCRATCH + 32 * words.length
      words.forEach((word, index) => memory.writeWord(places[index] as number, word))
      exports[name]?.(to, ...places)
      return memory.readWord(to)
    },
  }
}
