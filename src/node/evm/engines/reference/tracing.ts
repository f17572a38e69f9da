import type { EVM, EVMResult, InterpreterStep, Message } from '@ethereumjs/evm'
import { bytesToBigInt, EMPTY_BYTES } from '#primitives/bytes.ts'
import { type Address, bytesToHex, toWord } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { HardforkName } from '../../../spec/rules.ts'
import type { StateReader } from '../../../state/state-reader.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { create2Address, createdAddress } from '../../contract-address.ts'
import { failureOf } from '../../ethereumjs-failure.ts'
import { opcodeName } from '../../opcode-names.ts'
import {
  callsAccount,
  FRAME_TYPES,
  growsStack,
  OP,
  STACK_LIMIT,
  stackInputs,
  usesSlot,
  writesState,
} from '../../opcodes.ts'
import { addressToCreate, stackAddress, stackMemory, stackWord } from '../../trace-step.ts'
import type { FrameType, Tracer, TraceStep } from '../../tracer.ts'

/** Steps between two looks at the clock; each of them copies the stack and the memory. */
const STEPS_PER_CHECKPOINT = 64
/** Bytes of copied memory between two looks at the clock. */
const BYTES_PER_CHECKPOINT = 1 << 20
/** The most nested frames below the first. */
const CALL_DEPTH_LIMIT = 1024
const CALL_STIPEND = 2_300n

const MAX_UINT32 = 0xffff_ffff

/** Values of a message that a tracer needs and the EVM does not report. */
export interface TracedMessage {
  readonly hardfork: HardforkName
  /** The most bytes of a contract's code. */
  readonly codeSizeLimit: number
  readonly state: StateReader
  readonly guard: ExecutionGuard
  /** Refund counter at the start, in gas. */
  readonly refund: bigint
}

/** An open frame. */
interface OpenFrame {
  readonly type: FrameType
  readonly message: Message
  /** Latest call or creation of the frame. */
  inner: FrameType | undefined
  returnData: Uint8Array
}

/** A step with the gas that it passes to its target. */
interface Step extends TraceStep {
  readonly forwarded: bigint
}

/**
 * Reports the events of an EVM to a tracer until it is detached. Adds what the EVM does not report, so that a trace
 * looks like geth's: calls that fail before their frame is entered, the STOP after the end of code, SELFDESTRUCT as a
 * frame, logs, and the gas passed by a call as part of its cost.
 *
 * @returns Detaches the tracer.
 */
export function attachTracer(evm: EVM, traced: TracedMessage, tracer: Tracer): () => void {
  const tracing = new Tracing(traced, tracer)
  // With two parameters, so that the EVM waits.
  const step = (event: InterpreterStep, resolve?: () => void) => tracing.step(event, resolve)
  const enter = (message: Message) => tracing.enter(message)
  const exit = (result: EVMResult) => tracing.exit(result)
  evm.events.on('step', step)
  evm.events.on('beforeMessage', enter)
  evm.events.on('afterMessage', exit)
  return () => {
    evm.events.off('step', step)
    evm.events.off('beforeMessage', enter)
    evm.events.off('afterMessage', exit)
  }
}

class Tracing {
  readonly #traced: TracedMessage
  readonly #tracer: Tracer
  readonly #frames: OpenFrame[] = []
  #steps = 0
  #copied = 0
  /** Index of the next step. */
  #told = 0

  constructor(traced: TracedMessage, tracer: Tracer) {
    this.#traced = traced
    this.#tracer = tracer
  }

  enter(message: Message): void {
    const parent = this.#frames.at(-1)
    const type = parent ? parent.inner : message.to ? 'CALL' : 'CREATE'
    invariant(type, 'a frame was entered without a call')
    this.#frames.push({ type, message, inner: undefined, returnData: EMPTY_BYTES })
    const caller = bytesToHex(message.caller.bytes)
    this.#tracer.enter?.({
      type,
      depth: message.depth,
      // For a delegate the EVM reports the caller of its parent; the actual caller is the account that the delegate
      // works for.
      from: type === 'DELEGATECALL' && message.to ? bytesToHex(message.to.bytes) : caller,
      to: message.to ? bytesToHex(message.codeAddress.bytes) : this.#newAddress(caller, message),
      value: type === 'STATICCALL' ? undefined : message.value,
      gas: message.gasLimit,
      input: message.data,
    })
  }

  exit({ execResult }: EVMResult): void {
    const frame = this.#frames.at(-1)
    invariant(frame, 'a frame was left that was not entered')
    this.#implicitStop(frame, execResult)
    this.#frames.pop()
    const failure = failureOf(execResult)
    const output = failure?.kind === 'halted' ? EMPTY_BYTES : execResult.returnValue
    this.#tracer.exit?.({ depth: frame.message.depth, output, gasUsed: execResult.executionGasUsed, failure })
    const parent = this.#frames.at(-1)
    const created = (frame.type === 'CREATE' || frame.type === 'CREATE2') && !failure
    if (parent) parent.returnData = created ? EMPTY_BYTES : output
  }

  step(event: InterpreterStep, resolve?: () => void): void {
    const frame = this.#frames.at(-1)
    invariant(frame && frame.message.depth === event.depth, 'a step belongs to the newest frame')
    const step = this.#toStep(event, frame)
    this.#tell(step)
    if (!step.fails) this.#follow(step, frame)
    this.#steps++
    this.#copied += event.memory.length
    const pause = this.#isCheckpoint() ? this.#traced.guard.checkpoint() : undefined
    if (pause) void pause.then(resolve)
    else resolve?.()
  }

  #tell(step: TraceStep): void {
    const { window } = this.#tracer
    const index = this.#told++
    if (!window || (index >= window.first && index < window.first + window.count)) this.#tracer.step?.(step)
    this.#tracer.record?.(toBytes(step.pc), toBytes(step.gas > MAX_UINT32 ? MAX_UINT32 : Number(step.gas)))
  }

  #isCheckpoint(): boolean {
    if (this.#steps % STEPS_PER_CHECKPOINT !== 0 && this.#copied < BYTES_PER_CHECKPOINT) return false
    this.#copied = 0
    return true
  }

  /** The EVM has already incremented the creator's nonce, or the sender's if the transaction itself creates. */
  #newAddress(creator: Address, message: Message): Address {
    if (message.salt) return create2Address(creator, message.salt, message.data)
    return createdAddress(creator, (this.#traced.state.account(creator)?.nonce ?? 0n) - 1n)
  }

  #toStep(event: InterpreterStep, { message, returnData }: OpenFrame): Step {
    const { pc, opcode: info, gasLeft: gas, stack, depth } = event
    // The EVM knows only one invalid opcode.
    const opcode = info.code === OP.INVALID ? (codeOf(message)[pc] ?? OP.INVALID) : info.code
    const ownCost = info.dynamicFee ?? BigInt(info.fee)
    const forwarded = forwardedGas(opcode, stack, gas - ownCost)
    return {
      pc,
      opcode,
      op: opcodeName(opcode, this.#traced.hardfork),
      loaded: this.#loaded(opcode, event),
      gas,
      gasCost: ownCost + forwarded,
      forwarded,
      depth,
      stack,
      memory: memoryOf(event),
      returnData,
      refund: this.#traced.refund + event.gasRefund,
      address: bytesToHex(event.address.bytes),
      fails:
        ownCost > gas ||
        (info.code !== OP.INVALID && stack.length < stackInputs(opcode)) ||
        (stack.length === STACK_LIMIT && growsStack(opcode)) ||
        (message.isStatic && writesState(opcode, stack)) ||
        // The cost of such a step is above its base fee, unless it could not be computed.
        ((usesSlot(opcode) || callsAccount(opcode)) && ownCost === BigInt(info.fee)),
    }
  }

  /** Reports effects of the step that the EVM does not report. */
  #follow(step: Step, frame: OpenFrame): void {
    const { opcode, address } = step
    const inner = opcode === OP.SELFDESTRUCT ? undefined : FRAME_TYPES.get(opcode)
    if (inner) {
      frame.inner = inner
      frame.returnData = EMPTY_BYTES
      this.#failFast(step, inner, frame)
    } else if (opcode === OP.SELFDESTRUCT) {
      const depth = step.depth + 1
      const value = this.#balance(address)
      const entry = { from: address, to: stackAddress(step, 0), value, gas: 0n, input: EMPTY_BYTES }
      this.#tracer.enter?.({ type: 'SELFDESTRUCT', depth, ...entry })
      this.#tracer.exit?.({ depth, output: EMPTY_BYTES, gasUsed: 0n, failure: undefined })
    } else if (opcode >= OP.LOG0 && opcode <= OP.LOG4) {
      const topics = Array.from({ length: opcode - OP.LOG0 }, (_, i) => toWord(stackWord(step, i + 2)))
      this.#tracer.log?.({ address, topics, data: stackMemory(step, 0) })
    }
  }

  /** A call that was paid for but that the EVM does not start. */
  #failFast(step: Step, type: FrameType, frame: OpenFrame): void {
    const depth = step.depth + 1
    const creates = type === 'CREATE' || type === 'CREATE2'
    if (creates && stackWord(step, 2) > BigInt(2 * this.#traced.codeSizeLimit)) return
    const sent = creates ? stackWord(step, 0) : type === 'CALL' || type === 'CALLCODE' ? stackWord(step, 2) : 0n
    const tooDeep = depth > CALL_DEPTH_LIMIT
    if (!tooDeep && this.#balance(step.address) >= sent) return
    const left = step.gas - step.gasCost
    const inherited = type === 'DELEGATECALL' ? frame.message.value : sent
    this.#tracer.enter?.({
      type,
      depth,
      from: step.address,
      to: creates ? addressToCreate(step, this.#traced.state) : stackAddress(step, 1),
      value: type === 'STATICCALL' ? undefined : inherited,
      gas: creates ? left - left / 64n : step.forwarded + (sent > 0n ? CALL_STIPEND : 0n),
      input: stackMemory(step, creates ? 1 : type === 'CALL' || type === 'CALLCODE' ? 3 : 2),
    })
    const message = tooDeep ? 'max call depth exceeded' : 'insufficient balance for transfer'
    this.#tracer.exit?.({ depth, output: EMPTY_BYTES, gasUsed: 0n, failure: { kind: 'halted', message } })
  }

  /** After the end of code there is an implicit STOP, which the EVM does not execute. */
  #implicitStop(frame: OpenFrame, { runState, exceptionError, gasRefund = 0n }: EVMResult['execResult']): void {
    if (!runState || exceptionError) return
    const { programCounter, code, opCode, stack, memory, memoryWordCount, gasLeft } = runState
    if (code.length === 0 || programCounter < code.length) return
    if (opCode === OP.STOP || opCode === OP.RETURN || opCode === OP.SELFDESTRUCT) return
    this.#tell({
      pc: programCounter,
      opcode: OP.STOP,
      op: 'STOP',
      gas: gasLeft,
      gasCost: 0n,
      depth: frame.message.depth,
      stack: stack.getStack(),
      memory: memory.read(0, Number(memoryWordCount) * 32),
      returnData: frame.returnData,
      refund: this.#traced.refund + gasRefund,
      address: bytesToHex(runState.env.address.bytes),
      loaded: undefined,
      fails: false,
    })
  }

  /** The value that an SLOAD reads. */
  #loaded(opcode: number, { stack, address }: InterpreterStep): bigint | undefined {
    const slot = stack.at(-1)
    if (opcode !== OP.SLOAD || slot === undefined) return undefined
    return bytesToBigInt(this.#traced.state.storage(bytesToHex(address.bytes), toWord(slot)))
  }

  #balance(address: Address): bigint {
    return this.#traced.state.account(address)?.balance ?? 0n
  }
}

/** Memory including trailing zeros that the EVM has not written yet. */
function memoryOf({ memory, memoryWordCount }: InterpreterStep): Uint8Array {
  const size = Number(memoryWordCount) * 32
  if (memory.length >= size) return memory
  const whole = new Uint8Array(size)
  whole.set(memory)
  return whole
}

/** 4 bytes, big-endian. */
function toBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

/** Precompiles have functions instead of code, and no steps. */
function codeOf({ code }: Message): Uint8Array {
  return code instanceof Uint8Array ? code : EMPTY_BYTES
}

/** Gas passed on by a call: the requested amount, but never the last 64th of what is left (EIP-150). */
function forwardedGas(opcode: number, stack: readonly bigint[], left: bigint): bigint {
  const asked = stack.at(-1)
  if (!callsAccount(opcode) || asked === undefined || left < 0n) return 0n
  const most = left - left / 64n
  return asked < most ? asked : most
}
