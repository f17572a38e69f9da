import { type Address, bytesToHex, type Hex, toQuantity } from '#primitives/hex.ts'
import type { RpcFlatTrace, RpcLocalizedTrace } from '#rpc-types/methods/trace.ts'
import type { Execution, MessageFailure } from '../../evm/message.ts'
import type { FrameExit, FrameStart, TraceStart, TransactionTracer } from '../../evm/tracer.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'

export interface FlatCallTracerConfig {
  /** Answers as the `trace_` methods do where geth's `flatCallTracer` differs from them. */
  readonly asParity: boolean
  /** Words errors as Parity did. */
  readonly convertErrors: boolean
  /** Shows calls of precompiled contracts. */
  readonly withPrecompiles: boolean
}

/** Characters of a frame without input and output, roughly, and of one number of its address. */
const FRAME_CHARACTERS = 700
const POSITION_CHARACTERS = 6

/** A frame while it is filled in. `type` decides the fields of its action and its result. */
interface Frame {
  readonly type: RpcFlatTrace['type']
  readonly action: RpcFlatTrace['action']
  result?: RpcFlatTrace['result']
  error?: string
  subtraces: number
  readonly traceAddress: readonly number[]
}

/**
 * The frames of a transaction as a list, in the order in which they began, each with its place in the tree: Parity's
 * format, in geth's `flatCallTracer` and in the `trace_` methods.
 *
 * @param precompiles - Addresses of the precompiled contracts.
 * @param place - The transaction's place in the chain, which each frame repeats.
 */
export function createFlatCallTracer<Place extends TracePlace | undefined>(
  config: FlatCallTracerConfig,
  precompiles: ReadonlySet<Address>,
  budget: TraceBudget,
  place: Place,
): ResultTracer<readonly (Place extends TracePlace ? RpcLocalizedTrace : RpcFlatTrace)[]> {
  const tracer = new FlatCallTracer(config, precompiles, budget, place)
  // The tracer's frames have the place where there is one.
  return tracer as ResultTracer<readonly RpcFlatTrace[]> as ResultTracer<readonly RpcLocalizedTrace[]>
}

/** The place of a transaction on the chain. */
export type TracePlace = Pick<
  RpcLocalizedTrace,
  'blockHash' | 'blockNumber' | 'transactionHash' | 'transactionPosition'
>

/** Characters of a frame's JSON, roughly. */
export function charactersOf({ action, result, traceAddress }: RpcFlatTrace): number {
  const texts = Object.values({ ...action, ...result }) as Hex[]
  return texts.reduce((sum, { length }) => sum + length, FRAME_CHARACTERS + POSITION_CHARACTERS * traceAddress.length)
}

interface OpenFrame {
  readonly trace: Frame
  readonly entry: FrameStart
}

class FlatCallTracer implements TransactionTracer, ResultTracer<readonly RpcFlatTrace[]> {
  readonly #config: FlatCallTracerConfig
  readonly #precompiles: ReadonlySet<Address>
  readonly #budget: TraceBudget
  readonly #place: TracePlace | undefined
  readonly #traces: Frame[] = []
  readonly #open: OpenFrame[] = []
  #gas = 0n

  constructor(
    config: FlatCallTracerConfig,
    precompiles: ReadonlySet<Address>,
    budget: TraceBudget,
    place: TracePlace | undefined,
  ) {
    this.#place = place
    this.#config = config
    this.#precompiles = precompiles
    this.#budget = budget
  }

  begin({ message }: TraceStart): void {
    this.#gas = message.gas
  }

  enter(entry: FrameStart): void {
    const parent = this.#open.at(-1)?.trace
    const traceAddress = parent ? [...parent.traceAddress, parent.subtraces] : []
    this.#budget.spend(FRAME_CHARACTERS + POSITION_CHARACTERS * traceAddress.length + 2 * entry.input.length)
    if (parent) parent.subtraces++
    const trace: Frame = { ...this.#describe(entry), subtraces: 0, traceAddress, ...this.#place }
    this.#traces.push(trace)
    this.#open.push({ trace, entry })
  }

  exit({ depth, output, gasUsed, failure }: FrameExit): void {
    const { trace, entry } = this.#open.pop() as OpenFrame
    if (depth > 0 && this.#isHidden(entry)) {
      // A precompile calls nothing in turn, so it is the last one.
      this.#traces.pop()
      const parent = this.#open.at(-1)?.trace
      if (parent) parent.subtraces--
      return
    }
    if (trace.type === 'suicide') {
      if (this.#config.asParity) trace.result = null
      return
    }
    if (failure) trace.error = this.#config.convertErrors ? parityError(failure) : failure.message
    if (failure?.kind === 'halted') {
      if (this.#config.asParity) trace.result = null
      return
    }
    this.#budget.spend(2 * output.length)
    const used = toQuantity(gasUsed)
    const bytes = bytesToHex(output)
    const hasAddress = this.#config.asParity || !failure
    trace.result =
      trace.type === 'create'
        ? { gasUsed: used, ...(hasAddress && { address: entry.to }), code: bytes }
        : { gasUsed: used, output: bytes }
  }

  end({ gasUsed }: Execution): void {
    const top = this.#traces[0]
    // As for `gas`, geth counts what the transaction costs before and beside its code.
    if (top?.result && !this.#config.asParity)
      top.result = { ...top.result, gasUsed: toQuantity(gasUsed) } as Frame['result']
  }

  result(): readonly RpcFlatTrace[] {
    return this.#traces as readonly RpcFlatTrace[]
  }

  #isHidden({ type, to }: FrameStart): boolean {
    return !this.#config.withPrecompiles && (type === 'CALL' || type === 'STATICCALL') && this.#precompiles.has(to)
  }

  #describe({ type, depth, from, to, value = 0n, gas, input }: FrameStart): Pick<Frame, 'type' | 'action'> {
    const wei = toQuantity(value)
    if (type === 'SELFDESTRUCT') {
      return { type: 'suicide', action: { address: from, refundAddress: to, balance: wei } }
    }
    const ofAll = { from, gas: toQuantity(depth === 0 && !this.#config.asParity ? this.#gas : gas), value: wei }
    if (type === 'CREATE' || type === 'CREATE2') {
      const creationMethod = type === 'CREATE' ? 'create' : 'create2'
      return {
        type: 'create',
        action: { ...ofAll, init: bytesToHex(input), creationMethod },
      }
    }
    const callType = type.toLowerCase() as 'call' | 'callcode' | 'delegatecall' | 'staticcall'
    return { type: 'call', action: { ...ofAll, to, callType, input: bytesToHex(input) } }
  }
}

/** By the beginning of geth's words. */
const PARITY_ERRORS: readonly (readonly [words: string, parity: string])[] = [
  ['contract creation code storage out of gas', 'Out of gas'],
  ['out of gas', 'Out of gas'],
  ['gas uint64 overflow', 'Out of gas'],
  ['max code size exceeded', 'Out of gas'],
  ['invalid jump destination', 'Bad jump destination'],
  ['execution reverted', 'Reverted'],
  ['return data out of bounds', 'Out of bounds'],
  ['stack limit reached 1024', 'Out of stack'],
  ['precompiled failed', 'Built-in failed'],
  ['invalid input length', 'Built-in failed'],
  ['invalid opcode', 'Bad instruction'],
  ['stack underflow', 'Stack underflow'],
]

function parityError({ message }: MessageFailure): string {
  return PARITY_ERRORS.find(([words]) => message.startsWith(words))?.[1] ?? message
}
