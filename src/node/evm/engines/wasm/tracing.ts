import { HALT } from '#engine/engine-exports.ts'
import type { EngineInstance, EngineWatcher } from '#engine/engine-instance.ts'
import { EMPTY_BYTES } from '#primitives/bytes.ts'
import type { Address } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { HardforkName } from '../../../spec/rules.ts'
import { opcodeName } from '../../opcode-names.ts'
import { FRAME_TYPES, OP, writesMemory } from '../../opcodes.ts'
import type { Tracer, TraceStep } from '../../tracer.ts'
import { failureOf } from './failure.ts'
import { readLog } from './logs.ts'

/** Steps between two looks at the clock; each of them copies the stack and the memory. */
const STEPS_PER_CHECKPOINT = 16
/** How many skipped steps take as long as one that the tracer needs. */
const SKIPPED_PER_STEP = 64
/** Bytes of copied memory between two looks at the clock: a tracer may write them as text, which takes even longer. */
const BYTES_PER_CHECKPOINT = 1 << 17

/** Bytes of a recorded step in each column. */
const STEP_RECORD_BYTES = 4

/** Failures that are known before a step is executed. */
const FAILS_AT_ONCE: ReadonlySet<number> = new Set([
  HALT.outOfGas,
  HALT.stackUnderflow,
  HALT.stackOverflow,
  HALT.writeProtection,
  HALT.reentrancySentry,
])

/** A step that is not done yet. What is only known afterwards is filled in then: a copy would take a third of a trace's time. */
type OpenStep = { -readonly [Key in keyof TraceStep]: TraceStep[Key] }

/** Values of a message that its tracer needs and the engine does not report. */
interface TracedMessage {
  readonly hardfork: HardforkName
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
  /** The newest step of the running frame with its memory, if no step was passed over since. */
  #last: { readonly opcode: number; readonly bytes: Uint8Array } | undefined
  /** Where the newest step's account is, and its address. */
  #account = -1
  #address: Address = '0x'
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
      op: opcodeName(opcode, this.#message.hardfork),
      gas,
      depth: this.#frames.length - 1,
      stack,
      memory: withoutMemory ? EMPTY_BYTES : this.#memoryFor(opcode, memoryAt, memorySize),
      returnData: withoutReturnData ? EMPTY_BYTES : memory.slice(returned, returnedSize),
      address: this.#addressAt(account),
      loaded: reads ? memory.readWord(exports.slotValueAt(account, stackTop)) : undefined,
      gasCost: 0n,
      refund: 0n,
      fails: false,
    }
    this.#copied += withoutReturnData ? 0 : returnedSize
    return this.#countStep()
  }

  /** The address of an account, which most steps share with the one before. */
  #addressAt(account: number): Address {
    if (account !== this.#account) {
      this.#account = account
      this.#address = this.#instance.memory.readAddress(account)
    }
    return this.#address
  }

  #memoryFor(opcode: number, at: number, size: number): Uint8Array {
    if (this.#tracer.needsMemory?.(opcode) !== false) return this.#memoryOf(at, size, opcode)
    this.#last = undefined
    return EMPTY_BYTES
  }

  /** The frame's memory; that of the step before where it has not changed since. */
  #memoryOf(at: number, size: number, opcode: number): Uint8Array {
    const last = this.#last
    const isSame = last !== undefined && last.bytes.length === size && !writesMemory(last.opcode)
    const bytes = isSame ? last.bytes : this.#instance.memory.slice(at, size)
    this.#last = { opcode, bytes }
    if (!isSame) this.#copied += size
    return bytes
  }

  #skip(): number {
    this.#last = undefined
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
    step.gasCost = step.gas - gas
    step.refund = this.#message.refund + this.#instance.exports.refund()
    step.fails = FAILS_AT_ONCE.has(reason)
    this.#tracer.step?.(step)
  }

  enter(opcode: number, from: number, to: number, value: number, gas: bigint, input: number, inputSize: number): void {
    const { memory } = this.#instance
    this.#last = undefined
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
    this.#last = undefined
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

  record(pcs: number, gas: number, count: number): void {
    const { bytes } = this.#instance.memory
    const size = STEP_RECORD_BYTES * count
    this.#tracer.record?.(bytes.subarray(pcs, pcs + size), bytes.subarray(gas, gas + size))
  }

  log(at: number): void {
    this.#tracer.log?.(readLog(this.#instance, at))
  }
}
