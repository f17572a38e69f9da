import type { ExecutionGuard } from '../../turns/guard.ts'

/** The remaining work of a precompile; may pause when the guard says so. */
export type DeferredWork = (guard: ExecutionGuard) => Uint8Array | Promise<Uint8Array>

/**
 * Holds work that takes too long to do at once. A precompile of the EVM checks its input, charges gas, and has to
 * return a result synchronously: it returns a placeholder, and the caller of the precompile does the deferred work.
 */
export class Deferral {
  #work: DeferredWork | undefined

  /** @returns A placeholder word, which some precompiles check. */
  defer(work: DeferredWork): Uint8Array {
    this.#work = work
    return new Uint8Array(32)
  }

  /** The deferred work, if any. */
  take(): DeferredWork | undefined {
    const work = this.#work
    this.#work = undefined
    return work
  }
}
