import type { Hash, Hex } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'

/** How many transactions are kept; the oldest are dropped first. */
const CAPACITY = 500

/** A waiting transaction as the node had it. */
export interface KeptTransaction {
  readonly tx: RpcTransaction
  /** The signed bytes, if the page asked for them in time. */
  readonly raw: Hex | undefined
}

const seen = new Map<Hash, KeptTransaction>()

/** Keeps a waiting transaction: once it is replaced or dropped, the node no longer has it. */
export function keepSeen(tx: RpcTransaction, raw?: Hex): void {
  const before = seen.get(tx.hash)
  seen.delete(tx.hash)
  seen.set(tx.hash, { tx, raw: raw ?? before?.raw })
  for (const hash of seen.keys()) {
    if (seen.size <= CAPACITY) return
    seen.delete(hash)
  }
}

/** A transaction as this page last saw it waiting. */
export function seenTransaction(hash: Hash): KeptTransaction | undefined {
  return seen.get(hash)
}

/** Forgets all of them, for a new chain. */
export function forgetSeen(): void {
  seen.clear()
}
