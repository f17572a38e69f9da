import type { Cancel, Clock } from '#primitives/clock.ts'

/** Milliseconds that new calls have of one turn of the thread. */
const SLICE_MS = 8

/**
 * The clock of work that callers wait for. However much of it there is, one piece is done in each turn of the thread: the
 * host handles what has arrived after each of them, and the chain, which has the thread's own clock, goes on in between.
 */
export class Turns implements Clock {
  readonly #clock: Clock
  /** Work that goes on when its turn comes. */
  readonly #waiting: (() => void)[] = []
  /** When the present turn began; `undefined` if the thread was handed over since. */
  #began: number | undefined

  /** @param clock - Hands over the thread. */
  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now()
  }

  schedule(callback: () => void | Promise<void>, delayMs: number): Cancel {
    return this.#clock.schedule(callback, delayMs)
  }

  /** Resolves in a later turn of the thread, one that nobody else has. */
  yield(): Promise<void> {
    this.#open()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Whether new work may begin in this turn. What arrives together is handled in one, so it would all be done there. */
  get hasTime(): boolean {
    return this.now() - this.#open() <= SLICE_MS
  }

  /** `undefined` if new work may begin at once, else a promise of a turn. */
  begin(): Promise<void> | undefined {
    return this.hasTime ? undefined : this.yield()
  }

  /** When the present turn began. */
  #open(): number {
    if (this.#began === undefined) {
      this.#began = this.now()
      void this.#handOver()
    }
    return this.#began
  }

  async #handOver(): Promise<void> {
    for (;;) {
      await this.#clock.yield()
      const next = this.#waiting.shift()
      this.#began = next && this.now()
      if (!next) return
      next()
    }
  }
}
