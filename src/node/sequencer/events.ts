import type { Hex } from '#primitives/hex.ts'
import type { IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import type { MempoolEvents } from '../txpool/mempool.ts'
import type { SavedProduction } from './production-state.ts'

/** The chain's events, in the order in which they happen. At a seal, `seal` follows the block's last `partial`. */
export interface ChainEvents extends MempoolEvents, Record<string, unknown> {
  /** A partial block was cut and is now `pending`. */
  partial: { readonly partial: PartialBlock }
  /**
   * A block was sealed and is now `latest`. A `restored` block was sealed before and taken back; no `partial` precedes
   * its `seal`.
   */
  seal: { readonly block: SealedBlock; readonly restored?: true }
  /**
   * Transactions of the live block are no longer pre-confirmed; `block` is the block that still had them. Comes before
   * the `reorg` and `withdrawn` of the same operation.
   */
  unconfirmed: { readonly block: PartialBlock; readonly transactions: readonly IncludedTransaction[] }
  /** Sealed blocks were taken back, newest first; `head` is the new head. */
  reorg: { readonly removed: readonly SealedBlock[]; readonly head: SealedBlock }
  /** A snapshot was taken. */
  snapshot: { readonly id: Hex; readonly saved: SavedProduction }
  /** A snapshot was used up or forgotten. */
  snapshotUsed: { readonly id: Hex }
}
