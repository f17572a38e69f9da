import { wasm } from './assembly/modexp/short.ts?vector-wasm'
import { compileWasmNow, instantiateWasm, isValidWasm, type WasmMemory } from './web-assembly.ts'

type Place = { readonly value: number }

/** Exports of the module: see assembly/modexp/short.ts. */
interface Exports {
  readonly memory: WasmMemory
  readonly modulus: Place
  readonly base: Place
  readonly result: Place
  readonly exponent: Place
  isFused(): number
  raise(size: number): void
}

/** Bytes of the longest modulus and base. */
export const SHORT_BYTES = 32

/** `null` if this machine lacks relaxed SIMD, `undefined` until it is known. */
let instance: Exports | null | undefined
let memory: Uint8Array

/**
 * Raises a number to a power.
 *
 * @param base - {@link SHORT_BYTES} at most, as has the modulus.
 * @param exponent - 1,024 bytes at most.
 * @param modulus - Odd, above 1.
 * @returns The power in as many bytes as the modulus; `undefined` if this machine lacks the instructions.
 */
export function shortPower(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array | undefined {
  if (instance === undefined) instance = create()
  if (!instance) return undefined
  write(instance.base, base)
  write(instance.modulus, modulus)
  memory.set(exponent, instance.exponent.value)
  instance.raise(exponent.length)
  const end = instance.result.value + SHORT_BYTES
  return memory.slice(end - modulus.length, end)
}

function create(): Exports | null {
  if (!isValidWasm(wasm)) return null
  const exports = instantiateWasm(compileWasmNow(wasm), {}) as Exports
  if (exports.isFused() === 0) return null
  memory = new Uint8Array(exports.memory.buffer)
  return exports
}

function write({ value: at }: Place, bytes: Uint8Array): void {
  const start = at + SHORT_BYTES - bytes.length
  memory.fill(0, at, start)
  memory.set(bytes, start)
}
