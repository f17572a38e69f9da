/**
 * A function that the engine calls instead of a block: its locals, and what all of them have in common. It takes the frame and
 * the gas below which nothing begins; it returns how the engine goes on, with the position, the stack and the gas in the frame.
 */
import { Assembler } from './assembler.ts'
import { WasmLocals } from './locals.ts'
import { OP, TYPE } from './opcodes.ts'

/** Parameters. */
export const FRAME = 0
export const STOP_AT = 1
const PARAMS = 2

/** Fields of a frame, in bytes: see `assembly/evm/frames/frame.ts`. */
export const FIELD = {
  account: 0,
  caller: 4,
  value: 8,
  pc: 44,
  sp: 48,
  stack: 52,
  gas: 56,
  input: 64,
  inputSize: 68,
} as const

/**
 * How the engine goes on: the interpreter does a step; a block follows, if there is one; or a dynamic jump does, whose target
 * is above the top of the stack.
 */
export const NEXT = { step: 0, block: 1, jump: 2 } as const

const STACK_BYTES = 32 * 1024
/** Added to all places, since offsets of loads and stores are not negative. The memory below a stack is at least as large. */
export const BIAS = STACK_BYTES

export class CompiledFunction {
  readonly code = new Assembler()
  readonly locals = new WasmLocals(PARAMS)
  /** The top of the stack less {@link BIAS}, and the lowest place of the stack likewise. */
  readonly base = this.locals.take(TYPE.i32)
  readonly floor = this.locals.take(TYPE.i32)
  readonly gas = this.locals.take(TYPE.i64)
  /** The offset to continue at, and one of {@link NEXT}. */
  readonly #pc = this.locals.take(TYPE.i32)
  readonly #next = this.locals.take(TYPE.i32)
  /** Blocks that are open. */
  depth = 0

  constructor() {
    for (const [field, local] of [
      [FIELD.sp, this.base],
      [FIELD.stack, this.floor],
    ] as const) {
      this.code.get(FRAME)
      this.code.memory(OP.i32Load, field)
      this.code.i32(BIAS)
      this.code.byte(OP.i32Sub)
      this.code.set(local)
    }
    this.code.get(FRAME)
    this.code.memory(OP.i64Load, FIELD.gas)
    this.code.set(this.gas)
    this.open(OP.block)
  }

  open(op: number): void {
    this.code.byte(op)
    this.code.byte(TYPE.empty)
    this.depth++
  }

  close(): void {
    this.code.byte(OP.end)
    this.depth--
  }

  /** @param op - Conditional or not. @param depth - Of the block that it leaves, or the loop that it repeats. */
  branch(op: number, depth: number): void {
    this.code.byte(op)
    this.code.unsigned(this.depth - depth)
  }

  /** Leaves the function. */
  out(op: number): void {
    this.branch(op, 1)
  }

  /** @param shift - Bytes by which the top of the stack has moved. */
  leave(offset: number, next: number, shift: number): void {
    const { code } = this
    if (shift !== 0) {
      code.get(this.base)
      code.i32(shift)
      code.byte(OP.i32Add)
      code.set(this.base)
    }
    code.i32(offset)
    code.set(this.#pc)
    if (next !== NEXT.step) {
      code.i32(next)
      code.set(this.#next)
    }
    this.out(OP.br)
  }

  /** Pushes how many bytes there are: on the stack, and above it. */
  pushHeight(): void {
    this.code.get(this.floor)
    this.code.i32(STACK_BYTES)
    this.code.byte(OP.i32Add)
    this.code.get(this.base)
    this.code.byte(OP.i32Sub)
  }

  pushRoom(): void {
    this.code.get(this.base)
    this.code.get(this.floor)
    this.code.byte(OP.i32Sub)
  }

  /** Ends it. @returns The declarations of its locals, and its code. */
  body(): Uint8Array {
    const { code } = this
    this.close()
    code.get(FRAME)
    code.get(this.base)
    code.i32(BIAS)
    code.byte(OP.i32Add)
    code.memory(OP.i32Store, FIELD.sp)
    code.get(FRAME)
    code.get(this.gas)
    code.memory(OP.i64Store, FIELD.gas)
    code.get(FRAME)
    code.get(this.#pc)
    code.memory(OP.i32Store, FIELD.pc)
    code.get(this.#next)
    code.byte(OP.end)
    const body = new Assembler()
    this.locals.declare(body)
    body.append(code.bytes())
    return body.bytes()
  }
}
