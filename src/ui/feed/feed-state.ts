import type { Address, Hash, Hex } from '#primitives/hex.ts'

/** A transaction's progress. `replaced` and `dropped` are ends without a block. */
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

/** A transaction as its block shows it. */
export interface FeedBlockTransaction extends Pick<FeedTransaction, 'hash' | 'from' | 'to' | 'value'> {
  readonly reverted: boolean
}

/** The transactions that one partial block added. */
export interface PartialSlot {
  readonly index: number
  readonly transactions: readonly FeedBlockTransaction[]
}

/** A partial block that changed the pending block. */
export interface PartialChange {
  readonly index: number
  /** Transactions that it brought. */
  readonly added: number
  readonly reverted: number
  /** Milliseconds that its executions and roots took in the node. */
  readonly tookMs: number
  readonly hash: Hash
  /** Hash of the pending block before it; `undefined` for the first of its block. */
  readonly replacedHash: Hash | undefined
}

/** A partial block that a fault took back. */
export interface WithdrawnPartial {
  readonly index: number
  /** Transactions that it had brought. */
  readonly count: number
}

export interface FeedLiveBlock {
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
  /** The newest partial block that brought transactions, if this page saw it. */
  readonly change: PartialChange | undefined
  /** Transactions withdrawn at each index that has not been cut again. */
  readonly withdrawn: readonly WithdrawnPartial[]
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
  /** Their contents, for the newest blocks; all at index 0 if this page did not see them come. */
  readonly slots: readonly PartialSlot[] | undefined
}

/** The stream of the chain as this page saw it; rings, not a copy of the chain. */
export interface FeedState {
  readonly live: FeedLiveBlock | undefined
  /** Newest first. */
  readonly sealed: readonly SealedSummary[]
  /** Number of reorgs so far: after each, a block number may mean another block. */
  readonly reorgs: number
  /** Oldest first. */
  readonly transactions: ReadonlyMap<Hash, FeedTransaction>
}

export const SEALED_CAPACITY = 64
/** Sealed blocks whose contents are kept to be drawn. */
export const DRAWN_CAPACITY = 8
export const TRANSACTION_CAPACITY = 1_000

export const EMPTY_FEED: FeedState = { live: undefined, sealed: [], reorgs: 0, transactions: new Map() }
