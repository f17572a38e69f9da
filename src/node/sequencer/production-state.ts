import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import type { PartialBlock } from '../payload/block.ts'
import type { PayloadBuilder } from '../payload/payload-builder.ts'
import type { BlockSequence } from '../storage/block-list.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { PendingOverrides } from './header-overrides.ts'
import type { LiveSlot, Timing } from './schedule.ts'

/** The chain at one moment, to be restored later. */
export interface ChainSnapshot {
  readonly sealed: BlockSequence
  readonly builder: PayloadBuilder
  readonly partial: PartialBlock
  /** Transactions in the pool, each sender's in nonce order. */
  readonly pooled: readonly Transaction[]
}

/** A chain's position in time. */
export interface TimeState {
  readonly slot: LiveSlot
  readonly timing: Timing
  readonly overrides: PendingOverrides
  /** The time of the slot (`ChainTime.scheduleNow`). */
  readonly chainTimeMs: number
  /** As in `ChainTime`. Missing in records of older builds, and in films. */
  readonly offsetMs?: number | undefined
  readonly travelledMs: number
}

/** A chain at one moment, with its time. */
export interface SavedProduction extends ChainSnapshot, TimeState {}

/** Everything a chain needs to continue in another run of the node, apart from its blocks and its pool. */
export interface ProductionState extends TimeState {
  readonly nextTiming: Timing
  readonly running: boolean
  readonly speed: number
  readonly sealDelayMs: number
  readonly stalledTicks: number
  /** As in `ChainTimeStatus`. Missing in records of older builds. */
  readonly plannedWithdrawal?: WithdrawnFate | undefined
  /** Whether blocks may have their parent's timestamp. Missing where not. */
  readonly sharesSeconds?: boolean
  /** Whether a caller has turned automine and the clock off, so that blocks are made on request. Missing where not. */
  readonly minesOnRequest?: boolean
  /** The timing to restore when automine ends, while it is on. Missing in records of older builds. */
  readonly timingAfterAutomine?: Timing | undefined
}
