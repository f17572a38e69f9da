import { type Address, bytesToHex, type Hash, type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcStructLog, RpcStructLogTrace } from '#rpc-types/methods/debug.ts'
import type { Execution } from '../../evm/message.ts'
import { OP, usesSlot } from '../../evm/opcodes.ts'
import { stackWord } from '../../evm/trace-step.ts'
import type { FrameExit, FrameStart, TraceStep, TransactionTracer } from '../../evm/tracer.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'

export interface StructLoggerConfig {
  readonly enableMemory: boolean
  readonly disableStack: boolean
  readonly disableStorage: boolean
  readonly enableReturnData: boolean
  /** Most steps to show; 0 for all. */
  readonly limit: number
}

/** Approximate characters of a step without stack, memory and storage. */
const STEP_CHARACTERS = 80
const WORD_CHARACTERS = 69

type Entry = { -readonly [Key in keyof RpcStructLog]: RpcStructLog[Key] }

/** Geth's default tracer: every step with stack, memory and the used slots. */
export function createStructLogger(config: StructLoggerConfig, budget: TraceBudget): ResultTracer<RpcStructLogTrace> {
  return new StructLogger(config, budget)
}

class StructLogger implements TransactionTracer, ResultTracer<RpcStructLogTrace> {
  readonly withoutMemory: boolean
  readonly withoutReturnData: boolean
  readonly #config: StructLoggerConfig
  readonly #entries: Entry[] = []
  readonly #storage = new Map<Address, Map<Hash, Hash>>()
  /** The newest step of each open frame. */
  readonly #newest: (Entry | undefined)[] = []
  readonly #budget: TraceBudget
  #outcome: Omit<RpcStructLogTrace, 'structLogs'> = { gas: 0, failed: false, returnValue: '0x' }

  constructor(config: StructLoggerConfig, budget: TraceBudget) {
    this.withoutMemory = !config.enableMemory
    this.withoutReturnData = !config.enableReturnData
    this.#config = config
    this.#budget = budget
  }

  enter({ depth }: FrameStart): void {
    this.#newest[depth] = undefined
  }

  step(step: TraceStep): void {
    const { limit } = this.#config
    this.#newest[step.depth] = undefined
    const storage = this.#noteStorage(step)
    if (limit > 0 && this.#entries.length >= limit) return
    this.#measure(step, storage)
    const entry = this.#format(step, storage)
    this.#entries.push(entry)
    this.#newest[step.depth] = entry
  }

  exit({ depth, failure }: FrameExit): void {
    const entry = this.#newest[depth]
    // As in geth: only for steps that could not even start.
    if (entry && failure?.kind === 'halted' && /^(out of gas|stack |write protection)/.test(failure.message)) {
      entry.error = failure.message
    }
  }

  end({ gasUsed, failure, output }: Execution): void {
    this.#outcome = {
      gas: Number(gasUsed),
      failed: failure !== undefined,
      returnValue: failure?.kind === 'halted' ? '0x' : bytesToHex(output),
    }
  }

  result(): RpcStructLogTrace {
    return { ...this.#outcome, structLogs: this.#entries }
  }

  #format({ pc, op, gas, gasCost, depth, stack, memory, returnData, refund }: TraceStep, storage: Slots): Entry {
    const { enableMemory, disableStack, enableReturnData } = this.#config
    return {
      pc,
      op,
      gas: Number(gas),
      gasCost: Number(gasCost),
      depth: depth + 1,
      ...(!disableStack && { stack: stack.map((word) => toQuantity(word)) }),
      ...(enableReturnData && returnData.length > 0 && { returnData: bytesToHex(returnData) }),
      ...(enableMemory && memory.length > 0 && { memory: toWords(memory) }),
      ...(storage && { storage: Object.fromEntries(storage) }),
      ...(refund > 0n && { refund: Number(refund) }),
    }
  }

  /** The account's slots used so far, for a step that uses one. */
  #noteStorage(step: TraceStep): Slots {
    const { opcode, address, stack, loaded } = step
    if (this.#config.disableStorage || !usesSlot(opcode)) return undefined
    const slots = this.#storage.get(address) ?? new Map<Hash, Hash>()
    this.#storage.set(address, slots)
    if (loaded !== undefined) {
      slots.set(toWord(stackWord(step, 0)), toWord(loaded))
    } else if (opcode === OP.SSTORE && stack.length >= 2) {
      slots.set(toWord(stackWord(step, 0)), toWord(stackWord(step, 1)))
    }
    return slots.size > 0 ? slots : undefined
  }

  /** Runs before the step is formatted. */
  #measure({ stack, memory, returnData }: TraceStep, storage: Slots): void {
    const { disableStack, enableMemory, enableReturnData } = this.#config
    const words = (disableStack ? 0 : stack.length) + (enableMemory ? memory.length / 32 : 0) + 2 * (storage?.size ?? 0)
    const bytes = enableReturnData ? returnData.length : 0
    this.#budget.spend(STEP_CHARACTERS + words * WORD_CHARACTERS + 2 * bytes)
  }
}

type Slots = ReadonlyMap<Hash, Hash> | undefined

function toWords(memory: Uint8Array): readonly Hex[] {
  const words: Hex[] = []
  for (let start = 0; start < memory.length; start += 32) words.push(bytesToHex(memory.subarray(start, start + 32)))
  return words
}
