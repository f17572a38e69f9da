import type { Hex } from '#primitives/hex.ts'
import type { IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import type { MempoolEvents } from '../txpool/mempool.ts'
import type { SavedProduction } from './production-state.ts'

/** The chain's events, in the order in which they happen. At a seal `seal` follows the last `partial` of its block. */
export interface ChainEvents extends MempoolEvents, Record<string, unknown> {
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
  /** Sealed blocks were taken back, newest first; `head` is sealed now. */
  reorg: { readonly removed: readonly SealedBlock[]; readonly head: SealedBlock }
  /** The chain was remembered as it is. */
  snapshot: { readonly id: Hex; readonly saved: SavedProduction }
  /** A snapshot is gone. */
  snapshotUsed: { readonly id: Hex }
}
