import { type Address, bytesToHex, toWord } from '#primitives/hex.ts'
import type { RpcStructLogTrace } from '#rpc-types/methods/debug.ts'
import type { Execution } from '../../evm/message.ts'
import { OP, usesSlot } from '../../evm/opcodes.ts'
import { stackWord } from '../../evm/trace-step.ts'
import type { FrameExit, TraceStep, TransactionTracer } from '../../evm/tracer.ts'
import { listOfTexts } from '../../turns/json-texts.ts'
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
const STEPS_PER_TEXT = 64

/** Geth's default tracer: every step with stack, memory and the used slots. */
export function createStructLogger(config: StructLoggerConfig, budget: TraceBudget): ResultTracer<RpcStructLogTrace> {
  return new StructLogger(config, budget)
}

/** The slots of an account that were used so far, as JSON. */
interface Slots {
  readonly members: Map<bigint, { readonly value: bigint; readonly text: string }>
  /** All of them; `undefined` if they have changed since. */
  text: string | undefined
}

/**
 * Writes each step as text at once: from one step to the next hardly anything changes, and what has not need not be written
 * again.
 */
class StructLogger implements TransactionTracer, ResultTracer<RpcStructLogTrace> {
  readonly withoutMemory: boolean
  readonly withoutReturnData: boolean
  readonly #config: StructLoggerConfig
  /** JSON of steps, many of them in each text: as one text for each they would take several times the memory. */
  readonly #texts: string[] = []
  /** JSON of the newest steps, which are not among them yet. */
  readonly #newest: string[] = []
  /** The depth of the newest step, if it is shown: only that one can still turn out to fail. */
  #newestDepth: number | undefined
  #shown = 0
  readonly #storage = new Map<Address, Slots>()
  readonly #budget: TraceBudget
  readonly #stack = new StackText()
  #memory: Uint8Array | undefined
  #memoryText = ''
  #outcome: Omit<RpcStructLogTrace, 'structLogs'> = { gas: 0, failed: false, returnValue: '0x' }

  constructor(config: StructLoggerConfig, budget: TraceBudget) {
    this.withoutMemory = !config.enableMemory
    this.withoutReturnData = !config.enableReturnData
    this.#config = config
    this.#budget = budget
  }

  step(step: TraceStep): void {
    const { limit } = this.#config
    this.#newestDepth = undefined
    const slots = this.#noteStorage(step)
    if (limit > 0 && this.#shown >= limit) return
    this.#measure(step, slots)
    if (this.#newest.length === STEPS_PER_TEXT) this.#texts.push(this.#newest.splice(0).join())
    this.#newest.push(this.#format(step, slots))
    this.#newestDepth = step.depth
    this.#shown++
  }

  exit({ depth, failure }: FrameExit): void {
    if (depth !== this.#newestDepth) return
    this.#newestDepth = undefined
    // As in geth: only for steps that could not even start.
    if (failure?.kind !== 'halted' || !/^(out of gas|stack |write protection)/.test(failure.message)) return
    const text = this.#newest.pop() ?? '{}'
    this.#newest.push(`${text.slice(0, -1)},"error":${JSON.stringify(failure.message)}}`)
  }

  end({ gasUsed, failure, output }: Execution): void {
    this.#outcome = {
      gas: Number(gasUsed),
      failed: failure !== undefined,
      returnValue: failure?.kind === 'halted' ? '0x' : bytesToHex(output),
    }
  }

  result(): RpcStructLogTrace {
    const newest = this.#newest.length > 0 ? [this.#newest.join()] : []
    return { ...this.#outcome, structLogs: listOfTexts([...this.#texts, ...newest]) }
  }

  #format(step: TraceStep, slots: Slots | undefined): string {
    const { pc, op, gas, gasCost, depth, stack, memory, returnData, refund } = step
    const { enableMemory, disableStack, enableReturnData } = this.#config
    let text = `{"pc":${pc},"op":"${op}","gas":${gas},"gasCost":${gasCost},"depth":${depth + 1}`
    if (!disableStack) text += `,"stack":[${this.#stack.of(stack)}]`
    if (enableReturnData && returnData.length > 0) text += `,"returnData":"${bytesToHex(returnData)}"`
    if (enableMemory && memory.length > 0) text += `,"memory":[${this.#textOfMemory(memory)}]`
    if (slots) {
      slots.text ??= Array.from(slots.members.values(), (member) => member.text).join()
      text += `,"storage":{${slots.text}}`
    }
    if (refund > 0n) text += `,"refund":${refund}`
    return `${text}}`
  }

  /** Steps that have the same memory share its bytes. */
  #textOfMemory(memory: Uint8Array): string {
    if (memory === this.#memory) return this.#memoryText
    const words: string[] = []
    for (let start = 0; start < memory.length; start += 32) {
      words.push(`"${bytesToHex(memory.subarray(start, start + 32))}"`)
    }
    this.#memory = memory
    this.#memoryText = words.join()
    return this.#memoryText
  }

  /** The account's slots used so far, for a step that uses one. */
  #noteStorage(step: TraceStep): Slots | undefined {
    const { opcode, address, stack, loaded } = step
    if (this.#config.disableStorage || !usesSlot(opcode)) return undefined
    const slots = this.#storage.get(address) ?? { members: new Map(), text: undefined }
    this.#storage.set(address, slots)
    if (loaded !== undefined) note(slots, stackWord(step, 0), loaded)
    else if (opcode === OP.SSTORE && stack.length >= 2) note(slots, stackWord(step, 0), stackWord(step, 1))
    return slots.members.size > 0 ? slots : undefined
  }

  /** Runs before the step is formatted. */
  #measure({ stack, memory, returnData }: TraceStep, slots: Slots | undefined): void {
    const { disableStack, enableMemory, enableReturnData } = this.#config
    const words =
      (disableStack ? 0 : stack.length) + (enableMemory ? memory.length / 32 : 0) + 2 * (slots?.members.size ?? 0)
    const bytes = enableReturnData ? returnData.length : 0
    this.#budget.spend(STEP_CHARACTERS + words * WORD_CHARACTERS + 2 * bytes)
  }
}

function note(slots: Slots, slot: bigint, value: bigint): void {
  if (slots.members.get(slot)?.value === value) return
  slots.members.set(slot, { value, text: `"${toWord(slot)}":"${toWord(value)}"` })
  slots.text = undefined
}

/** Writes stacks; words that the one before had at the same place are not written again. */
class StackText {
  readonly #words: bigint[] = []
  readonly #texts: string[] = []

  /** The words as JSON, the lowest first. */
  of(stack: readonly bigint[]): string {
    let text = ''
    for (let place = 0; place < stack.length; place++) {
      const word = stack[place] as bigint
      if (this.#words[place] !== word) {
        this.#words[place] = word
        this.#texts[place] = `${place > 0 ? ',' : ''}"0x${word.toString(16)}"`
      }
      text += this.#texts[place]
    }
    return text
  }
}
