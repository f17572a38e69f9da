import type { Address, Hash, Hex } from '#primitives/hex.ts'

export type ClockMode = 'auto' | 'manual'

/** A transaction's history; each `atMs` is milliseconds since the Unix epoch (with fractions), measured in the node. */
export interface TransactionTimeline {
  readonly hash: Hash
  readonly events: readonly TimelineEvent[]
}

export type TimelineEvent =
  | { readonly kind: 'received'; readonly atMs: number }
  | {
      readonly kind: 'preconfirmed'
      readonly atMs: number
      readonly blockNumber: Hex
      /** Partial block index that first carried it. */
      readonly index: number
      readonly status: 'success' | 'reverted'
    }
  | { readonly kind: 'sealed'; readonly atMs: number; readonly blockNumber: Hex; readonly blockHash: Hash }
  /** Its partial block, or its sealed block, was taken back: it waits in the mempool again, or is lost. */
  | { readonly kind: 'withdrawn'; readonly atMs: number; readonly requeued: boolean }
  | { readonly kind: 'dropped'; readonly atMs: number; readonly reason: string }
  | { readonly kind: 'replaced'; readonly atMs: number; readonly by: Hash }

/** Result of `devnet_status`: the chain's settings and where it stands. */
export interface DevnetStatus {
  readonly clientVersion: string
  readonly chainId: Hex
  readonly seed: number
  readonly mode: ClockMode
  readonly paused: boolean
  /** Chain time over real time; 1 is real time. */
  readonly speed: number
  readonly partialMs: number
  readonly partialsPerBlock: number
  /** The chain's present time, in milliseconds since the Unix epoch. */
  readonly chainTimeMs: number
  readonly head: { readonly number: Hex; readonly hash: Hash }
  readonly live: {
    readonly number: Hex
    readonly index: number
    /** Chain time at which the block is due to be sealed, in milliseconds. */
    readonly sealsAtMs: number
    /** Chain time of the next tick, in milliseconds. */
    readonly nextTickAtMs: number
    readonly transactionCount: number
    readonly gasUsed: Hex
    readonly gasLimit: Hex
  }
  readonly pool: { readonly pending: number; readonly queued: number }
  /** The public development accounts, funded at genesis. */
  readonly accounts: readonly Address[]
}
