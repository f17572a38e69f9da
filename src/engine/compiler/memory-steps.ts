/** Loads from and stores to the memory of a frame: done here within the memory that is paid for, otherwise by the engine. */
import type { EngineCalls } from './engine-calls.ts'
import { type CompiledFunction, FIELD, FRAME } from './function.ts'
import { GLOBAL } from './imports.ts'
import { OP, SIMD, TYPE } from './opcodes.ts'
import { constant, type Limb, type Word } from './word.ts'
import type { Words } from './words.ts'

/** Above all offsets that can be paid for, and those of any input. */
export const MAX_OFFSET = 1n << 31n
/** The half of a word with the lower limbs is behind the other one. */
const HALVES = [16, 0] as const

export class MemorySteps {
  readonly #function: CompiledFunction
  readonly #words: Words
  readonly #calls: EngineCalls

  constructor(fn: CompiledFunction, words: Words, calls: EngineCalls) {
    this.#function = fn
    this.#words = words
    this.#calls = calls
  }

  load(offset: Word): Word {
    const { code } = this.#function
    const at = this.#words.limbsOf(offset)
    const limbs = this.#calls.fourLocals()
    const isOpen = this.#ifWithin(at, 32)
    if (isOpen) {
      this.#loadReversed(...this.#addressOf(at[0] as Limb), limbs)
      code.byte(OP.else)
    }
    this.#calls.callPriced('mload', true, [offset])
    this.#calls.readInto(limbs)
    if (isOpen) this.#function.close()
    return { limbs }
  }

  /** A word of the frame's input, at a known offset: loaded here if all of it is there. */
  loadInput(offset: number): Word {
    const { code, locals } = this.#function
    const limbs = this.#calls.fourLocals()
    code.i32(offset + 32)
    code.get(FRAME)
    code.memory(OP.i32Load, FIELD.inputSize)
    code.byte(OP.i32LeU)
    this.#function.open(OP.if)
    const input = locals.take(TYPE.i32)
    code.get(FRAME)
    code.memory(OP.i32Load, FIELD.input)
    code.set(input)
    this.#loadReversed(input, offset, limbs)
    code.byte(OP.else)
    this.#calls.loadInput(constant(BigInt(offset)))
    this.#calls.readInto(limbs)
    this.#function.close()
    return { limbs }
  }

  /** Loads the word that the 32 bytes at an address spell. */
  #loadReversed(address: number, plus: number, limbs: readonly number[]): void {
    const { code, locals } = this.#function
    const vector = locals.take(TYPE.v128)
    HALVES.forEach((half, i) => {
      code.get(address)
      code.vectorMemory(SIMD.load, plus + half)
      code.tee(vector)
      code.get(vector)
      code.reverse()
      code.tee(vector)
      code.lane(SIMD.extractLane, 0)
      code.set(limbs[2 * i] as number)
      code.get(vector)
      code.lane(SIMD.extractLane, 1)
      code.set(limbs[2 * i + 1] as number)
    })
  }

  store(offset: Word, word: Word): void {
    const { code, locals } = this.#function
    const at = this.#words.limbsOf(offset)
    const limbs = this.#words.limbsOf(word)
    const isOpen = this.#ifWithin(at, 32)
    if (isOpen) {
      const [address, plus] = this.#addressOf(at[0] as Limb)
      const vector = locals.take(TYPE.v128)
      HALVES.forEach((half, i) => {
        code.get(address)
        this.#words.push(limbs[2 * i] as Limb)
        code.vector(SIMD.splat)
        this.#words.push(limbs[2 * i + 1] as Limb)
        code.lane(SIMD.replaceLane, 1)
        code.tee(vector)
        code.get(vector)
        code.reverse()
        code.vectorMemory(SIMD.store, plus + half)
      })
      code.byte(OP.else)
    }
    this.#calls.callPriced('mstore', false, [offset, word])
    if (isOpen) this.#function.close()
  }

  storeByte(offset: Word, word: Word): void {
    const { code } = this.#function
    const at = this.#words.limbsOf(offset)
    const [lowest] = this.#words.limbsOf(word)
    const isOpen = this.#ifWithin(at, 1)
    if (isOpen) {
      const [address, plus] = this.#addressOf(at[0] as Limb)
      code.get(address)
      this.#words.push(lowest as Limb)
      code.memory(OP.i64Store8, plus)
      code.byte(OP.else)
    }
    this.#calls.callPriced('mstore8', false, [offset, word])
    if (isOpen) this.#function.close()
  }

  /**
   * Opens an `if` for the case that so many bytes from an offset on are within the memory.
   *
   * @returns Whether they can be; otherwise nothing is opened.
   */
  #ifWithin([lowest, ...others]: readonly Limb[], size: number): boolean {
    const { code } = this.#function
    const isFar = others.some((limb) => typeof limb === 'bigint' && limb !== 0n)
    if (isFar || (typeof lowest === 'bigint' && lowest >= MAX_OFFSET)) return false
    const rest = this.#words.joined(others)
    if (typeof lowest === 'bigint') {
      this.#words.push(rest)
      code.byte(OP.i64Eqz)
      code.i32(Number(lowest) + size)
      code.global(GLOBAL.memorySize)
      code.byte(OP.i32LeU)
    } else {
      this.#words.push(lowest as Limb)
      code.i64(32n)
      code.byte(OP.i64ShrU)
      this.#words.push(rest)
      code.byte(OP.i64Or)
      code.byte(OP.i64Eqz)
      this.#words.push(lowest as Limb)
      code.i64(BigInt(size))
      code.byte(OP.i64Add)
      code.global(GLOBAL.memorySize)
      code.byte(OP.i64ExtendI32u)
      code.byte(OP.i64LeU)
    }
    code.byte(OP.i32And)
    this.#function.open(OP.if)
    return true
  }

  /** The address in memory for an offset: a local, and what is to be added. */
  #addressOf(offset: Limb): readonly [local: number, plus: number] {
    const { code, locals } = this.#function
    const local = locals.take(TYPE.i32)
    code.global(GLOBAL.memoryAt)
    if (typeof offset === 'number') {
      code.get(offset)
      code.byte(OP.i32WrapI64)
      code.byte(OP.i32Add)
    }
    code.set(local)
    return [local, typeof offset === 'number' ? 0 : Number(offset)]
  }
}
