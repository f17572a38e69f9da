import { create } from 'zustand'
import type { Hash, Hex } from '#primitives/hex.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'

/** A transaction that another one took the place of, as the page last saw it waiting. */
export interface ReplacedTransaction {
  readonly tx: RpcTransaction
  /** The signed bytes, if the page has them. */
  readonly raw: Hex | undefined
  /** What the node recorded of it, which ends with the replacement. */
  readonly events: readonly TimelineEvent[]
}

/** How many are kept; the oldest are forgotten first. */
export const MAX_REPLACED = 30
/** Longest stored one, in characters: call data of a few kilobytes, twice. Of longer ones nothing is stored. */
const MAX_CHARACTERS = 20_000

type Replaced = ReadonlyMap<Hash, ReplacedTransaction>

/** The replaced transactions that the page saw, by their hashes, the oldest first. No node keeps them. */
export const useReplacedTransactions = create<Replaced>()(() => new Map())

/** Hash of the transaction that took the place of this one. */
export function replacementIn(events: readonly TimelineEvent[]): Hash | undefined {
  const last = events.at(-1)
  return last?.kind === 'replaced' ? last.by : undefined
}

export function rememberReplaced(all: readonly ReplacedTransaction[]): void {
  const known = new Map(useReplacedTransactions.getState())
  for (const one of all) {
    known.delete(one.tx.hash)
    known.set(one.tx.hash, one)
  }
  useReplacedTransactions.setState(new Map([...known].slice(-MAX_REPLACED)), true)
}

/** Forgets all of them, for a new chain. */
export function forgetReplaced(): void {
  useReplacedTransactions.setState(new Map(), true)
}

/** The transaction that another one replaced, if the page saw it. */
export function replacedBy(replaced: Replaced, hash: Hash): Hash | undefined {
  for (const { tx, events } of replaced.values()) if (replacementIn(events) === hash) return tx.hash
  return undefined
}

/** The replaced transactions that are short enough to be stored. */
export function storableReplaced(): readonly ReplacedTransaction[] {
  return [...useReplacedTransactions.getState().values()].filter((one) => JSON.stringify(one).length <= MAX_CHARACTERS)
}
