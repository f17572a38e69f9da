import type { Hash, Hex } from '#primitives/hex.ts'
import type { Caller } from '#rpc-types/connection.ts'
import type { WithdrawnFate } from '#rpc-types/devnet.ts'
import type { PartialBlock, SealedBlock } from '../payload/block.ts'
import type { WorldState } from '../state/world-state.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { NextHeader } from './header-overrides.ts'
import type { Timing } from './schedule.ts'

/** The chain's time, and what delays it. */
export interface ChainTimeStatus {
  /** Whether no tick comes by the clock. */
  readonly paused: boolean
  readonly speed: number
  /** Of the live block. */
  readonly timing: Timing
  /** Of the block after it, and of all later ones. */
  readonly nextTiming: Timing
  /** Milliseconds since the Unix epoch. */
  readonly chainTimeMs: number
  readonly sealsAtMs: number
  readonly nextTickAtMs: number
  /** Ticks that will still pre-confirm nothing. */
  readonly stalledTicks: number
  /** Fate of the transactions of the next partial block that has any; `undefined` if none is to be withdrawn. */
  readonly plannedWithdrawal: WithdrawnFate | undefined
  /** The newest withdrawal by `withdrawNext` since the node started. */
  readonly latestWithdrawal: Withdrawal | undefined
  /** By how much the seal of the live block was put off. */
  readonly sealDelayMs: number
  /** From the timestamp of every block to the next, if that is set. */
  readonly timestampIntervalSeconds: number | undefined
  /** Milliseconds of chain time that were travelled through, not waited for. */
  readonly travelledMs: number
}

/** The end of mining a transaction at once. It waits where a nonce before it is missing, or the base fee is above its cap. */
export type MiningOutcome = { readonly kind: 'mined' | 'waits' } | { readonly kind: 'dropped'; readonly reason: string }

/** Partial blocks of the live block that were withdrawn by {@link SequencerControl.withdrawNext}. */
export interface Withdrawal {
  /** 1 for the node's first withdrawal. */
  readonly id: number
  /** Of the block. */
  readonly number: number
  /** Index of the oldest partial block. */
  readonly first: number
  /** Index of the newest one. */
  readonly last: number
  readonly fate: WithdrawnFate
  /** Hashes of the transactions that were in them, oldest first. */
  readonly withdrawn: readonly Hash[]
}

/**
 * Controls the chain, for people and tests. Each operation waits for the one under way. What needs a new header seals
 * the live block first, unless that is untouched: nothing that is pre-confirmed changes.
 */
export interface SequencerControl {
  /**
   * Runs `n` ticks, whatever the clock says; resolves with the live block after the last.
   *
   * @param caller - Where it has gone, the rest is left undone.
   */
  tick(n: number, caller?: Caller): Promise<PartialBlock>
  /**
   * Seals `n` blocks, each with what the pool has ready; resolves with the last. A seal that was put off is not. Where
   * that takes long, the clock's ticks and other operations have their turn in between.
   *
   * @param intervalSeconds - From the timestamp of one of them to the next; chain time moves on with them.
   * @param caller - Where it has gone, the rest is left undone.
   */
  seal(n: number, intervalSeconds?: number, caller?: Caller): Promise<SealedBlock>
  /** No tick by the clock until {@link resume}; `tick` still works. */
  pause(): void
  /** Ticks by the clock, unless automine is on. */
  resume(): void
  /** Whether each submitted transaction is to have a block of its own at once, by {@link mine}. */
  readonly automine: boolean
  /**
   * Turns automine on, in the place of ticks by the clock, or off: then the chain is paused. What is pre-confirmed or
   * ready is sealed first.
   */
  setAutomine(enabled: boolean): Promise<void>
  /**
   * Seals a block with a transaction of the pool and those of its sender that come before it.
   *
   * @param patienceMs - How long it may wait for one with a lower nonce that is still on its way; then both are in one
   * block.
   * @returns What became of it by the time that the block is sealed.
   */
  mine(tx: Transaction, patienceMs: number): Promise<MiningOutcome>
  /** Chain time over real time, above 0. */
  setSpeed(factor: number): void
  /** Holds from the next block on. */
  setTiming(timing: Partial<Timing>): void
  time(): ChainTimeStatus
  /**
   * Changes the state outside of any transaction; visible at `pending` when it resolves.
   *
   * @param change - Depends on nothing but the state. Where it throws, nothing has changed.
   * @param seal - Whether to seal the live block with it, as it is: then visible at `latest`, too.
   */
  edit<Result>(change: (state: WorldState) => Result, seal?: boolean): Promise<Result>
  /**
   * Withdraws the newest partial blocks of the live block, at most all of them, with the edits made in them; resolves
   * with the transactions that were in them.
   */
  dropPartialBlocks(count: number, fate: WithdrawnFate): Promise<readonly Transaction[]>
  /**
   * Withdraws once: at once if the live block holds transactions, back to the newest partial block that holds one of
   * `prefer`, else to the newest that holds any. Otherwise the next partial block that holds any is withdrawn at the tick
   * after it, or before a seal that comes first.
   *
   * @param fate - `undefined` calls off what is planned.
   * @returns What was withdrawn; `undefined` if nothing was so far.
   */
  withdrawNext(fate: WithdrawnFate | undefined, prefer: ReadonlySet<Hash>): Promise<Withdrawal | undefined>
  /**
   * Takes back the live block and the newest `depth` sealed ones, with the edits made in them; resolves with the sealed
   * ones, newest first.
   *
   * @throws {ControlRefusedError} `too-deep`.
   */
  reorg(depth: number, fate: WithdrawnFate): Promise<readonly SealedBlock[]>
  /** The next so many ticks pre-confirm nothing, in the place of those asked for before; blocks are sealed on time. */
  stallPartialBlocks(ticks: number): void
  /** Puts the seal of the live block off by so many milliseconds of chain time, in the place of an earlier delay. */
  delaySeal(ms: number): void
  /**
   * Remembers the chain as it is, its pool and its time included; resolves with the snapshot's id.
   *
   * @throws {ControlRefusedError} `too-many`.
   */
  snapshot(): Promise<Hex>
  /**
   * Goes back to a snapshot, which is used up, as are later ones; `false` if there is none with that id. Chain time goes
   * back with it, and catches up with the clock at the next seal where it runs at the clock's pace.
   */
  revertTo(id: Hex): Promise<boolean>
  /** The snapshots that there are, oldest first: by id, the head at the time. */
  snapshots(): ReadonlyMap<Hex, SealedBlock>
  /** Forgets every snapshot; resolves with how many there were. */
  forgetSnapshots(): Promise<number>
  /** Starts over from block 0: no transactions in the pool, no snapshots, faults or overrides, the first timing. */
  reset(): Promise<void>
  /**
   * Moves chain time on to `chainTimeMs`.
   *
   * @throws {ControlRefusedError} `time-goes-back`.
   */
  travelTo(chainTimeMs: number): Promise<void>
  /** Moves chain time on, so that the next block is at least `seconds` younger than its parent. */
  increaseTime(seconds: number): Promise<void>
  /**
   * Gives the next block that timestamp; chain time moves on to it where it is not there yet.
   *
   * @param timestamp - Seconds since the Unix epoch.
   * @throws {ControlRefusedError} `time-goes-back` if its parent is not older.
   */
  setNextTimestamp(timestamp: number): Promise<void>
  /** Makes every block so much younger than its parent, whatever the time; `undefined` ends it. */
  setTimestampInterval(seconds: number | undefined): Promise<void>
  /** Sets header fields of the next block, or of all from now on. */
  setNextHeader(overrides: Omit<NextHeader, 'timestamp'>, lasting: boolean): Promise<void>
  /** Takes transactions out of the pool, whatever waits behind them; resolves with those that were in it. */
  discard(hashes: readonly Hash[]): Promise<readonly Transaction[]>
  /**
   * Undoes submissions that could not be stored: takes the transactions out of the pool, and puts back what they had
   * displaced; resolves with whether there was any that is not on the chain by now.
   */
  undoSubmissions(submitted: readonly Transaction[]): Promise<boolean>
}
