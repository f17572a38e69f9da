import type { Address, Hash, Hex } from '#primitives/hex.ts'

/** A transaction's progress. `replaced` and `dropped` are final, without a block. */
export type FeedStatus = 'mempool' | 'preconfirmed' | 'sealed' | 'replaced' | 'dropped'

export interface FeedTransaction {
  readonly hash: Hash
  readonly from: Address
  readonly to: Address | null
  readonly nonce: number
  /** Wei. */
  readonly value: bigint
  readonly input: Hex
  readonly status: FeedStatus
  /** Known once executed. */
  readonly outcome: 'success' | 'reverted' | undefined
  readonly blockNumber: number | undefined
  /** Index of the partial block that added it; unknown if the page did not see that. */
  readonly partialIndex: number | undefined
}

/** A transaction as shown in its block. */
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
  /** Number of transactions it added. */
  readonly added: number
  readonly reverted: number
  /** Milliseconds the node needed for its executions and roots. */
  readonly tookMs: number
  readonly hash: Hash
  /** Hash of the pending block before it; `undefined` for the first of its block. */
  readonly replacedHash: Hash | undefined
}

/** A partial block that was withdrawn. */
export interface WithdrawnPartial {
  readonly index: number
  /** Number of its transactions. */
  readonly count: number
}

export interface FeedLiveBlock {
  readonly number: number
  /** Hash of the header so far; changes with every index that adds transactions. */
  readonly hash: Hash
  readonly payloadId: Hex
  /** Bloom filter of its logs so far; `undefined` if that of the chain may lack some. */
  readonly logsBloom: Hex | undefined
  /** Index of the newest partial block. */
  readonly index: number
  readonly slots: readonly PartialSlot[]
  readonly transactionCount: number
  /** Whether the page saw every partial block of this block, so that each transaction's index is known. */
  readonly complete: boolean
  /** The newest partial block that added transactions, if this page saw it. */
  readonly change: PartialChange | undefined
  /** Withdrawn partial blocks whose index has not been cut again. */
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
  /** Number of transactions added by each partial block; `undefined` if the page did not see them all. */
  readonly partials: readonly number[] | undefined
  /** Contents of the newest blocks, by partial block; all at index 0 if the page did not see them arrive. */
  readonly slots: readonly PartialSlot[] | undefined
}

/** The chain as this page saw it: bounded rings, not a copy of the chain. */
export interface FeedState {
  readonly live: FeedLiveBlock | undefined
  /** Newest first. */
  readonly sealed: readonly SealedSummary[]
  /** Number of reorgs so far: after one, a block number may refer to another block. */
  readonly reorgs: number
  /** Oldest first. */
  readonly transactions: ReadonlyMap<Hash, FeedTransaction>
}

export const SEALED_CAPACITY = 64
/** How many sealed blocks keep their contents for drawing. */
export const DRAWN_CAPACITY = 8
export const TRANSACTION_CAPACITY = 1_000

export const EMPTY_FEED: FeedState = { live: undefined, sealed: [], reorgs: 0, transactions: new Map() }
