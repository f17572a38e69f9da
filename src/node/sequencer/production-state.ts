import type { HeaderWishes } from './header-wishes.ts'
import type { ChainSnapshot, WithdrawnFate } from './live-block.ts'
import type { LiveSlot, Timing } from './schedule.ts'

/** Where a chain stands in its time. */
export interface TimeState {
  readonly slot: LiveSlot
  readonly timing: Timing
  readonly wishes: HeaderWishes
  readonly chainTimeMs: number
  readonly travelledMs: number
}

/** A chain's present with its time. */
export interface SavedProduction extends ChainSnapshot, TimeState {}

/** All that a chain needs to go on in another run of the node, apart from its blocks and its pool. */
export interface ProductionState extends TimeState {
  readonly nextTiming: Timing
  readonly running: boolean
  readonly speed: number
  readonly sealDelayMs: number
  readonly stalledTicks: number
  /** As in `ChainTimeStatus`; what was written by an older build has none. */
  readonly plannedWithdrawal?: WithdrawnFate | undefined
}
