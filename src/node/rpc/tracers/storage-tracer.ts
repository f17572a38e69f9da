import { bytesToBigInt } from '#primitives/bytes.ts'
import { type Address, bytesToHex, type Hash, type Hex, toWord } from '#primitives/hex.ts'
import type { RpcStorageTrace } from '#rpc-types/execution-trace.ts'
import { OP, usesSlot } from '../../evm/opcodes.ts'
import { stackMemory, stackWord } from '../../evm/trace-step.ts'
import type { TraceStart, TraceStep, TransactionTracer } from '../../evm/tracer.ts'
import type { StateReader } from '../../state/state-reader.ts'
import type { ResultTracer } from './result-tracer.ts'
import type { TraceBudget } from './trace-budget.ts'

/** Most uses of slots in one answer. */
const MAX_USES = 1 << 17
/** Most inputs of hashes in one answer, and their shortest and longest, in bytes: a key with a slot behind it. */
const MAX_HASHED = 1 << 14
const HASHED_BYTES = { least: 33, most: 1_024 }
/** Characters of a use, and of a slot before the execution. */
const USE_CHARACTERS = 128
const SLOT_CHARACTERS = 140

/** Slots by account. */
export type SlotsByAccount = readonly (readonly [address: Address, slots: readonly Hash[]])[]

/**
 * Records the slots that an execution uses, for `devnet_traceStorage`.
 *
 * @param asked - More slots whose value before the execution is told.
 */
export function createStorageTracer(asked: SlotsByAccount, budget: TraceBudget): ResultTracer<RpcStorageTrace> {
  return new StorageTracer(asked, budget)
}

class StorageTracer implements TransactionTracer, ResultTracer<RpcStorageTrace> {
  readonly withoutReturnData = true
  readonly #asked: SlotsByAccount
  readonly #budget: TraceBudget
  readonly #uses: string[] = []
  readonly #transient: string[] = []
  readonly #hashed = new Set<Hex>()
  readonly #before = new Map<Address, Map<Hash, Hash>>()
  #state: StateReader | undefined
  #isCut = false
  #isHash = false

  constructor(asked: SlotsByAccount, budget: TraceBudget) {
    this.#asked = asked
    this.#budget = budget
  }

  begin({ state }: TraceStart): void {
    this.#state = state
    for (const [address, slots] of this.#asked) for (const slot of slots) this.#keepBefore(address, slot)
  }

  /** Asked right before each step: only what is hashed is read from memory. */
  readonly needsStep = (opcode: number): boolean => {
    this.#isHash = opcode === OP.KECCAK256
    return usesSlot(opcode) || opcode === OP.TSTORE || (this.#isHash && this.#hashed.size < MAX_HASHED)
  }

  get withoutMemory(): boolean {
    return !this.#isHash
  }

  step(step: TraceStep): void {
    if (step.opcode === OP.KECCAK256) this.#keepHashed(step)
    else if (step.opcode === OP.TSTORE) this.#keepTransient(step)
    else if (usesSlot(step.opcode)) this.#keepUse(step)
  }

  #keepHashed(step: TraceStep): void {
    if (step.fails || this.#hashed.size >= MAX_HASHED) return
    const length = stackWord(step, 1)
    if (length < HASHED_BYTES.least || length > HASHED_BYTES.most) return
    const input = bytesToHex(stackMemory(step, 0))
    if (this.#hashed.has(input)) return
    this.#budget.spend(input.length)
    this.#hashed.add(input)
  }

  /** A step that fails is counted, too, so that uses and steps belong together; nobody sees what it does. */
  #keepUse(step: TraceStep): void {
    if (this.#uses.length === MAX_USES) {
      this.#isCut = true
      return
    }
    this.#budget.spend(USE_CHARACTERS)
    const { opcode, loaded, stack, address } = step
    const slot = toWord(stack.at(-1) ?? 0n)
    this.#keepBefore(address, slot)
    const value = opcode === OP.SLOAD ? (loaded ?? 0n) : (stack.at(-2) ?? 0n)
    this.#uses.push(slot.slice(2) + toWord(value).slice(2))
  }

  /** Transient storage is empty before the execution, so the writes tell everything. */
  #keepTransient({ stack }: TraceStep): void {
    if (this.#transient.length === MAX_USES) {
      this.#isCut = true
      return
    }
    this.#budget.spend(USE_CHARACTERS)
    this.#transient.push(toWord(stack.at(-1) ?? 0n).slice(2) + toWord(stack.at(-2) ?? 0n).slice(2))
  }

  /** Before the first write to it, the state has the value that it had before the execution. */
  #keepBefore(address: Address, slot: Hash): void {
    const slots = this.#before.get(address) ?? new Map<Hash, Hash>()
    this.#before.set(address, slots)
    if (slots.has(slot) || !this.#state) return
    this.#budget.spend(SLOT_CHARACTERS)
    slots.set(slot, toWord(bytesToBigInt(this.#state.storage(address, slot))))
  }

  result(): RpcStorageTrace {
    return {
      uses: `0x${this.#uses.join('')}`,
      ...(this.#transient.length > 0 && { transient: `0x${this.#transient.join('')}` as const }),
      isCut: this.#isCut,
      before: Object.fromEntries([...this.#before].map(([address, slots]) => [address, Object.fromEntries(slots)])),
      hashed: [...this.#hashed],
    }
  }
}
