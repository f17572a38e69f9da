import type { Clock } from '#primitives/clock.ts'
import type { Emitter } from '#primitives/emitter.ts'
import type { ChainEvents } from '../sequencer/events.ts'
import type { ProductionState } from '../sequencer/production-state.ts'
import type { ChainStore } from '../storage/chain-store.ts'
import type { TxPool } from '../txpool/txpool.ts'
import type { ImpersonatedRecord } from './records.ts'

/** The chain that is written down. */
export interface JournaledChain {
  readonly clock: Clock
  readonly store: ChainStore
  readonly pool: TxPool
  readonly events: Emitter<ChainEvents>
  readonly production: () => ProductionState
  readonly impersonated: () => ImpersonatedRecord
}
