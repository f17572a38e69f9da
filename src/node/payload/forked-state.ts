import type { Address } from '#primitives/hex.ts'
import type { MissingState } from '../state/missing-state.ts'
import type { Transaction } from '../tx/transaction.ts'

/** The state of a forked chain, as far as the making of blocks has to know of it. */
export interface ForkedState {
  /** Whether what a transaction touches is still being fetched: it then waits for a later partial block. */
  isWaiting(tx: Transaction): boolean
  /** Fetches what a transaction lacked in a block; it is waiting from here on. */
  wait(tx: Transaction, missing: MissingState): void
  /**
   * Resolves once what transactions wait for now is there, or could not be had.
   *
   * @param sender - Only its transactions; by default all.
   * @returns `undefined` if nothing is being fetched for them.
   */
  whenFetched(sender?: Address): Promise<void> | undefined
  /**
   * Fetches what a block's system calls touch.
   *
   * @param timestamp - Seconds.
   * @returns What to log where that cannot be had; the block then goes without them.
   */
  prepareBlock(number: number, timestamp: number): Promise<readonly string[] | undefined>
}
