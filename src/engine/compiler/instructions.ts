/** The instructions within blocks: what each computes from words on the stack. */
import { EngineCalls } from './engine-calls.ts'
import { type CompiledFunction, FIELD, FRAME } from './function.ts'
import { GLOBAL } from './imports.ts'
import { MAX_OFFSET, MemorySteps } from './memory-steps.ts'
import { OP, TYPE } from './opcodes.ts'
import type { Stack } from './stack.ts'
import { KIND, type TranslatedCode } from './translated.ts'
import { bitOf, constant, type Limb, type Truth, valueOf, type Word } from './word.ts'
import type { Words } from './words.ts'

/** Places in the engine's memory. */
export interface Places {
  readonly environment: number
  readonly environmentEnd: number
  /** Room for eight words. */
  readonly scratch: number
}

export class Instructions {
  readonly calls: EngineCalls
  readonly #function: CompiledFunction
  readonly #code: TranslatedCode
  readonly #stack: Stack
  readonly #words: Words
  readonly #memory: MemorySteps
  readonly #places: Places
  /** Words of the environment by their addresses. */
  readonly #environment = new Map<number, Word>()

  constructor(fn: CompiledFunction, code: TranslatedCode, stack: Stack, places: Places) {
    this.#function = fn
    this.#code = code
    this.#stack = stack
    this.#words = stack.words
    this.#places = places
    this.calls = new EngineCalls(fn, stack, places.scratch)
    this.#memory = new MemorySteps(fn, stack.words, this.calls)
  }

  /** @param at - Where the operand is in the instruction. */
  operand(at: number): Word {
    const operand = this.#code.i32(at)
    if ((operand & 1) !== 0) return this.#stack.get(this.#stack.shift + (operand >> 1))
    const address = operand >> 1
    const { environment, environmentEnd } = this.#places
    if (address < environment || address >= environmentEnd) return constant(this.#code.word(address))
    let word = this.#environment.get(address)
    if (!word) {
      word = { limbs: [undefined, undefined, undefined, undefined], home: { kind: 'fixed', address } }
      this.#environment.set(address, word)
    }
    return word
  }

  /** @param at - Of the instruction. */
  emit(at: number): void {
    const kind = this.#code.u16(at)
    const stack = this.#stack
    const place = stack.shift + this.#code.i16(at + 2)
    if (kind === KIND.mstore) this.#memory.store(this.operand(at + 4), this.operand(at + 8))
    else if (kind === KIND.mstore8) this.#memory.storeByte(this.operand(at + 4), this.operand(at + 8))
    else if (kind === KIND.exchange) {
      const other = stack.shift + (this.#code.i32(at + 4) >> 1)
      const [a, b] = [stack.get(place), stack.get(other)]
      stack.set(place, b)
      stack.set(other, a)
    } else stack.set(place, this.#result(kind, at))
  }

  /** @param kind - From `nonzero` to `notEqual`. */
  compare(kind: number, at: number): Truth {
    const words = this.#words
    const x = this.operand(at + 4)
    if (kind === KIND.zero) return words.isZero(x)
    if (kind === KIND.nonzero) return x.truth ?? words.negated(words.isZero(x))
    const y = this.operand(at + 8)
    switch (kind) {
      case KIND.less:
        return words.less(x, y, false)
      case KIND.notLess:
        return words.negated(words.less(x, y, false))
      case KIND.signedLess:
        return words.less(x, y, true)
      case KIND.notSignedLess:
        return words.negated(words.less(x, y, true))
      case KIND.equal:
        return words.equal(x, y)
      default:
        return words.negated(words.equal(x, y))
    }
  }

  #result(kind: number, at: number): Word {
    const words = this.#words
    const { calls } = this
    if (kind >= KIND.nonzero && kind <= KIND.notEqual) return words.ofTruth(this.compare(kind, at))
    const x = () => this.operand(at + 4)
    const y = () => this.operand(at + 8)
    switch (kind) {
      case KIND.move:
        return x()
      case KIND.add:
        return words.add(x(), y())
      case KIND.mul:
        return words.mul(x(), y())
      case KIND.sub:
        return words.sub(x(), y())
      case KIND.div:
        return this.#divide(x(), y(), 'div')
      case KIND.mod:
        return this.#divide(x(), y(), 'mod')
      case KIND.sdiv:
        return calls.result('sdiv', [x(), y()])
      case KIND.smod:
        return calls.result('smod', [x(), y()])
      case KIND.addmod:
        return calls.result('addmod', [x(), y(), this.operand(at + 12)])
      case KIND.mulmod:
        return calls.result('mulmod', [x(), y(), this.operand(at + 12)])
      case KIND.signextend:
        return this.#signextend(x(), y())
      case KIND.and:
        return words.and(x(), y())
      case KIND.or:
        return words.or(x(), y())
      case KIND.xor:
        return words.xor(x(), y())
      case KIND.not:
        return words.not(x())
      case KIND.byte:
        return this.#byte(x(), y())
      case KIND.shl:
        return this.#shifted('shl', x(), y())
      case KIND.shr:
        return this.#shifted('shr', x(), y())
      case KIND.sar:
        return this.#shifted('sar', x(), y())
      case KIND.keccak256:
        calls.callPriced('hash', true, [x(), y()])
        return calls.read()
      case KIND.address:
        return addressInFrame(FIELD.account)
      case KIND.caller:
        return addressInFrame(FIELD.caller)
      case KIND.callvalue:
        return {
          limbs: [undefined, undefined, undefined, undefined],
          home: { kind: 'frame', field: FIELD.value, isPointer: false },
        }
      case KIND.calldataload:
        return this.#calldataload(x())
      case KIND.calldatasize:
        this.#function.code.get(FRAME)
        this.#function.code.memory(OP.i32Load, FIELD.inputSize)
        return this.#number()
      case KIND.returndatasize:
        this.#function.code.global(GLOBAL.returnSize)
        return this.#number()
      case KIND.msize:
        this.#function.code.global(GLOBAL.memorySize)
        return this.#number()
      case KIND.mload:
        return this.#memory.load(x())
      default:
        throw new Error(`there is no code for the instruction ${kind}`)
    }
  }

  /** The number (i32) that was pushed last. */
  #number(): Word {
    const { code, locals } = this.#function
    const local = locals.take(TYPE.i64)
    code.byte(OP.i64ExtendI32u)
    code.set(local)
    return { limbs: [local, 0n, 0n, 0n] }
  }

  /** Divides by one instruction if both are that small, else by the engine. */
  #divide(x: Word, y: Word, name: 'div' | 'mod'): Word {
    const words = this.#words
    const { code } = this.#function
    const known = valueOf(y)
    if (known === 0n) return constant(0n)
    const bit = known === undefined ? undefined : bitOf(known)
    if (known !== undefined && bit !== undefined)
      return name === 'div' ? words.shr(bit, x, false) : words.and(x, constant(known - 1n))
    const [dividend, ...upper] = words.limbsOf(x)
    const [divisor, ...others] = words.limbsOf(y)
    upper.push(...others)
    if (upper.some((limb) => typeof limb === 'bigint' && limb !== 0n)) return this.calls.result(name, [x, y])
    const limbs = this.calls.fourLocals()
    words.push(words.joined(upper))
    code.byte(OP.i64Eqz)
    words.push(divisor as Limb)
    code.i64(0n)
    code.byte(OP.i64Ne)
    code.byte(OP.i32And)
    this.#function.open(OP.if)
    words.push(dividend as Limb)
    words.push(divisor as Limb)
    code.byte(name === 'div' ? OP.i64DivU : OP.i64RemU)
    code.set(limbs[0] as number)
    for (const local of limbs.slice(1)) {
      code.i64(0n)
      code.set(local)
    }
    code.byte(OP.else)
    this.calls.call(name, [x, y])
    this.calls.readInto(limbs)
    this.#function.close()
    return { limbs }
  }

  #shifted(name: 'shl' | 'shr' | 'sar', shift: Word, word: Word): Word {
    const known = valueOf(shift)
    if (known === undefined) return this.calls.result(name, [shift, word])
    const bits = known > 256n ? 256 : Number(known)
    return name === 'shl' ? this.#words.shl(bits, word) : this.#words.shr(bits, word, name === 'sar')
  }

  #byte(index: Word, word: Word): Word {
    const known = valueOf(index)
    if (known === undefined) return this.calls.result('byte', [index, word])
    if (known > 31n) return constant(0n)
    return this.#words.and(this.#words.shr(8 * (31 - Number(known)), word, false), constant(0xffn))
  }

  #signextend(size: Word, word: Word): Word {
    const known = valueOf(size)
    if (known === undefined) return this.calls.result('signextend', [size, word])
    if (known > 30n) return word
    const unused = 248 - 8 * Number(known)
    return this.#words.shr(unused, this.#words.shl(unused, word), true)
  }

  #calldataload(offset: Word): Word {
    const known = valueOf(offset)
    if (known !== undefined && known < MAX_OFFSET) return this.#memory.loadInput(Number(known))
    this.calls.loadInput(offset)
    return this.calls.read()
  }
}

/** A word with an address, which has 160 bits; the frame has its place. */
function addressInFrame(field: number): Word {
  return { limbs: [undefined, undefined, undefined, 0n], home: { kind: 'frame', field, isPointer: true } }
}
