import { HALT } from '#engine/engine-exports.ts'
import type { EngineInstance, EngineWatcher } from '#engine/engine-instance.ts'
import { EMPTY_BYTES } from '#primitives/bytes.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Fork } from '../../../spec/rules.ts'
import { opcodeName } from '../../opcode-names.ts'
import { FRAME_TYPES, OP } from '../../opcodes.ts'
import type { Tracer, TraceStep } from '../../tracer.ts'
import { failureOf } from './failure.ts'
import { readLog } from './logs.ts'

/** Steps between two looks at the clock; each of them copies the stack and the memory. */
const STEPS_PER_CHECKPOINT = 16
/** How many skipped steps take as long as one that the tracer needs. */
const SKIPPED_PER_STEP = 64
/** Bytes of copied memory between two looks at the clock: a tracer may write them as text, which takes even longer. */
const BYTES_PER_CHECKPOINT = 1 << 17

/** Failures that are known before a step is executed. */
const FAILS_AT_ONCE: ReadonlySet<number> = new Set([
  HALT.outOfGas,
  HALT.stackUnderflow,
  HALT.stackOverflow,
  HALT.writeProtection,
  HALT.reentrancySentry,
])

/** A reported step that is not done yet: its cost and whether it fails are reported afterwards. */
type OpenStep = Omit<TraceStep, 'gasCost' | 'fails' | 'refund'>

/** Values of a message that its tracer needs and the engine does not report. */
interface TracedMessage {
  readonly fork: Fork
  /** Refund counter at the start, in gas. */
  readonly refund: bigint
  /** Why the last precompile failed; empty if it ran out of gas. */
  readonly precompileFailure: () => string
}

/** Passes an engine's events of one message on to a tracer. */
export class WasmTracing implements EngineWatcher {
  readonly #instance: EngineInstance
  readonly #message: TracedMessage
  readonly #tracer: Tracer
  /** Gas given to each open frame. */
  readonly #frames: bigint[] = []
  #open: OpenStep | undefined
  #steps = 0
  #skipped = 0
  #copied = 0

  constructor(instance: EngineInstance, message: TracedMessage, tracer: Tracer) {
    this.#instance = instance
    this.#message = message
    this.#tracer = tracer
  }

  step(
    opcode: number,
    pc: number,
    gas: bigint,
    stackTop: number,
    stackBottom: number,
    account: number,
    memoryAt: number,
    memorySize: number,
    returned: number,
    returnedSize: number,
  ): number {
    this.settle(gas, 0)
    if (this.#tracer.needsStep?.(opcode) === false) return this.#skip()
    const { memory, exports } = this.#instance
    const { withoutMemory = false, withoutReturnData = false } = this.#tracer
    const stack: bigint[] = []
    for (let at = stackBottom - 32; at >= stackTop; at -= 32) stack.push(memory.readWord(at))
    const reads = opcode === OP.SLOAD && stack.length > 0
    this.#open = {
      pc,
      opcode,
      op: opcodeName(opcode, this.#message.fork),
      gas,
      depth: this.#frames.length - 1,
      stack,
      memory: withoutMemory ? EMPTY_BYTES : memory.slice(memoryAt, memorySize),
      returnData: withoutReturnData ? EMPTY_BYTES : memory.slice(returned, returnedSize),
      address: memory.readAddress(account),
      loaded: reads ? memory.readWord(exports.slotValueAt(account, stackTop)) : undefined,
    }
    this.#copied += (withoutMemory ? 0 : memorySize) + (withoutReturnData ? 0 : returnedSize)
    return this.#countStep()
  }

  #skip(): number {
    this.#skipped++
    if (this.#skipped < SKIPPED_PER_STEP) return 0
    this.#skipped = 0
    return this.#countStep()
  }

  /** @returns 1 if it is time to look at the clock. */
  #countStep(): number {
    this.#steps++
    if (this.#steps < STEPS_PER_CHECKPOINT && this.#copied < BYTES_PER_CHECKPOINT) return 0
    this.#steps = 0
    this.#copied = 0
    return 1
  }

  settle(gas: bigint, reason: number): void {
    const step = this.#open
    if (!step) return
    this.#open = undefined
    this.#tracer.step?.({
      ...step,
      gasCost: step.gas - gas,
      refund: this.#message.refund + this.#instance.exports.refund(),
      fails: FAILS_AT_ONCE.has(reason),
    })
  }

  enter(opcode: number, from: number, to: number, value: number, gas: bigint, input: number, inputSize: number): void {
    const { memory } = this.#instance
    const type = FRAME_TYPES.get(opcode)
    invariant(type, 'a frame begins with a call or a creation')
    this.#tracer.enter?.({
      type,
      depth: this.#frames.length,
      from: memory.readAddress(from),
      to: memory.readAddress(to),
      value: type === 'STATICCALL' ? undefined : memory.readWord(value),
      gas,
      input: memory.slice(input, inputSize),
    })
    this.#frames.push(gas)
  }

  exit(status: number, reason: number, gas: bigint, output: number, outputSize: number): void {
    const given = this.#frames.pop()
    invariant(given !== undefined, 'a frame was left that was not entered')
    const { memory, exports } = this.#instance
    const failure = failureOf(status, reason, exports, this.#message.precompileFailure())
    this.#tracer.exit?.({
      depth: this.#frames.length,
      output: failure?.kind === 'halted' ? EMPTY_BYTES : memory.slice(output, outputSize),
      gasUsed: given - gas,
      failure,
    })
  }

  log(at: number): void {
    this.#tracer.log?.(readLog(this.#instance, at))
  }
}
