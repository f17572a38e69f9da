import type { ExecutionGuard } from '../message.ts'

/** The rest of a precompile's work; it may pause where the guard says so. */
export type DeferredWork = (guard: ExecutionGuard) => Promise<Uint8Array>

/**
 * Takes work that is too long to be done at once. A precompile of the EVM checks its input, charges for it and wants the
 * result there and then; it gets a placeholder, and whoever called the precompile does the work.
 */
export class Deferral {
  #work: DeferredWork | undefined

  /** @returns A word, which some precompiles want to see. */
  defer(work: DeferredWork): Uint8Array {
    this.#work = work
    return new Uint8Array(32)
  }

  /** The work that the precompile left behind, if any. */
  take(): DeferredWork | undefined {
    const work = this.#work
    this.#work = undefined
    return work
  }
}
