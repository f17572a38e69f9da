import type { Cancel, Clock } from '#primitives/clock.ts'

/**
 * The clock that a chain's time catches up with: the host's, or one that is always as far from it. A fork of an old block
 * goes on from there, so its clock is behind the host's for good.
 */
export class ChainClock implements Clock {
  readonly #clock: Clock
  #aheadMs: number

  /** @param aheadMs - How far it is ahead of the host's clock, in milliseconds; below 0 it is behind. */
  constructor(clock: Clock, aheadMs: number = 0) {
    this.#clock = clock
    this.#aheadMs = aheadMs
  }

  /** As in the constructor. */
  get aheadMs(): number {
    return this.#aheadMs
  }

  /** Sets it, forward or back. @param ms - Milliseconds since the Unix epoch. */
  setTo(ms: number): void {
    this.#aheadMs = ms - this.#clock.now()
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs
  }

  schedule(callback: () => void | Promise<void>, delayMs: number): Cancel {
    return this.#clock.schedule(callback, delayMs)
  }

  yield(): Promise<void> {
    return this.#clock.yield()
  }
}
