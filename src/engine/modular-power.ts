import { bigIntToBytes, bytesToBigInt } from '#primitives/bytes.ts'
import { wasm } from './assembly/modexp/index.ts?vector-wasm'
import { compileWasmNow, instantiateWasm, isValidWasm, type WasmMemory, type WasmModule } from './web-assembly.ts'

type Place = { readonly value: number }

/** Exports of the module: see assembly/modexp/index.ts. */
interface Exports {
  readonly memory: WasmMemory
  readonly modulus: Place
  readonly base: Place
  readonly one: Place
  readonly number: Place
  readonly inverse: Place
  readonly exponent: Place
  isFused(): number
  read(to: number, limbs: number): void
  begin(limbs: number, hasWindow: number): void
  goOn(first: number, end: number): void
  goOnByWindows(first: number, end: number): void
  finish(): void
}

/** Eleven hexadecimal digits. */
const LIMB_BITS = 44
const LIMB_DIGITS = 11
/** Products of two limbs between two pauses: about a millisecond. */
const PRODUCTS_PER_PAUSE = 1 << 20
/** Bits of an exponent that is worth a table of powers. */
const LONG_EXPONENT = 64

/** `null` if this machine lacks relaxed SIMD, `undefined` until it is known. */
let module: WasmModule | null | undefined
/** An instance for what is done at once. */
let shared: Exports | undefined

/**
 * Raises a number to a power.
 *
 * @param modulus - Odd, above 1, of 8,192 bits at most.
 * @param base - Below the modulus.
 * @param exponent - Not 0.
 * @returns The power if that takes about a millisecond at most; otherwise what does it in portions; `undefined` if this machine
 * lacks the instructions.
 */
export function modularPower(base: bigint, exponent: bigint, modulus: bigint): bigint | LongPower | undefined {
  module ??= isValidWasm(wasm) ? compileWasmNow(wasm) : null
  if (!module) return undefined
  const limbs = limbsFor(modulus)
  const bits = exponent.toString(2).length
  const isLong = bits * limbs * limbs > PRODUCTS_PER_PAUSE
  const exports = isLong || !shared ? (instantiateWasm(module, {}) as Exports) : shared
  if (exports.isFused() === 0) {
    module = null
    return undefined
  }
  if (!isLong) shared = exports
  const power = new LongPower(exports, base, exponent, bits, modulus, limbs)
  return isLong ? power : power.all()
}

/** Limbs of numbers up to four times the modulus, an even number. */
function limbsFor(modulus: bigint): number {
  return 2 * Math.ceil((modulus.toString(16).length + 1) / (2 * LIMB_DIGITS))
}

/** A power that takes a while. */
export class LongPower {
  readonly #exports: Exports
  readonly #limbs: number
  /** Bytes of that many limbs. */
  readonly #bytes: number
  readonly #hasWindow: boolean
  readonly #end: number
  readonly #step: number
  #at: number

  constructor(exports: Exports, base: bigint, exponent: bigint, bits: number, modulus: bigint, limbs: number) {
    this.#exports = exports
    this.#limbs = limbs
    this.#bytes = (limbs * LIMB_BITS) / 8
    this.#hasWindow = bits > LONG_EXPONENT
    const bytes = bigIntToBytes(exponent)
    this.#end = 8 * bytes.length
    // Windows begin at multiples of four.
    this.#at = this.#hasWindow ? this.#end - 4 * Math.ceil(bits / 4) : this.#end - bits
    this.#step = 4 * Math.ceil(PRODUCTS_PER_PAUSE / (limbs * limbs * 4))
    const size = BigInt(LIMB_BITS * limbs)
    const one = (1n << size) % modulus
    this.#write(exports.modulus, modulus)
    this.#write(exports.one, one)
    this.#write(exports.base, (base << size) % modulus)
    new Float64Array(exports.memory.buffer, exports.inverse.value, 1)[0] = Number(inverseOf(-modulus))
    new Uint8Array(exports.memory.buffer).set(bytes, exports.exponent.value)
    exports.begin(limbs, this.#hasWindow ? 1 : 0)
  }

  /** Does a portion. @returns The power after the last one. */
  next(): bigint | undefined {
    const end = Math.min(this.#end, this.#at + this.#step)
    if (this.#hasWindow) this.#exports.goOnByWindows(this.#at, end)
    else this.#exports.goOn(this.#at, end)
    this.#at = end
    return end === this.#end ? this.#result() : undefined
  }

  /** Does all that is left. */
  all(): bigint {
    for (;;) {
      const power = this.next()
      if (power !== undefined) return power
    }
  }

  #write({ value: to }: Place, value: bigint): void {
    const exports = this.#exports
    const { memory, number } = exports
    const room = new Uint8Array(memory.buffer, number.value, this.#bytes)
    const bytes = bigIntToBytes(value).reverse()
    room.set(bytes)
    room.fill(0, bytes.length)
    exports.read(to, this.#limbs)
  }

  #result(): bigint {
    const exports = this.#exports
    exports.finish()
    const { memory, number } = exports
    return bytesToBigInt(new Uint8Array(memory.buffer).slice(number.value, number.value + this.#bytes).reverse())
  }
}

/** The inverse of an odd number modulo 2^44, by Newton's method. */
function inverseOf(value: bigint): bigint {
  const low = BigInt.asUintN(LIMB_BITS, value)
  let inverse = 1n
  for (let i = 0; i < 6; i++) inverse = BigInt.asUintN(LIMB_BITS, inverse * (2n - low * inverse))
  return inverse
}
