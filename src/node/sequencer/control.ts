import type { Hex } from '#primitives/hex.ts'
import type { PartialBlock, SealedBlock } from '../payload/block.ts'
import type { WorldState } from '../state/world-state.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { WithdrawnFate } from './live-block.ts'
import type { Timing } from './schedule.ts'
import type { NextHeader } from './sequencer.ts'

/** How people and tests steer the chain. Each operation waits for the one under way. */
export interface SequencerControl {
  /** Runs `n` ticks at once, whatever the clock says; resolves with the live block after the last. */
  tick(n: number): Promise<PartialBlock>
  /**
   * Seals `n` blocks at once, each with what the pool has ready; resolves with the last.
   *
   * @param intervalSeconds - From the timestamp of one of them to the next.
   */
  seal(n: number, intervalSeconds?: number): Promise<SealedBlock>
  /** No tick by the clock until {@link resume}; `tick` still works. */
  pause(): void
  resume(): void
  /** Chain time over real time, above 0. */
  setSpeed(factor: number): void
  /** Holds from the next block on. */
  setTiming(timing: Partial<Timing>): void
  /** Where chain time stands. */
  time(): {
    readonly paused: boolean
    readonly speed: number
    /** Of the live block. */
    readonly timing: Timing
    /** Milliseconds since the Unix epoch. */
    readonly chainTimeMs: number
    readonly sealsAtMs: number
    readonly nextTickAtMs: number
    /** Ticks that will still cut nothing. */
    readonly stalledTicks: number
    /** By how much the seal of the live block was put off. */
    readonly sealDelayMs: number
  }
  /** Changes the state outside of any transaction; visible at `pending` when it resolves. */
  edit<Result>(change: (state: WorldState) => Result): Promise<Result>
  /** Withdraws the newest partial blocks of the live block; resolves with the transactions that were in them. */
  dropPartialBlocks(count: number, fate: WithdrawnFate): Promise<readonly Transaction[]>
  /** Takes back the live block and the newest `depth` sealed ones; resolves with those, newest first. */
  reorg(depth: number, fate: WithdrawnFate): Promise<readonly SealedBlock[]>
  /** The next so many ticks cut nothing; blocks are sealed on time. */
  stallPartialBlocks(ticks: number): void
  /** Puts the seal of the live block off by so many milliseconds of chain time. */
  delaySeal(ms: number): void
  /** Remembers the chain as it is; resolves with the snapshot's id. */
  snapshot(): Promise<Hex>
  /** Goes back to a snapshot, which is used up, as are later ones; `false` if there is none with that id. */
  revertTo(id: Hex): Promise<boolean>
  /** Moves chain time on to `chainTimeMs`; the live block is sealed first unless it is empty. */
  travelTo(chainTimeMs: number): Promise<void>
  /** Sets header fields of the next block, or of all from now on; the live block is sealed first unless it is empty. */
  setNextHeader(wish: NextHeader, lasting: boolean): Promise<void>
}
