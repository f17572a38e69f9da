/** Compiles what runs often on an instance of the engine, within limits. */

import { compileHot } from './compiler/compile.ts'
import { ENVIRONMENT_BYTES, TranslatedCode } from './compiler/translated.ts'
import type { EngineExports } from './engine-exports.ts'
import { compileWasmNow, instantiateWasm, isValidWasm } from './web-assembly.ts'

/** A block is compiled along if it has run this often for every time that the hot one has. */
const SHARE = 1 / 16
/** How often a block runs before it is compiled if no loop begins with it: loops are not to be cut into pieces. */
const PATIENCE = 8_192
/** Bytes of WebAssembly in use at the most; machine code takes several times as much. */
const MAX_BYTES = 512 * 1024
/**
 * Bytes of WebAssembly that may be written: for each time that the engine asks, at first, and the most that can be saved up. When
 * it asks, it has spent at least twice as long on the block as it takes to write and compile 128 bytes.
 */
const BYTES_PER_ASKING = 128
const FIRST_BYTES = 32 * 1024
const MOST_SAVED = 64 * 1024
/** Bytes after which nothing more is written before the engine has paused: many blocks may ask one right after the other. */
const BYTES_AT_ONCE = 16 * 1024

/** How often a block runs before it is compiled, and whether there are limits to what is written; tests have others. */
export interface Compilation {
  /** A power of two, 32,768 at the most; 0 if none is compiled. By default 2,048, as in `assembly/evm/blocks.ts`. */
  readonly hotAfter: number
  readonly isLimited: boolean
}

export class CodeCompiler {
  readonly #exports: EngineExports
  readonly #isLimited: boolean
  readonly #places: { readonly environment: number; readonly environmentEnd: number; readonly scratch: number }
  /** The blocks that are compiled, and the places in the table that their functions have; more places may be free. */
  #blocks: number[] = []
  readonly #functions: number[] = []
  /** Blocks that no loop begins with. */
  readonly #straight = new Set<number>()
  #trims: number
  #bytes = 0
  #saved = FIRST_BYTES
  #writtenAtOnce = 0
  /** Whether the host has the instructions on vectors, and room for code, unless that is not known yet. */
  #isSupported: boolean | undefined

  constructor(exports: EngineExports, isLimited: boolean) {
    this.#exports = exports
    this.#isLimited = isLimited
    this.#trims = exports.trims.value
    const environment = exports.environmentAt()
    this.#places = { environment, environmentEnd: environment + ENVIRONMENT_BYTES, scratch: exports.scratchAt() }
  }

  /** The engine goes on after a pause. */
  goOn(): void {
    this.#writtenAtOnce = 0
  }

  /**
   * Compiles the path from a block on, while no compiled code runs.
   *
   * @param at - The code; see `assembly/evm/code/code.ts`.
   * @returns Whether the block is compiled now.
   */
  compile(at: number, block: number): boolean {
    this.#saved = Math.min(MOST_SAVED, this.#saved + BYTES_PER_ASKING)
    if (this.#isSupported === false || (this.#isLimited && this.#isSpent())) return false
    const code = new TranslatedCode(new DataView(this.#exports.memory.buffer), at)
    this.#makeRoom(code)
    const runs = code.runs(block)
    const loopsOnly = this.#isLimited && runs < PATIENCE
    if (loopsOnly && this.#straight.has(block)) return false
    const enough = Math.max(1, Math.floor(runs * SHARE))
    const { wasm, blocks, written } = compileHot(code, block, enough, loopsOnly, this.#places)
    this.#saved -= written
    this.#writtenAtOnce += written
    if (!wasm) {
      this.#straight.add(block)
      return false
    }
    this.#isSupported ??= isValidWasm(wasm)
    if (!this.#isSupported) return false
    const functions = this.#functionsOf(wasm)
    if (!functions) return false
    blocks.forEach((compiled, i) => code.setCompiled(compiled, this.#add(compiled, functions[i])))
    this.#bytes += wasm.length
    return true
  }

  /** Whether nothing may be written now. */
  #isSpent(): boolean {
    return this.#saved <= 0 || this.#writtenAtOnce >= BYTES_AT_ONCE
  }

  /** @returns `undefined` if the host has no room for more code; from then on the engine interprets. */
  #functionsOf(wasm: Uint8Array<ArrayBuffer>): Readonly<Record<number, unknown>> | undefined {
    try {
      return instantiateWasm(compileWasmNow(wasm), { engine: this.#exports }) as Readonly<Record<number, unknown>>
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.#isSupported = false
      return undefined
    }
  }

  /** @returns The function's place. */
  #add(block: number, compiled: unknown): number {
    const { table } = this.#exports
    const index = this.#blocks.push(block) - 1
    const place = (this.#functions[index] ??= table.grow(1))
    table.set(place, compiled)
    return place
  }

  /** Drops all functions if there are many, or if the engine has forgotten the codes. */
  #makeRoom(code: TranslatedCode): void {
    const trims = this.#exports.trims.value
    const isTrimmed = trims !== this.#trims
    if (!isTrimmed && this.#bytes < MAX_BYTES) return
    this.#trims = trims
    if (!isTrimmed) for (const block of this.#blocks) code.setInterpreted(block)
    for (let i = 0; i < this.#blocks.length; i++) this.#exports.table.set(this.#functions[i] as number, null)
    this.#blocks = []
    this.#straight.clear()
    this.#bytes = 0
  }
}
