import type { StateSnapshot } from '../../state/state-snapshot.ts'
import { WorldState } from '../../state/world-state.ts'

/** Calls after which a working state is dropped: whatever they have read or changed stays in it. */
const MAX_CALLS = 256

/**
 * The working state of the last call, for the next one on the same snapshot: the call's changes are undone, what it has read
 * is known, and so is the state to the engine. One call at a time has it, and others get states of their own.
 */
export class TrialStates {
  #base: StateSnapshot | undefined
  #state: WorldState | undefined
  #calls = 0

  /** A working state for one call. */
  take(base: StateSnapshot): WorldState {
    const known = base === this.#base ? this.#state : undefined
    this.#base = undefined
    this.#state = undefined
    const state = known ?? new WorldState(base)
    if (!known) this.#calls = 0
    state.checkpoint()
    return state
  }

  /** The call has ended. One that threw does not give back its state. */
  giveBack(base: StateSnapshot, state: WorldState): void {
    // What is guessed for a forked chain is not to be known to the next call.
    if (base.noteMissing !== undefined || ++this.#calls >= MAX_CALLS) return
    state.revert()
    this.#base = base
    this.#state = state
  }
}
