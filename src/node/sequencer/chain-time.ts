import type { Clock } from '#primitives/clock.ts'

/** Seconds since the Unix epoch up to which a chain can be moved on: its milliseconds are safe integers still. */
export const MAX_CHAIN_TIME_S = 2 ** 42

/** The chain's own time: the clock's, but it can be stopped, slowed, sped up and stepped. */
export class ChainTime {
  readonly #clock: Clock
  #anchorMs: number
  #anchorClockMs: number
  #running: boolean
  #speed = 1

  /** @param startMs - Milliseconds since the Unix epoch. */
  constructor(clock: Clock, startMs: number, running: boolean) {
    this.#clock = clock
    this.#anchorMs = startMs
    this.#anchorClockMs = clock.now()
    this.#running = running
  }

  /** Milliseconds since the Unix epoch. */
  now(): number {
    if (!this.#running) return this.#anchorMs
    return this.#anchorMs + (this.#clock.now() - this.#anchorClockMs) * this.#speed
  }

  get running(): boolean {
    return this.#running
  }

  /** Chain time over real time while running. */
  get speed(): number {
    return this.#speed
  }

  stop(): void {
    this.#anchor(this.now())
    this.#running = false
  }

  start(): void {
    this.#anchor(this.now())
    this.#running = true
  }

  setSpeed(speed: number): void {
    this.#anchor(this.now())
    this.#speed = speed
  }

  /** Moves on to `ms` where it is not there yet. */
  advanceTo(ms: number): void {
    if (ms > this.now()) this.#anchor(ms)
  }

  /** Moves to `ms`, forward or back. */
  set(ms: number): void {
    this.#anchor(ms)
  }

  /** Catches up with the clock after a stop or slow motion, as far as the chain runs at its pace. */
  catchUp(): void {
    if (this.#running && this.#speed === 1) this.advanceTo(this.#clock.now())
  }

  /** Milliseconds of real time until chain time is `ms`; 0 once it is. */
  delayUntil(ms: number): number {
    return Math.max(0, (ms - this.now()) / this.#speed)
  }

  #anchor(ms: number): void {
    this.#anchorMs = ms
    this.#anchorClockMs = this.#clock.now()
  }
}
