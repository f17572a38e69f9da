/** Interrupts an execution between two of its steps. */
export interface ExecutionGuard {
  /**
   * Called regularly; may wait, to yield to others. The WebAssembly engine calls it every 200,000 gas and for
   * precompiles that it lacks, the reference engine every few hundred jumps, every 50,000 gas, and at every call.
   *
   * @throws {Error} To abort the execution; the engine passes it on and the caller reverts the state.
   */
  checkpoint(): Promise<void> | undefined
  /**
   * Called when a precompile starts that runs outside of the engine, if somebody wants to know.
   *
   * @param number - The number that is its address.
   * @returns Called when it has ended.
   */
  enterPrecompile?(number: number): () => void
}

/** How long, in milliseconds, work may keep the thread before others have their turn. */
export const TURN_MS = 8
