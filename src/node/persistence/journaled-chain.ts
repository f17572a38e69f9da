import type { Clock } from '#primitives/clock.ts'
import type { Emitter } from '#primitives/emitter.ts'
import type { Fork } from '../fork/fork.ts'
import type { ChainEvents } from '../sequencer/events.ts'
import type { ProductionState } from '../sequencer/production-state.ts'
import type { ChainStore } from '../storage/chain-store.ts'
import type { PoolReader } from '../txpool/mempool.ts'
import type { BundleRecord, ImpersonatedRecord } from './records.ts'
import type { WholeStateRule } from './whole-state-rule.ts'

/** The chain that the journal records. */
export interface JournaledChain {
  readonly clock: Clock
  readonly store: ChainStore
  readonly pool: PoolReader
  readonly events: Emitter<ChainEvents>
  readonly production: () => ProductionState
  readonly impersonated: () => ImpersonatedRecord
  readonly bundles: {
    /** The newest bundles, oldest first, if there are others than the last time. */
    takeFresh(): readonly BundleRecord[] | undefined
  }
  /** The fork that the chain begins with, if it does: what it fetches is kept, too. */
  readonly fork: Pick<Fork, 'kept'> | undefined
  /** When its whole state is written again, where it is not as usual. */
  readonly wholeStates?: WholeStateRule
}
