import type { Clock } from '#primitives/clock.ts'
import type { ExecutionGuard } from './guard.ts'
import { ExecutionTimeoutError } from './pacer.ts'

/** What the calls of one precompile have taken. */
export interface PrecompileTime {
  calls: number
  /** Milliseconds. */
  ms: number
}

/** Measures executions, one after another, without the pauses in which others have their turn. */
export class Stopwatch implements ExecutionGuard {
  readonly #clock: Pick<Clock, 'now'>
  readonly #guard: ExecutionGuard
  /** By the number that is the precompile's address. */
  readonly #precompiles = new Map<number, PrecompileTime>()
  #limitMs = Number.POSITIVE_INFINITY
  /** Before the latest pause. */
  #ranMs = 0
  /** When it started or went on; `undefined` if nothing has asked for the time yet. */
  #resumedAt: number | undefined

  /** @param guard - Asked at each checkpoint as well. */
  constructor(clock: Pick<Clock, 'now'>, guard: ExecutionGuard) {
    this.#clock = clock
    this.#guard = guard
  }

  /**
   * Starts from zero for the next execution.
   *
   * @param limitMs - After which {@link ExecutionTimeoutError} ends it. Without one the clock is first read at the
   *   execution's first checkpoint: most executions have none.
   */
  start(limitMs: number = Number.POSITIVE_INFINITY): void {
    this.#limitMs = limitMs
    this.#ranMs = 0
    this.#resumedAt = limitMs === Number.POSITIVE_INFINITY ? undefined : this.#clock.now()
    if (this.#precompiles.size > 0) this.#precompiles.clear()
  }

  /** How long the execution has run since its start or, without a limit, since its first checkpoint; in milliseconds. */
  get ranMs(): number {
    return this.#resumedAt === undefined ? 0 : this.#ranMs + this.#clock.now() - this.#resumedAt
  }

  /** Which precompiles it has called, and what they took. */
  get precompiles(): ReadonlyMap<number, PrecompileTime> {
    return this.#precompiles
  }

  checkpoint(): Promise<void> | undefined {
    this.#resumedAt ??= this.#clock.now()
    const ranMs = this.ranMs
    if (ranMs > this.#limitMs) throw new ExecutionTimeoutError(this.#limitMs)
    const pause = this.#guard.checkpoint()
    return pause && this.#resumeAfter(pause, ranMs)
  }

  async #resumeAfter(pause: Promise<void>, ranMs: number): Promise<void> {
    await pause
    this.#ranMs = ranMs
    this.#resumedAt = this.#clock.now()
  }

  enterPrecompile(number: number): () => void {
    const time = this.#precompiles.get(number) ?? { calls: 0, ms: 0 }
    this.#precompiles.set(number, time)
    time.calls++
    const before = this.ranMs
    return () => {
      time.ms += this.ranMs - before
    }
  }
}
