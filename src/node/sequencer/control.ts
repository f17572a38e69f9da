import type { Hash } from '#primitives/hex.ts'
import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import type { Timing } from './schedule.ts'

/** The chain's time, and everything that delays it. */
export interface ChainTimeStatus {
  /** Whether the clock's ticks are off: paused by hand, or automine is on. */
  readonly paused: boolean
  readonly speed: number
  /** Timing of the live block. */
  readonly timing: Timing
  /** Timing of every later block. */
  readonly nextTiming: Timing
  /** Milliseconds since the Unix epoch. */
  readonly chainTimeMs: number
  readonly sealsAtMs: number
  readonly nextTickAtMs: number
  /** How many of the coming ticks pre-confirm nothing. */
  readonly stalledTicks: number
  /**
   * A withdrawal that is planned for the next partial block with transactions, and their fate; `undefined` if none is
   * planned.
   */
  readonly plannedWithdrawal: WithdrawnFate | undefined
  /** The newest withdrawal by `withdrawNext` since the node started. */
  readonly latestWithdrawal: MadeWithdrawal | undefined
  /** By how much the seal of the live block is delayed. */
  readonly sealDelayMs: number
  /** Whether blocks may have their parent's timestamp. */
  readonly sharesSeconds: boolean
  /** Seconds between the timestamps of any two blocks in a row, if fixed. */
  readonly timestampIntervalSeconds: number | undefined
  /** Milliseconds of chain time that were skipped by time travel. */
  readonly travelledMs: number
}

/**
 * The outcome of mining a transaction at once. `waits`: there is a nonce gap before it, or its fee cap is below the
 * base fee.
 */
export type MiningOutcome = { readonly kind: 'mined' | 'waits' } | { readonly kind: 'dropped'; readonly reason: string }

/** Partial blocks of the live block that were withdrawn by `Sequencer.withdrawNext`. */
export interface MadeWithdrawal {
  /** 1 for the node's first withdrawal. */
  readonly id: number
  /** Number of the block. */
  readonly number: number
  /** Index of the oldest partial block. */
  readonly first: number
  /** Index of the newest one. */
  readonly last: number
  readonly fate: WithdrawnFate
  /** Hashes of the transactions in them, oldest first. */
  readonly withdrawn: readonly Hash[]
}
