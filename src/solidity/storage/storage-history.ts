import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { partitionPoint } from '#primitives/partition-point.ts'
import { type RpcStorageTrace, storageAddress } from '#rpc-types/execution-trace.ts'
import { type FrameCode, opcodeAt } from '#solidity/stack/traced-code.ts'
import { sweepSteps } from '#solidity/steps/sweep.ts'
import { type ParsedTrace, TraceError } from '#solidity/trace/parsed-trace.ts'

const SLOAD = 0x54
const SSTORE = 0x55
const TSTORE = 0x5d
/** Characters of one use: a slot and a value. */
const USE_CHARACTERS = 128
const WORD_CHARACTERS = 64

/** The storage of an account in the course of an execution. */
export interface AccountHistory {
  /** Slots with known values: those that the execution uses, and those that were asked for. */
  readonly slots: readonly Hash[]
  /** The value before a step; `undefined` if unknown. */
  readonly valueAt: (slot: Hash, step: number) => Hash | undefined
}

/** The storage of all accounts in the course of an execution. */
export interface StorageHistory {
  readonly of: (account: Address) => AccountHistory
  /** The account's transient storage, all of which is 0 before the execution. */
  readonly transientOf: (account: Address) => AccountHistory
  /** The last step at which it is known: later uses were cut off. */
  readonly lastKnown: number
}

/** The values of a slot, with the steps from which they hold, in ascending order. */
interface Writes {
  readonly steps: number[]
  readonly values: (Hash | undefined)[]
}

/**
 * Reconstructs storage at each step. What a frame wrote is undone where it fails.
 *
 * @param storage - The answer of `devnet_traceStorage` for the same execution.
 * @throws {TraceError} If it does not match the trace.
 */
export function storageHistory(
  parsed: ParsedTrace,
  codeOf: (frame: number) => FrameCode | undefined,
  { uses, transient, isCut, before }: RpcStorageTrace,
): StorageHistory {
  const { frames, steps } = parsed.trace
  const stored = new WrittenSlots((account, slot) => own(own(before, account), slot))
  const passing = new WrittenSlots(() => ZERO)
  /** What each write replaced, for frames that have not failed. */
  const replaced: Replaced[] = []
  /** Frames that have not ended, each with the length of `replaced` when it began. */
  const open: { readonly frame: number; readonly mark: number }[] = []
  const told = { uses: new Uses(uses), transient: new Uses(transient ?? '0x') }
  let lastKnown = steps
  let lastTransient = steps

  function closeUpTo(frame: number | null): void {
    for (let top = open.at(-1); top && top.frame !== frame; top = open.at(-1)) {
      open.pop()
      const { error = null, endStep = 0 } = frames[top.frame] ?? {}
      if (error === null) continue
      while (replaced.length > top.mark) {
        const { into, account, slot, value } = replaced.pop() as Replaced
        into.write(account, slot, value, endStep)
      }
    }
  }
  sweepSteps(parsed, {
    enter(frame) {
      closeUpTo(frames[frame]?.parent ?? null)
      open.push({ frame, mark: replaced.length })
    },
    step(frame, step, pc) {
      closeUpTo(frame)
      const code = codeOf(frame)
      const op = code && opcodeAt(code, pc)
      const made = frames[frame]
      if (!made || (op !== SLOAD && op !== SSTORE && op !== TSTORE)) return
      if (op === TSTORE && transient === undefined) {
        lastTransient = Math.min(lastTransient, step)
        return
      }
      const use = told[op === TSTORE ? 'transient' : 'uses'].next()
      if (!use) {
        if (!isCut) throw new TraceError('the storage trace has fewer uses than the execution')
        lastKnown = Math.min(lastKnown, step)
        return
      }
      if (op === SLOAD) return
      const into = op === TSTORE ? passing : stored
      const account = storageAddress(made)
      replaced.push({ into, account, slot: use.slot, value: into.write(account, use.slot, use.value, step + 1) })
    },
  })
  if (told.uses.isLeft || told.transient.isLeft) {
    throw new TraceError('the storage trace has more uses than the execution')
  }
  return {
    lastKnown,
    of: (account) => ({
      slots: Object.keys(own(before, account) ?? {}) as Hash[],
      valueAt: (slot, step) => stored.valueAt(account, slot, step),
    }),
    transientOf: (account) => ({
      slots: passing.slotsOf(account),
      // An older node does not tell what is written.
      valueAt: (slot, step) => (step > lastTransient ? undefined : passing.valueAt(account, slot, step)),
    }),
  }
}

const ZERO: Hash = `0x${'0'.repeat(WORD_CHARACTERS)}`

/** A write that may have to be undone. */
interface Replaced {
  readonly into: WrittenSlots
  readonly account: Address
  readonly slot: Hash
  readonly value: Hash | undefined
}

/** Uses of slots, read one after the other. */
class Uses {
  readonly #words: Hex
  #at = 2

  constructor(words: Hex) {
    this.#words = words
  }

  get isLeft(): boolean {
    return this.#at < this.#words.length
  }

  next(): { readonly slot: Hash; readonly value: Hash } | undefined {
    const at = this.#at
    if (at + USE_CHARACTERS > this.#words.length) return undefined
    this.#at += USE_CHARACTERS
    const middle = at + WORD_CHARACTERS
    return {
      slot: `0x${this.#words.slice(at, middle)}`,
      value: `0x${this.#words.slice(middle, at + USE_CHARACTERS)}`,
    }
  }
}

/** The values that an execution writes into the slots of accounts. */
class WrittenSlots {
  readonly #before: (account: Address, slot: Hash) => Hash | undefined
  readonly #written = new Map<Address, Map<Hash, Writes>>()

  constructor(before: (account: Address, slot: Hash) => Hash | undefined) {
    this.#before = before
  }

  /** @param from - The first step that sees it. @returns What it replaces. */
  write(account: Address, slot: Hash, value: Hash | undefined, from: number): Hash | undefined {
    const slots = this.#written.get(account) ?? new Map<Hash, Writes>()
    const writes = slots.get(slot) ?? { steps: [], values: [] }
    const old = writes.values.length > 0 ? writes.values.at(-1) : this.#before(account, slot)
    this.#written.set(account, slots.set(slot, writes))
    writes.steps.push(from)
    writes.values.push(value)
    return old
  }

  slotsOf(account: Address): Hash[] {
    return [...(this.#written.get(account)?.keys() ?? [])]
  }

  valueAt(account: Address, slot: Hash, step: number): Hash | undefined {
    const writes = this.#written.get(account)?.get(slot)
    const index = writes ? partitionPoint(writes.steps, (from) => from <= step) - 1 : -1
    return writes && index >= 0 ? writes.values[index] : this.#before(account, slot)
  }
}

/** A record's own property, as the names come from a node. */
function own<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined
}
