import { EMPTY_BYTES, equalBytes } from '#primitives/bytes.ts'
import { bytesToHex, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcStep, RpcStepWindow } from '#rpc-types/execution-trace.ts'
import { OP } from '../../evm/opcodes.ts'
import { stackWord } from '../../evm/trace-step.ts'
import type { FrameStart, TraceStep, TransactionTracer } from '../../evm/tracer.ts'
import type { ResultTracer } from './result-tracer.ts'

/** Approximate characters of a step without stack, memory and return data. */
const STEP_CHARACTERS = 200
const WORD_CHARACTERS = 69
/** Characters of an answer after which it ends with the step that it has; a single step may have more. */
const MAX_CHARACTERS = 1 << 24

/** Describes the steps `first` to `first + count` of an execution, for `devnet_traceSteps`. */
export function createStepWindow(first: number, count: number): ResultTracer<RpcStepWindow> {
  return new StepWindow(first, count)
}

class StepWindow implements TransactionTracer, ResultTracer<RpcStepWindow> {
  readonly window: { readonly first: number; readonly count: number }
  readonly #steps: RpcStep[] = []
  /** Indices of the open frames. */
  readonly #open: number[] = []
  #frames = 0
  #characters = 0
  #memory: Uint8Array = EMPTY_BYTES
  #returnData: Uint8Array = EMPTY_BYTES

  constructor(first: number, count: number) {
    this.window = { first, count }
  }

  needsStep(): boolean {
    return this.#characters <= MAX_CHARACTERS
  }

  enter(_frame: FrameStart): void {
    this.#open.push(this.#frames++)
  }

  exit(): void {
    this.#open.pop()
  }

  step(step: TraceStep): void {
    if (!this.needsStep()) return
    const { pc, op, gas, gasCost, depth, stack, memory, returnData, refund } = step
    const isFirst = this.#steps.length === 0
    const showsMemory = isFirst || !equalBytes(memory, this.#memory)
    const showsReturnData = isFirst || !equalBytes(returnData, this.#returnData)
    const bytes = (showsMemory ? memory.length : 0) + (showsReturnData ? returnData.length : 0)
    this.#characters += STEP_CHARACTERS + stack.length * WORD_CHARACTERS + 2 * bytes
    this.#memory = memory
    this.#returnData = returnData
    this.#tellLoaded(step)
    const storage = slotOf(step)
    const transient = transientOf(step)
    this.#steps.push({
      pc,
      op,
      gas: toQuantity(gas),
      gasCost: toQuantity(gasCost),
      depth,
      frame: this.#open.at(-1) as number,
      stack: stack.map((word) => toQuantity(word)),
      ...(showsMemory && { memory: bytesToHex(memory) }),
      ...(showsReturnData && { returnData: bytesToHex(returnData) }),
      ...(storage && { storage }),
      ...(transient && { transient }),
      refund: toQuantity(refund),
    })
  }

  /** What a TLOAD reads is on the stack at the next step of its frame. */
  #tellLoaded({ stack }: TraceStep): void {
    const before = this.#steps.at(-1)
    if (before?.op !== 'TLOAD' || !before.transient || before.frame !== this.#open.at(-1)) return
    const transient = { ...before.transient, value: toWord(stack.at(-1) ?? 0n) }
    this.#steps[this.#steps.length - 1] = { ...before, transient }
  }

  result(): RpcStepWindow {
    return { first: this.window.first, steps: this.#steps }
  }
}

function slotOf(step: TraceStep): RpcStep['storage'] {
  const { opcode, loaded, stack } = step
  if (loaded !== undefined) return { key: toWord(stackWord(step, 0)), value: toWord(loaded) }
  if (opcode !== OP.SSTORE || stack.length < 2) return undefined
  return { key: toWord(stackWord(step, 0)), value: toWord(stackWord(step, 1)) }
}

function transientOf({ opcode, stack }: TraceStep): RpcStep['transient'] {
  if (opcode === OP.TLOAD && stack.length > 0) return { key: toWord(stack.at(-1) ?? 0n) }
  if (opcode !== OP.TSTORE || stack.length < 2) return undefined
  return { key: toWord(stack.at(-1) ?? 0n), value: toWord(stack.at(-2) ?? 0n) }
}
