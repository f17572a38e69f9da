import type { Address, Hash, Quantity } from '#primitives/hex.ts'
import type { JsonRpcErrorObject } from './envelope.ts'
import type { ClockMode, NodeOptions } from './node-options.ts'

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
      readonly blockNumber: Quantity
      /** Partial block index that first carried it. */
      readonly index: number
      readonly status: 'success' | 'reverted'
    }
  | { readonly kind: 'sealed'; readonly atMs: number; readonly blockNumber: Quantity; readonly blockHash: Hash }
  /** Its partial block, or its sealed block, was withdrawn: it waits in the mempool again, or is lost. */
  | { readonly kind: 'withdrawn'; readonly atMs: number; readonly requeued: boolean }
  | { readonly kind: 'dropped'; readonly atMs: number; readonly reason: string }
  | { readonly kind: 'replaced'; readonly atMs: number; readonly by: Hash }

/** The faults that are in force. */
export interface DevnetFaults {
  /** Ticks that will still pre-confirm nothing. */
  readonly stalledTicks: number
  /** Delay of the pending block's seal, in milliseconds of chain time. */
  readonly sealDelayMs: number
  /** Oldest first; `times` is the number of calls that are left. */
  readonly failNext: readonly PlannedFailure[]
  /** Chains of an older build leave it out. */
  readonly withdrawal?: {
    /** Fate of the transactions of the next partial block that holds any; `null` if no withdrawal is planned. */
    readonly planned: WithdrawnFate | null
    /** The newest withdrawal by `devnet_withdrawNext`, with at most ten hashes; `count` is how many there were. */
    readonly latest: (Withdrawal & { readonly count: number }) | null
  }
}

/** Partial blocks that `devnet_withdrawNext` withdrew. */
export interface Withdrawal {
  /** 1 for the node's first withdrawal, 2 for its second. */
  readonly id: number
  /** Of the block that they were in. */
  readonly number: Quantity
  /** Index of the oldest one. */
  readonly first: number
  /** Index of the newest one. */
  readonly last: number
  readonly fate: WithdrawnFate
  /** Their transactions, oldest first. */
  readonly withdrawn: readonly Hash[]
}

/** Calls that are to fail or to be answered late. */
export interface PlannedFailure {
  /** Names as callers write them. */
  readonly methods: readonly string[]
  /** The error that the caller gets; without it the method runs, after `delayMs`. */
  readonly error?: JsonRpcErrorObject
  /** Milliseconds of real time, at most ten minutes. */
  readonly delayMs?: number
  /** Number of calls, of all these methods together; default 1. 0 cancels what was planned for these methods. */
  readonly times?: number
}

/** Fate of transactions whose block or partial block is withdrawn: back to the mempool, or lost. */
export type WithdrawnFate = 'requeue' | 'lose'

/** Result of `devnet_status`: the chain's settings and where it stands. */
export interface DevnetStatus {
  readonly clientVersion: string
  readonly chainId: Quantity
  readonly seed: number
  readonly mode: ClockMode
  /**
   * The options in force that differ from their defaults and change the blocks: the clock's mode and the numbers, without
   * the accounts. The chain of an older build leaves them out.
   */
  readonly options?: NodeOptions
  /** Whether no tick comes by the clock. */
  readonly paused: boolean
  /** Whether each transaction is sealed at once, in a block of its own; older nodes do not say. */
  readonly automine?: boolean
  /** Chain time over real time; 1 is real time. */
  readonly speed: number
  /** Of the pending block, as is the next. */
  readonly partialMs: number
  readonly partialsPerBlock: number
  /** The chain's present time, in milliseconds since the Unix epoch. */
  readonly chainTimeMs: number
  readonly head: { readonly number: Quantity; readonly hash: Hash }
  readonly live: {
    readonly number: Quantity
    readonly index: number
    /** Chain time at which the block is due to be sealed, in milliseconds. */
    readonly sealsAtMs: number
    /** Chain time of the next tick, in milliseconds. */
    readonly nextTickAtMs: number
    readonly transactionCount: number
    /** Number of them that each partial block brought, from index 0 to the newest. */
    readonly transactionsByPartial: readonly number[]
    readonly gasUsed: Quantity
    readonly gasLimit: Quantity
  }
  readonly pool: { readonly pending: number; readonly queued: number }
  /** Whether the chain is a film: read-only, at the moment that `devnet_showMoment` chose. Left out if it is none. */
  readonly film?: true
  readonly faults: DevnetFaults
  /** The development accounts, funded at genesis. */
  readonly accounts: readonly Address[]
}

/** How far the import of a chain file is. */
export interface DevnetImport {
  /** Blocks are checked, then states, then partial blocks are executed; the last two happen twice. */
  readonly step: 'blocks' | 'states' | 'partial-blocks'
  readonly done: number
  readonly total: number
}

/** Result of `devnet_getStorage`: where the chain is kept, and how much room it takes. */
export interface DevnetStorage {
  /** `memory`: the chain ends with the node. */
  readonly kind: 'memory' | 'journal'
  /** Why the last write failed; until one succeeds, nothing that changes the chain is acknowledged. */
  readonly failure: { readonly code: string; readonly message: string } | null
  /** `null` in memory, and where the host does not say. */
  readonly usedBytes: number | null
  /** Bytes that the host grants; `null` if it sets no limit. */
  readonly quotaBytes: number | null
  /** Sealed blocks that can be read, block 0 included. */
  readonly blocks: number
  /** The newest blocks whose states are kept. */
  readonly statesKept: number
  /** Whether `devnet_importChain` and `devnet_startChain` work here. */
  readonly canImport: boolean
  /** While `devnet_importChain` checks a file. */
  readonly importing?: DevnetImport
}

/** Result of `devnet_getMoments`: the moments of a film, one for each partial block. They are counted from 0. */
export interface FilmMoments {
  /** How many there are; the last one is that at which the file was written. */
  readonly count: number
  /** The one that is shown. */
  readonly shown: number
  /** In order; together they have `count` partial blocks, at most 100 each. */
  readonly runs: readonly FilmRun[]
  /** Number of sealed blocks before the first moment that cannot be shown as pending: their states are not in the file. */
  readonly hiddenBlocks: number
}

/** Partial blocks of one block that follow each other. */
export interface FilmRun {
  readonly number: Quantity
  /** Index of the first one. */
  readonly first: number
  /** Number of transactions that each of them added. Those after the last one, up to the seal, added nothing. */
  readonly transactions: readonly number[]
  /**
   * Index of the first one of these whose transactions were taken back after the last one; left out if none were. The
   * next run of this block begins without them.
   */
  readonly takenFrom?: number
}

/** Result of `devnet_showMoment`. */
export interface ShownMoment {
  readonly moment: number
  /** Of the pending block. */
  readonly number: Quantity
  readonly index: number
}
