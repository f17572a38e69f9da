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
   * Takes a step, and again each time that what transactions waited for is there or could not be had, until none waits.
   * Gives up after a minute.
   *
   * @param isOver - Whether no further step is wanted.
   * @param sender - Only its transactions count; by default all.
   */
  repeat(step: () => Promise<void>, isOver: () => boolean, sender?: Address): Promise<void>
  /**
   * Fetches what a block's system calls touch.
   *
   * @param timestamp - Seconds.
   * @returns What to log where that cannot be had; the block then goes without them.
   */
  prepareBlock(number: number, timestamp: number): Promise<readonly string[] | undefined>
}
