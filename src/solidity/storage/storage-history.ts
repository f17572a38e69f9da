import type { Address, Hash } from '#primitives/hex.ts'
import { partitionPoint } from '#primitives/partition-point.ts'
import { type RpcStorageTrace, storageAddress } from '#rpc-types/execution-trace.ts'
import { type FrameCode, opcodeAt } from '#solidity/stack/traced-code.ts'
import { sweepSteps } from '#solidity/steps/sweep.ts'
import { type ParsedTrace, TraceError } from '#solidity/trace/parsed-trace.ts'

const SLOAD = 0x54
const SSTORE = 0x55
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
  { uses, isCut, before }: RpcStorageTrace,
): StorageHistory {
  const { frames, steps } = parsed.trace
  const written = new Map<Address, Map<Hash, Writes>>()
  /** What each write replaced, for frames that have not failed. */
  const replaced: { readonly account: Address; readonly slot: Hash; readonly value: Hash | undefined }[] = []
  /** Frames that have not ended, each with the length of `replaced` when it began. */
  const open: { readonly frame: number; readonly mark: number }[] = []
  const count = (uses.length - 2) / USE_CHARACTERS
  let used = 0
  let lastKnown = steps

  function write(account: Address, slot: Hash, value: Hash | undefined, from: number): Hash | undefined {
    const slots = written.get(account) ?? new Map<Hash, Writes>()
    const writes = slots.get(slot) ?? { steps: [], values: [] }
    const old = writes.values.length > 0 ? writes.values.at(-1) : own(own(before, account), slot)
    written.set(account, slots.set(slot, writes))
    writes.steps.push(from)
    writes.values.push(value)
    return old
  }
  function closeUpTo(frame: number | null): void {
    for (let top = open.at(-1); top && top.frame !== frame; top = open.at(-1)) {
      open.pop()
      const { error = null, endStep = 0 } = frames[top.frame] ?? {}
      if (error === null) continue
      while (replaced.length > top.mark) {
        const { account, slot, value } = replaced.pop() as (typeof replaced)[number]
        write(account, slot, value, endStep)
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
      if (!made || (op !== SLOAD && op !== SSTORE)) return
      if (used === count) {
        if (!isCut) throw new TraceError('the storage trace has fewer uses than the execution')
        lastKnown = Math.min(lastKnown, step)
        return
      }
      const at = 2 + USE_CHARACTERS * used++
      if (op === SLOAD) return
      const account = storageAddress(made)
      const slot: Hash = `0x${uses.slice(at, at + WORD_CHARACTERS)}`
      const value: Hash = `0x${uses.slice(at + WORD_CHARACTERS, at + USE_CHARACTERS)}`
      replaced.push({ account, slot, value: write(account, slot, value, step + 1) })
    },
  })
  if (used !== count) throw new TraceError('the storage trace has more uses than the execution')
  return {
    lastKnown,
    of(account) {
      const known = own(before, account) ?? {}
      const slots = written.get(account)
      return {
        slots: Object.keys(known) as Hash[],
        valueAt(slot, step) {
          const writes = slots?.get(slot)
          const index = writes ? partitionPoint(writes.steps, (from) => from <= step) - 1 : -1
          return writes && index >= 0 ? writes.values[index] : own(known, slot)
        },
      }
    },
  }
}

/** A record's own property, as the names come from a node. */
function own<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined
}
