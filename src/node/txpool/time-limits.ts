import type { Address } from '#primitives/hex.ts'
import type { Transaction } from '../tx/transaction.ts'

/**
 * Limits how long the transactions of some senders may run, in milliseconds of execution. Gas does not: some
 * precompiles take a hundred times as long for their gas as other code.
 */
export interface TimeLimits {
  /**
   * An earlier run of the node left transactions in the pool. Comes once, before anything is executed.
   *
   * @param senders - Theirs, without the node's own accounts.
   */
  load(senders: Iterable<Address>): void
  /** Senders with a lower rank come first, whatever they pay; 0 for a sender without a limit. */
  rankOf(sender: Address): number
  /** How long a transaction may run now; `Infinity` without a limit, 0 if it has to wait. */
  limitMs(tx: Transaction): number
  /**
   * A transaction with a limit has run, to its end or, on a fork, until it lacked something of the forked chain.
   *
   * @param isStopped - Whether it was stopped at its limit. It has changed nothing then, and waits.
   */
  ran(tx: Transaction, ms: number, isStopped: boolean): void
  /** Senders whose waiting transactions have to leave the pool, each with the reason. Each is told once. */
  takeUnwanted(): Iterable<readonly [sender: Address, reason: string]>
}
