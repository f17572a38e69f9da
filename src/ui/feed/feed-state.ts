import type { Address, Hash, Hex } from '#primitives/hex.ts'

/** How far a transaction has come. `replaced` and `dropped` are ends without a block. */
export type Stage = 'mempool' | 'preconfirmed' | 'sealed' | 'replaced' | 'dropped'

export interface FeedTransaction {
  readonly hash: Hash
  readonly from: Address
  readonly to: Address | null
  readonly nonce: Hex
  /** Wei. */
  readonly value: bigint
  readonly input: Hex
  readonly stage: Stage
  /** Known once executed. */
  readonly outcome: 'success' | 'reverted' | undefined
  readonly blockNumber: number | undefined
  /** Partial block that first carried it; unknown if that was before this page listened. */
  readonly partialIndex: number | undefined
}

/** What one partial block brought. */
export interface PartialSlot {
  readonly index: number
  readonly transactions: readonly { readonly hash: Hash; readonly reverted: boolean }[]
}

export interface LiveBlock {
  readonly number: number
  /** Hash of the header so far: another one at every index that brings transactions. */
  readonly hash: Hash
  readonly payloadId: Hex
  /** Newest partial block. */
  readonly index: number
  readonly slots: readonly PartialSlot[]
  readonly transactionCount: number
  /** Whether every partial block of this block was seen, so that each transaction's index is known. */
  readonly complete: boolean
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  /** Wei per gas. */
  readonly baseFeePerGas: bigint
  /** Milliseconds since the Unix epoch at which the newest partial block reached this page. */
  readonly arrivedAtMs: number
}

export interface SealedSummary {
  readonly number: number
  readonly hash: Hash
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  readonly transactionCount: number | undefined
  readonly revertedCount: number
  /** Transactions new at each partial block; `undefined` if this page did not see them all. */
  readonly partials: readonly number[] | undefined
}

/** The stream of the chain as this page saw it; rings, not a copy of the chain. */
export interface FeedState {
  readonly live: LiveBlock | undefined
  /** Newest first. */
  readonly sealed: readonly SealedSummary[]
  /** How often sealed blocks were taken back: a number means another block from then on. */
  readonly reorgs: number
  /** Oldest first. */
  readonly transactions: ReadonlyMap<Hash, FeedTransaction>
}

export const SEALED_CAPACITY = 64
export const TRANSACTION_CAPACITY = 1_000

export const EMPTY_FEED: FeedState = { live: undefined, sealed: [], reorgs: 0, transactions: new Map() }
