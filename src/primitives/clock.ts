/** Calls off a scheduled callback; harmless when it has run. */
export type Cancel = () => void

/** Time as the node sees it. The entries inject the system's, tests a fake one. */
export interface Clock {
  /**
   * Milliseconds since the Unix epoch when the host started, with fractions; never goes back. It may stand still while the
   * machine sleeps, and does not follow the clock of the day when that is set.
   */
  now(): number
  /** The host's clock of the day: milliseconds since the Unix epoch. It is right after sleep, and may step either way. */
  wallNow(): number
  /** Runs `callback` once, `delayMs` from now. A rejected promise is the owner's bug and reaches the host as such. */
  schedule(callback: () => void | Promise<void>, delayMs: number): Cancel
  /** Resolves after the host has handled pending messages, requests and timers. */
  yield(): Promise<void>
}

/** A clock that has its time from another one. */
export abstract class DerivedClock implements Clock {
  protected readonly source: Clock

  constructor(source: Clock) {
    this.source = source
  }

  now(): number {
    return this.source.now()
  }

  wallNow(): number {
    return this.source.wallNow()
  }

  schedule(callback: () => void | Promise<void>, delayMs: number): Cancel {
    return this.source.schedule(callback, delayMs)
  }

  abstract yield(): Promise<void>
}
