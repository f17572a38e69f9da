import { bytesToHex, type Hash, type Hex, toQuantity } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcExecutionFrame, RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { Engine } from '../../evm/engine.ts'
import type { Execution } from '../../evm/message.ts'
import type { FrameExit, FrameStart, TraceStart, TransactionTracer } from '../../evm/tracer.ts'
import { FrameCodes } from './frame-codes.ts'
import type { ResultTracer } from './result-tracer.ts'
import { StepRecord } from './step-record.ts'
import type { TraceBudget } from './trace-budget.ts'

/** Approximate characters of a frame without input and output. */
const FRAME_CHARACTERS = 500

type Frame = { -readonly [Key in keyof RpcExecutionFrame]: RpcExecutionFrame[Key] }

/** Records an execution in full, for `devnet_traceExecution`. */
export function createExecutionTracer(
  engine: Pick<Engine, 'hardfork' | 'precompiles'>,
  budget: TraceBudget,
): ResultTracer<RpcExecutionTrace> {
  return new ExecutionTracer(engine, budget)
}

class ExecutionTracer implements TransactionTracer, ResultTracer<RpcExecutionTrace> {
  readonly #engine: Pick<Engine, 'hardfork' | 'precompiles'>
  readonly #budget: TraceBudget
  readonly #steps: StepRecord
  readonly #frames: Frame[] = []
  /** Indices of the open frames. */
  readonly #open: number[] = []
  readonly #codes: Record<Hash, Hex> = {}
  #frameCodes: FrameCodes | undefined
  /** Gas limit. */
  #gas = 0n
  /** Gas of the transaction's own frame, and what it used of it. */
  #topGas = 0n
  #topGasUsed = 0n
  #execution: Execution | undefined

  constructor(engine: Pick<Engine, 'hardfork' | 'precompiles'>, budget: TraceBudget) {
    this.#engine = engine
    this.#budget = budget
    this.#steps = new StepRecord(budget)
  }

  begin(start: TraceStart): void {
    this.#gas = start.message.gas
    this.#frameCodes = new FrameCodes(this.#engine, start)
  }

  enter(entry: FrameStart): void {
    const { type, depth, from, to, value, gas, input } = entry
    invariant(this.#frameCodes, 'a frame is entered in a transaction')
    this.#budget.spend(FRAME_CHARACTERS + 2 * input.length)
    const { address, hash, bytes } = this.#frameCodes.enter(entry)
    if (hash !== undefined && !Object.hasOwn(this.#codes, hash)) this.#keepCode(hash, bytes())
    if (depth === 0) this.#topGas = gas
    const parent = this.#open.at(-1) ?? null
    this.#open.push(this.#frames.length)
    this.#frames.push({
      type,
      parent,
      depth,
      from,
      to,
      codeAddress: address,
      code: hash ?? null,
      value: value === undefined ? null : toQuantity(value),
      gas: toQuantity(gas),
      gasUsed: '0x0',
      input: bytesToHex(input),
      output: '0x',
      error: null,
      firstStep: this.#steps.length,
      endStep: this.#steps.length,
    })
  }

  #keepCode(hash: Hash, code: Uint8Array): void {
    this.#budget.spend(2 * code.length)
    this.#codes[hash] = bytesToHex(code)
  }

  record(pcs: Uint8Array, gas: Uint8Array): void {
    this.#steps.append(pcs, gas)
  }

  exit(exit: FrameExit): void {
    const { depth, output, gasUsed, failure } = exit
    this.#frameCodes?.exit(exit)
    const frame = this.#frames[this.#open.pop() as number]
    invariant(frame, 'a frame is left that was entered')
    this.#budget.spend(2 * output.length)
    frame.gasUsed = toQuantity(gasUsed)
    frame.output = bytesToHex(output)
    frame.error = failure?.message ?? null
    frame.endStep = this.#steps.length
    if (depth === 0) this.#topGasUsed = gasUsed
  }

  end(execution: Execution): void {
    this.#execution = execution
  }

  result(): RpcExecutionTrace {
    invariant(this.#execution, 'a trace is asked for when its transaction is done')
    const { gasUsed, refund } = this.#execution
    const intrinsic = this.#gas - this.#topGas
    return {
      steps: this.#steps.length,
      ...this.#steps.toHex(),
      frames: this.#frames,
      codes: this.#codes,
      gasLimit: toQuantity(this.#gas),
      intrinsicGas: toQuantity(intrinsic),
      refund: toQuantity(refund),
      floorGas: toQuantity(gasUsed - (intrinsic + this.#topGasUsed - refund)),
      gasUsed: toQuantity(gasUsed),
    }
  }
}
