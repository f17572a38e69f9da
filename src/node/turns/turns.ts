import { DerivedClock } from '#primitives/clock.ts'
import { TURN_MS } from './guard.ts'

/**
 * The clock for work that callers wait for; the one that it derives from yields the thread. Only one piece of such work
 * runs per turn of the thread. In between, the host handles what has arrived, and the chain, which uses the thread's own
 * clock, continues.
 */
export class Turns extends DerivedClock {
  /** Paused work, waiting for its turn. */
  readonly #waiting: (() => void)[] = []
  /** When the current turn began; `undefined` if the thread was yielded since. */
  #began: number | undefined

  /** Resolves in a later turn of the thread that no other work has. */
  yield(): Promise<void> {
    this.#open()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /**
   * Whether new work may start in this turn. Calls that arrive together are handled in one turn, and would otherwise
   * all start there.
   */
  get hasTime(): boolean {
    return this.now() - this.#open() <= TURN_MS
  }

  /** `undefined` if new work may start at once, otherwise a promise of a turn. */
  begin(): Promise<void> | undefined {
    return this.hasTime ? undefined : this.yield()
  }

  /** Returns when the current turn began, and starts one if needed. */
  #open(): number {
    if (this.#began === undefined) {
      this.#began = this.now()
      void this.#handOver()
    }
    return this.#began
  }

  async #handOver(): Promise<void> {
    for (;;) {
      await this.source.yield()
      const next = this.#waiting.shift()
      this.#began = next && this.now()
      if (!next) return
      next()
    }
  }
}
