import type { Cancel, Clock } from '#primitives/clock.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly callback: () => void | Promise<void>
}

/** A clock that only a test moves; time stands still while callbacks run. */
export class FakeClock implements Clock {
  #now: number
  /** By how much the clock of the day is ahead of the monotonic one. */
  #wallAheadMs = 0
  #order = 0
  readonly #timers = new Set<Timer>()

  /** @param now - Milliseconds since the Unix epoch. */
  constructor(now = 1_700_000_000_000) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  wallNow(): number {
    return this.#now + this.#wallAheadMs
  }

  /**
   * Sets the clock of the day forward or, below 0, back. The monotonic clock and timers do not notice, as when a person
   * sets it, or when the machine has slept.
   */
  stepWall(ms: number): void {
    this.#wallAheadMs += ms
  }

  schedule(callback: () => void | Promise<void>, delayMs: number): Cancel {
    const timer = { at: this.#now + Math.max(0, delayMs), order: this.#order++, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  async yield(): Promise<void> {}

  /** Lets time pass without running timers, as if the thread had been busy. */
  jump(ms: number): void {
    this.#now += ms
  }

  /** Advances by `ms`: runs each timer at its time, and awaits its promise. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      let next: Timer | undefined
      for (const timer of this.#timers) {
        if (timer.at > end) continue
        if (!next || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer
      }
      if (!next) break
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      await next.callback()
    }
    this.#now = Math.max(this.#now, end)
  }
}
