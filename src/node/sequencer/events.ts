import type { Hex } from '#primitives/hex.ts'
import type { IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { SavedProduction } from './production-state.ts'

/** The chain's events, in the order in which they happen. At a seal `seal` follows the last `partial` of its block. */
export interface ChainEvents extends Record<string, unknown> {
  /** A transaction was accepted into the pool. */
  accepted: { readonly tx: Transaction; readonly replaced: Transaction | undefined }
  /** A partial block was cut and is what `pending` now answers. */
  partial: { readonly partial: PartialBlock }
  /**
   * A block was sealed and is what `latest` now answers. One that is `restored` was sealed before, and taken back: no
   * `partial` precedes it.
   */
  seal: { readonly block: SealedBlock; readonly restored?: true }
  /**
   * Transactions of the live block are no longer pre-confirmed; `block` is what it was with them. Told before the `reorg`
   * and the `withdrawn` of the same operation.
   */
  unconfirmed: { readonly block: PartialBlock; readonly transactions: readonly IncludedTransaction[] }
  /** Transactions are no longer pre-confirmed or sealed; what they were in is gone when this is told. */
  withdrawn: { readonly transactions: readonly Transaction[]; readonly fate: 'requeue' | 'lose' }
  /** Sealed blocks were taken back, newest first; `head` is sealed now. */
  reorg: { readonly removed: readonly SealedBlock[]; readonly head: SealedBlock }
  /** The chain was remembered as it is. */
  snapshot: { readonly id: Hex; readonly saved: SavedProduction }
  /** A snapshot is gone. */
  snapshotUsed: { readonly id: Hex }
  /** A transaction left the pool without being included. */
  dropped: { readonly tx: Transaction; readonly reason: string }
}
