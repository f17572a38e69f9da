import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import type { RpcCallFrame, RpcCallLog } from '#rpc-types/methods/debug.ts'
import type { EngineLog, Execution } from '../../evm/message.ts'
import type { FrameExit, FrameStart, TraceStart, TransactionTracer } from '../../evm/tracer.ts'
import { decodeRevertReason } from '../calls/revert-reason.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'

export interface CallTracerConfig {
  /** Leaves out nested calls. */
  readonly onlyTopCall: boolean
  readonly withLog: boolean
}

/** Approximate characters of a frame without input and output, and of a log without data. */
const FRAME_CHARACTERS = 300

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] }
/** A frame while it is being filled. */
type Frame = Omit<Writable<RpcCallFrame>, 'calls' | 'logs'> & { calls?: Frame[]; logs?: RpcCallLog[] }

interface OpenFrame {
  readonly frame: Frame
  /** Index of the next log at the start of the frame, restored if the frame fails. */
  readonly firstLogIndex: number
}

/**
 * Geth's `callTracer`: the frames of a transaction, each within its caller.
 *
 * @param firstLogIndex - Number of earlier logs in the block.
 */
export function createCallTracer(
  config: CallTracerConfig,
  firstLogIndex: number,
  budget: TraceBudget,
): ResultTracer<RpcCallFrame> {
  return new CallTracer(config, firstLogIndex, budget)
}

class CallTracer implements TransactionTracer, ResultTracer<RpcCallFrame> {
  readonly #config: CallTracerConfig
  readonly #budget: TraceBudget
  readonly #open: OpenFrame[] = []
  #gas = 0n
  #nextLogIndex: number
  #depth = 0
  #top: Frame | undefined

  constructor(config: CallTracerConfig, firstLogIndex: number, budget: TraceBudget) {
    this.#config = config
    this.#budget = budget
    this.#nextLogIndex = firstLogIndex
  }

  begin({ message }: TraceStart): void {
    this.#gas = message.gas
  }

  enter({ type, depth, from, to, value, gas, input }: FrameStart): void {
    this.#depth = depth
    if (this.#config.onlyTopCall && depth > 0) return
    this.#budget.spend(FRAME_CHARACTERS + 2 * input.length)
    const frame: Frame = {
      from,
      // For the transaction itself, all of its gas, including the intrinsic gas.
      gas: toQuantity(depth === 0 ? this.#gas : gas),
      gasUsed: '0x0',
      to,
      input: bytesToHex(input),
      ...(value !== undefined && { value: toQuantity(value) }),
      type,
    }
    this.#open.push({ frame, firstLogIndex: this.#nextLogIndex })
  }

  exit({ depth, output, gasUsed, failure }: FrameExit): void {
    this.#depth = depth - 1
    if (this.#config.onlyTopCall && depth > 0) return
    const { frame, firstLogIndex } = this.#open.pop() as OpenFrame
    frame.gasUsed = toQuantity(gasUsed)
    this.#budget.spend(2 * output.length)
    if (output.length > 0) frame.output = bytesToHex(output)
    if (failure) {
      frame.error = failure.message
      const reason = failure.kind === 'reverted' ? decodeRevertReason(output) : undefined
      if (reason !== undefined) frame.revertReason = reason
      if (frame.type === 'CREATE' || frame.type === 'CREATE2') delete frame.to
      dropLogs(frame)
      this.#nextLogIndex = firstLogIndex
    }
    const parent = this.#open.at(-1)?.frame
    if (parent) (parent.calls ??= []).push(frame)
    else this.#top = frame
  }

  log({ address, topics, data }: EngineLog): void {
    const index = this.#nextLogIndex++
    if (!this.#config.withLog || (this.#config.onlyTopCall && this.#depth > 0)) return
    this.#budget.spend(FRAME_CHARACTERS + 2 * data.length)
    const { frame } = this.#open.at(-1) as OpenFrame
    const log = {
      address,
      topics,
      data: bytesToHex(data),
      index: toQuantity(index),
      position: toQuantity(frame.calls?.length ?? 0),
    }
    ;(frame.logs ??= []).push(log)
  }

  end({ gasUsed }: Execution): void {
    if (this.#top) this.#top.gasUsed = toQuantity(gasUsed)
  }

  result(): RpcCallFrame {
    return this.#top as RpcCallFrame
  }
}

/** Drops the logs of a failed frame and of the frames within it. */
function dropLogs(frame: Frame): void {
  delete frame.logs
  for (const call of frame.calls ?? []) dropLogs(call)
}
