/** Calls of the engine's functions from compiled code, with words at addresses in its memory. */
import { BIAS, type CompiledFunction, FRAME } from './function.ts'
import { type FunctionName, functionNumber } from './imports.ts'
import { OP, TYPE } from './opcodes.ts'
import type { Stack } from './stack.ts'
import type { Word } from './word.ts'

/** The last of the eight words there is room for. */
const RESULT_SLOT = 7

export class EngineCalls {
  readonly #function: CompiledFunction
  readonly #stack: Stack
  readonly #scratch: number

  /** @param scratch - Where there is room for eight words. */
  constructor(fn: CompiledFunction, stack: Stack, scratch: number) {
    this.#function = fn
    this.#stack = stack
    this.#scratch = scratch
  }

  /** Pushes the address where results go. */
  pushResultAddress(): void {
    this.#function.code.i32(this.#scratch + 32 * RESULT_SLOT)
  }

  /** Pushes the address of a word that was {@link put} to a slot. */
  pushAddress({ home }: Word, slot: number): void {
    const { code, base } = this.#function
    if (home?.kind === 'stack') {
      code.get(base)
      code.i32(home.place + BIAS)
      code.byte(OP.i32Add)
    } else if (home?.kind === 'fixed') {
      code.i32(home.address)
    } else {
      code.i32(this.#scratch + 32 * slot)
    }
  }

  /** Writes a word to a slot unless it has an address of its own. */
  put(word: Word, slot: number): void {
    if (word.home === undefined || word.home.kind === 'frame') this.write(word, slot)
  }

  write(word: Word, slot: number): void {
    const { code } = this.#function
    for (let i = 0; i < 4; i++) {
      code.i32(0)
      this.#stack.words.pushLimb(word, i)
      code.memory(OP.i64Store, this.#scratch + 32 * slot + 8 * i)
    }
  }

  /** A word in a slot, by default the result. */
  read(slot = RESULT_SLOT): Word {
    const limbs = this.fourLocals()
    this.readInto(limbs, slot)
    return { limbs }
  }

  readInto(limbs: readonly number[], slot = RESULT_SLOT): void {
    const { code } = this.#function
    limbs.forEach((local, i) => {
      code.i32(0)
      code.memory(OP.i64Load, this.#scratch + 32 * slot + 8 * i)
      code.set(local)
    })
  }

  fourLocals(): number[] {
    return [0, 1, 2, 3].map(() => this.#function.locals.take(TYPE.i64))
  }

  /** Calls a function that takes addresses: of the result, and of operands. */
  call(name: FunctionName, operands: readonly Word[]): void {
    const { code } = this.#function
    operands.forEach((word, slot) => this.put(word, slot))
    this.pushResultAddress()
    operands.forEach((word, slot) => this.pushAddress(word, slot))
    code.call(functionNumber(name))
  }

  /** @returns Its result. */
  result(name: FunctionName, operands: readonly Word[]): Word {
    this.call(name, operands)
    return this.read()
  }

  /** Has the engine load a word of the input. */
  loadInput(offset: Word): void {
    const { code } = this.#function
    this.put(offset, 0)
    this.pushResultAddress()
    this.pushAddress(offset, 0)
    code.get(FRAME)
    code.call(functionNumber('calldataload'))
  }

  /**
   * Calls a function that takes the gas and addresses, and returns the gas that is left. If that was not enough, the path is
   * left.
   */
  callPriced(name: FunctionName, hasResult: boolean, operands: readonly Word[]): void {
    const fn = this.#function
    operands.forEach((word, slot) => this.put(word, slot))
    fn.code.get(fn.gas)
    if (hasResult) this.pushResultAddress()
    operands.forEach((word, slot) => this.pushAddress(word, slot))
    fn.code.call(functionNumber(name))
    fn.code.tee(fn.gas)
    fn.code.i64(0n)
    fn.code.byte(OP.i64LtS)
    fn.out(OP.brIf)
  }
}
