import type { Clock } from '#primitives/clock.ts'
import { ControlRefusedError } from './control-refused.ts'

/** The latest time a chain can have, in seconds since the Unix epoch. Its milliseconds are still safe integers. */
export const MAX_CHAIN_TIME_S = 2 ** 42

/**
 * From how many milliseconds on chain time follows the clock of the day. Browsers round that clock, and it is adjusted by
 * a little all the time.
 */
const FOLLOWS_FROM_MS = 500

/** How a chain's time starts. */
export interface ChainTimeStart {
  /** Milliseconds since the Unix epoch. */
  readonly startMs: number
  /** Whether it runs from {@link ChainTime.release} on. */
  readonly running: boolean
  /** How far it is ahead of the clock of the day on purpose; by default the distance at which it starts. */
  readonly offsetMs?: number | undefined
  /** Whether it stands still by rule; then it goes on from where it stood, whenever it is started. */
  readonly isManual?: boolean
}

/**
 * The chain's own clock. It runs at the pace of the monotonic clock, and can be stopped, slowed down, sped up and stepped.
 * While it runs at speed 1 it follows the clock of the day, at a distance that people choose: by the chain's first block
 * and by time travel.
 */
export class ChainTime {
  readonly #clock: Clock
  readonly #isManual: boolean
  #anchorMs: number
  #anchorClockMs: number
  #running: boolean
  /** Whether it stands still until {@link release}, although it may be running by then. */
  #held = true
  #speed = 1
  #offsetMs: number
  /** How far the clock of the day was ahead of the monotonic one when they were last compared. */
  #driftMs: number
  /** Chain time does not fall below it when the clock of the day is set back. */
  #leastMs = Number.NEGATIVE_INFINITY

  /** Stands still until {@link release}. */
  constructor(clock: Clock, { startMs, running, offsetMs, isManual = false }: ChainTimeStart) {
    this.#clock = clock
    this.#isManual = isManual
    this.#anchorMs = startMs
    this.#anchorClockMs = clock.now()
    this.#running = running
    this.#offsetMs = offsetMs ?? startMs - clock.wallNow()
    this.#driftMs = this.#drift()
  }

  /** Milliseconds since the Unix epoch. */
  now(): number {
    return Math.max(this.scheduleNow(), this.#leastMs)
  }

  /**
   * The time by which ticks and seals are due. It is that of {@link now}, but falls when the clock of the day is set back,
   * while chain time stands still.
   */
  scheduleNow(): number {
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

  /** How far chain time is ahead of the clock of the day on purpose, in milliseconds; below 0: behind. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  /** Lets it move, if it is running. */
  release(): void {
    this.#anchor(this.scheduleNow())
    this.#held = false
  }

  stop(): void {
    this.#anchor(this.scheduleNow())
    this.#running = false
  }

  start(): void {
    this.#anchor(this.scheduleNow())
    if (this.#isManual && !this.#running) this.#offsetMs = this.#lead()
    this.#running = true
  }

  setSpeed(speed: number): void {
    this.#anchor(this.scheduleNow())
    this.#keepLead()
    this.#speed = speed
  }

  /** Advances the schedule's time to `ms`, unless it is already later, and {@link advance | keeps} that. */
  advanceTo(ms: number): void {
    this.advance(ms - this.scheduleNow())
  }

  /**
   * Advances the schedule's time by `ms`, if that is above 0. Chain time then stays as far from the clock of the day as it
   * is, if it is not behind.
   *
   * @param byMs - If given, chain time stays ahead by that much more than before, and makes up for what it is behind.
   */
  advance(ms: number, byMs?: number): void {
    if (ms <= 0) return
    const heldMs = this.now() - this.scheduleNow()
    this.#anchor(this.scheduleNow() + ms)
    if (byMs === undefined) this.#keepLead(heldMs)
    else this.#offsetMs += heldMs > 0 ? byMs : ms
  }

  /**
   * Moves to `ms`, forward or back.
   *
   * @param offsetMs - As in {@link ChainTimeStart}.
   */
  set(ms: number, offsetMs: number = ms - this.#clock.wallNow()): void {
    this.#anchor(ms)
    this.#leastMs = Number.NEGATIVE_INFINITY
    this.#offsetMs = offsetMs
  }

  /**
   * Follows a step of the clock of the day: that clock was set, or has gone on while the machine slept. Does nothing unless
   * the chain runs at speed 1; it {@link catchUp | catches up} later.
   *
   * @returns By how many milliseconds the schedule's time has moved; its slots must move along.
   */
  follow(): number {
    const drift = this.#drift()
    const step = drift - this.#driftMs
    if (Math.abs(step) < FOLLOWS_FROM_MS) return 0
    this.#driftMs = drift
    // A stopped chain follows a step back, too, since its time does not move by that.
    const follows = step < 0 ? this.#speed === 1 && !this.#held && (this.#running || !this.#isManual) : this.#followsNow
    return follows ? this.#step(step) : 0
  }

  /**
   * Catches up with the clock of the day after a stop or slow motion. Does nothing unless the chain runs at speed 1.
   *
   * @returns As {@link follow} does.
   */
  catchUp(): number {
    if (!this.#followsNow) return 0
    const step = this.#offsetMs - this.#lead()
    return Math.abs(step) < FOLLOWS_FROM_MS ? 0 : this.#step(step)
  }

  /** Milliseconds of real time until the schedule's time reaches `ms`; 0 if it already has. */
  delayUntil(ms: number): number {
    return Math.max(0, (ms - this.scheduleNow()) / this.#speed)
  }

  get #followsNow(): boolean {
    return this.ticking && this.#speed === 1
  }

  #step(ms: number): number {
    if (ms < 0) this.#leastMs = this.now()
    this.#anchor(this.scheduleNow() + ms)
    return ms
  }

  #drift(): number {
    return this.#clock.wallNow() - this.#clock.now()
  }

  #lead(): number {
    return this.scheduleNow() - this.#clock.wallNow()
  }

  /** @param heldMs - How much of the lead comes from a clock that was set back. */
  #keepLead(heldMs: number = 0): void {
    this.#offsetMs = Math.max(this.#offsetMs, this.#lead() - heldMs)
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
