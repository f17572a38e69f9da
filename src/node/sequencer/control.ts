import type { Hash, Hex } from '#primitives/hex.ts'
import type { Caller } from '#rpc-types/connection.ts'
import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import type { PartialBlock, SealedBlock } from '../payload/block.ts'
import type { WorldState } from '../state/world-state.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { NextHeader } from './header-overrides.ts'
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

/** Partial blocks of the live block that were withdrawn by {@link SequencerControl.withdrawNext}. */
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

/**
 * Controls the chain, for people and tests. Operations run one after the other. An operation that needs a new header
 * seals the live block first, unless the block is still empty, so that no pre-confirmed transaction changes.
 */
export interface SequencerControl {
  /**
   * Runs `n` ticks at once, regardless of the clock. Resolves with the live block after the last one.
   *
   * @param caller - If it disconnects, the remaining ticks are skipped.
   */
  tick(n: number, caller?: Caller): Promise<PartialBlock>
  /**
   * Seals `n` blocks, each filled from the pool. Resolves with the last one. Ignores {@link delaySeal}. A long run lets
   * the clock's ticks and other operations in between.
   *
   * @param intervalSeconds - Seconds between the timestamps of the new blocks; chain time advances with them.
   * @param caller - If it disconnects, the remaining blocks are skipped.
   */
  seal(n: number, intervalSeconds?: number, caller?: Caller): Promise<SealedBlock>
  /** Stops the clock's ticks until {@link resume}; `tick` still works. */
  pause(): void
  /** Lets the clock tick again, unless automine is on. */
  resume(): void
  /** Whether {@link mine} puts each submitted transaction into a block of its own at once. */
  readonly automine: boolean
  /**
   * Turns automine on, which replaces the clock's ticks, or off, which leaves the chain paused. Seals pre-confirmed and
   * ready transactions first.
   */
  setAutomine(enabled: boolean): Promise<void>
  /**
   * Whether blocks are made only on request, because a caller has asked for that: automine is off, and so is the clock.
   * Then transactions wait in the pool, where they can still be replaced, dropped and reordered. `false` on a manual clock,
   * whose ticks pre-confirm.
   */
  readonly minesOnRequest: boolean
  /** The live block as {@link seal} would make it now of the pool. Nothing changes. */
  preview(): Promise<PartialBlock>
  /**
   * Seals a block with a pooled transaction and its sender's earlier ones.
   *
   * @param patienceMs - How long to wait for a lower nonce that is still on its way; then both are in one block.
   * @returns What became of it once the block is sealed.
   */
  mine(tx: Transaction, patienceMs: number): Promise<MiningOutcome>
  /** @param factor - Chain time over real time, above 0. */
  setSpeed(factor: number): void
  /** Takes effect at once: the live block's ticks and its seal are counted from its start. */
  setTiming(timing: Partial<Timing>): Promise<void>
  time(): ChainTimeStatus
  /**
   * Changes the state outside of any transaction. The change is visible at `pending` when this resolves.
   *
   * @param change - Must depend on the state alone. If it throws, nothing has changed.
   * @param seal - Also seals the live block without filling it first; then the change is visible at `latest`, too.
   */
  edit<Result>(change: (state: WorldState) => Result, seal?: boolean): Promise<Result>
  /**
   * The same for a change of many small steps: others have the thread in between, but the chain stands still.
   *
   * @param change - Makes a step for each value that it yields. If it throws, nothing has changed.
   */
  editInSteps(change: (state: WorldState) => Iterator<void>, seal?: boolean): Promise<void>
  /**
   * Withdraws the newest partial blocks of the live block, at most all of them, including their state edits. Resolves
   * with their transactions.
   */
  dropPartialBlocks(count: number, fate: WithdrawnFate): Promise<readonly Transaction[]>
  /**
   * Withdraws partial blocks once. If the live block holds transactions, this happens now: back to the newest partial
   * block with one of `prefer`, or else to the newest with any transaction. If it holds none, the next partial block
   * with transactions is withdrawn at the tick that follows it, or before an earlier seal.
   *
   * @param fate - `undefined` cancels a planned withdrawal.
   * @returns What was withdrawn, or `undefined` if nothing was yet.
   */
  withdrawNext(fate: WithdrawnFate | undefined, prefer: ReadonlySet<Hash>): Promise<MadeWithdrawal | undefined>
  /**
   * Takes back the live block and the newest `depth` sealed blocks, including their state edits. Resolves with the
   * sealed ones, newest first.
   *
   * @throws {ControlRefusedError} `too-deep`.
   */
  reorg(depth: number, fate: WithdrawnFate): Promise<readonly SealedBlock[]>
  /** Makes the next `ticks` ticks pre-confirm nothing; replaces an earlier stall. Blocks are still sealed on time. */
  stallPartialBlocks(ticks: number): void
  /** Delays the seal of the live block by `ms` of chain time; replaces an earlier delay. */
  delaySeal(ms: number): void
  /**
   * Takes a snapshot of the chain, its pool and its time. Resolves with the snapshot's id.
   *
   * @throws {ControlRefusedError} `too-many`.
   */
  snapshot(): Promise<Hex>
  /**
   * Reverts to a snapshot. That snapshot and all later ones are used up. Chain time goes back, too; if it runs at the
   * clock's pace, it catches up at the next seal.
   *
   * @returns `false` if no snapshot has that id.
   */
  revertTo(id: Hex): Promise<boolean>
  /** The head of each snapshot by the snapshot's id, oldest first. */
  snapshots(): ReadonlyMap<Hex, SealedBlock>
  /** Forgets every snapshot; resolves with how many there were. */
  forgetSnapshots(): Promise<number>
  /**
   * Starts over from block 0: empties the pool, forgets snapshots, faults and overrides, and restores the first timing.
   */
  reset(): Promise<void>
  /**
   * Advances chain time to `chainTimeMs`.
   *
   * @throws {ControlRefusedError} `time-goes-back`.
   */
  travelTo(chainTimeMs: number): Promise<void>
  /** Advances chain time so that the next block is at least `seconds` later than its parent. */
  increaseTime(seconds: number): Promise<void>
  /**
   * Sets the timestamp of the next block, and advances chain time to it if needed.
   *
   * @param timestamp - Seconds since the Unix epoch.
   * @throws {ControlRefusedError} `time-goes-back` if it is not later than its parent's, or equal where blocks may share a second.
   */
  setNextTimestamp(timestamp: number): Promise<void>
  /**
   * Gives every block a timestamp `seconds` after its parent's, whatever the time is; `undefined` turns that off. 0 also
   * lets blocks share a second from then on.
   */
  setTimestampInterval(seconds: number | undefined): Promise<void>
  /** Sets header fields of the next block, or of all from now on. */
  setNextHeader(overrides: Omit<NextHeader, 'timestamp'>, lasting: boolean): Promise<void>
  /**
   * Removes transactions from the pool, even if later nonces wait for them. Resolves with those that were found.
   *
   * @param reason - For people; by default that somebody asked for it.
   */
  discard(hashes: readonly Hash[], reason?: string): Promise<readonly Transaction[]>
  /**
   * Undoes submissions that could not be stored: removes the transactions from the pool and restores those they
   * replaced or evicted.
   *
   * @returns Whether any of them is not on the chain yet.
   */
  undoSubmissions(submitted: readonly Transaction[]): Promise<boolean>
}
