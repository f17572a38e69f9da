import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { ConsoleCalls } from '../evm/console-calls.ts'
import type { IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import type { MempoolEvents } from '../txpool/mempool.ts'
import type { SavedProduction } from './production-state.ts'

/** An execution has called the console. */
export interface ConsoleEvent {
  readonly calls: ConsoleCalls
  /** `null` for a call. */
  readonly transactionHash: Hash | null
  /** Method of a call; `null` for a transaction. */
  readonly method: 'eth_call' | 'eth_estimateGas' | null
  readonly from: Address
  readonly to: Address | null
  readonly blockNumber: number
  /** Why it failed; `null` if it succeeded. */
  readonly error: string | null
}

/** The chain's events, in the order in which they happen. At a seal, `seal` follows the block's last `partial`. */
export interface ChainEvents extends MempoolEvents, Record<string, unknown> {
  /** A partial block was cut and is now `pending`. */
  partial: { readonly partial: PartialBlock }
  /** After the `partial` with a transaction that called the console, and after each call that failed and had called it. */
  console: ConsoleEvent
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
