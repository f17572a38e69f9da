import type { PartialBlock } from '../payload/block.ts'

/** How people and tests steer the chain's time. */
export interface SequencerControl {
  /** Runs `n` ticks at once, whatever the clock says; resolves with the live block after the last. */
  tick(n: number): Promise<PartialBlock>
  /** No tick by the clock until {@link resume}; `tick` still works. */
  pause(): void
  resume(): void
  /** Chain time over real time, above 0. */
  setSpeed(factor: number): void
  /** Where chain time stands. */
  time(): {
    readonly paused: boolean
    readonly speed: number
    /** Milliseconds since the Unix epoch. */
    readonly chainTimeMs: number
    readonly sealsAtMs: number
    readonly nextTickAtMs: number
  }
}
