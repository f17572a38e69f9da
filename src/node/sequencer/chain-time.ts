import type { Clock } from '#primitives/clock.ts'
import { ControlRefusedError } from './control-refused.ts'

/** The latest time a chain can have, in seconds since the Unix epoch. Its milliseconds are still safe integers. */
export const MAX_CHAIN_TIME_S = 2 ** 42

/** The chain's own clock. It follows the real clock, but can be stopped, slowed down, sped up and stepped. */
export class ChainTime {
  readonly #clock: Clock
  #anchorMs: number
  #anchorClockMs: number
  #running: boolean
  /** Whether it stands still until {@link release}, although it may be running by then. */
  #held = true
  #speed = 1

  /**
   * Stands still until {@link release}.
   *
   * @param startMs - Milliseconds since the Unix epoch.
   * @param running - Whether it runs from then on.
   */
  constructor(clock: Clock, startMs: number, running: boolean) {
    this.#clock = clock
    this.#anchorMs = startMs
    this.#anchorClockMs = clock.now()
    this.#running = running
  }

  /** Milliseconds since the Unix epoch. */
  now(): number {
    if (!this.ticking) return this.#anchorMs
    return this.#anchorMs + (this.#clock.now() - this.#anchorClockMs) * this.#speed
  }

  /** Whether it is not stopped: before {@link release}, whether it will run. */
  get running(): boolean {
    return this.#running
  }

  /** Whether it moves. */
  get ticking(): boolean {
    return this.#running && !this.#held
  }

  /** Chain time over real time while running. */
  get speed(): number {
    return this.#speed
  }

  /** Lets it move, if it is running. */
  release(): void {
    this.#anchor(this.now())
    this.#held = false
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

  /** Advances to `ms`, unless it is already later. */
  advanceTo(ms: number): void {
    if (ms > this.now()) this.#anchor(ms)
  }

  /** Moves to `ms`, forward or back. */
  set(ms: number): void {
    this.#anchor(ms)
  }

  /** Catches up with the clock after a stop or slow motion. Does nothing unless the chain runs at speed 1. */
  catchUp(): void {
    if (this.ticking && this.#speed === 1) this.advanceTo(this.#clock.now())
  }

  /** Milliseconds of real time until chain time reaches `ms`; 0 if it already has. */
  delayUntil(ms: number): number {
    return Math.max(0, (ms - this.now()) / this.#speed)
  }

  #anchor(ms: number): void {
    this.#anchorMs = ms
    this.#anchorClockMs = this.#clock.now()
  }
}

/**
 * Checks that a time is not later than {@link MAX_CHAIN_TIME_S}.
 *
 * @throws {ControlRefusedError} `too-late`.
 */
export function requireInTime(seconds: number): void {
  if (seconds <= MAX_CHAIN_TIME_S) return
  const problem = `${Math.floor(seconds)} is higher than ${MAX_CHAIN_TIME_S}, the latest time a chain can have`
  throw new ControlRefusedError('too-late', `Timestamp error: ${problem}`)
}
