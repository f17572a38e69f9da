import { ByteReader } from '#primitives/byte-reader.ts'
import { invariant } from '#primitives/invariant.ts'
import { changedState, type StateDifference } from '../state/state-difference.ts'
import { readDifference } from '../state/state-record.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { bytesAt, type StoredBytes } from './journal.ts'

/** State differences as written by `writeDifference`, by block number. */
export type StoredDifferences = ReadonlyMap<number, Uint8Array | StoredBytes>

/** One in so many states that are passed is kept: any other is then at most so many changes away. */
const KEPT_EACH = 64

/** The states of an earlier run's blocks, computed on demand from one whole state and each block's changes. */
export class StateArchive {
  /** The base, some that were passed, and those that were asked for. */
  readonly #states: Map<number, StateSnapshot>
  readonly #base: number
  readonly #differences: StoredDifferences
  readonly #returns: boolean

  /**
   * @param returns - Whether a state may also come from one that is further from the base. Not where changes may be damaged,
   *   nor for a fork: to take back what a block has done to a trie, more of it has to be known than to do it.
   */
  constructor(base: number, state: StateSnapshot, differences: StoredDifferences, returns: boolean) {
    this.#base = base
    this.#states = new Map([[base, state]])
    this.#differences = differences
    this.#returns = returns
  }

  /** Whether every difference between the base and that block is known. */
  reaches(number: number): boolean {
    const [from, to] = number < this.#base ? [number + 1, this.#base] : [this.#base + 1, number]
    for (let between = from; between <= to; between++) if (!this.#differences.has(between)) return false
    return true
  }

  /** The state after a block that {@link reaches} accepts. @throws {BlockUnreadableError} */
  stateAt(number: number): StateSnapshot {
    let at = this.#nearest(number)
    const step = number < at ? -1 : 1
    while (at !== number) {
      const before = this.#states.get(at)
      invariant(before, 'the state that the changes start from is known')
      const mark = (step < 0 ? Math.ceil(at / KEPT_EACH) - 1 : Math.floor(at / KEPT_EACH) + 1) * KEPT_EACH
      const next = step * mark < step * number ? mark : number
      this.#states.set(next, changedState(before, this.#changes(at, next, step), step < 0 ? 'before' : 'after'))
      at = next
    }
    const state = this.#states.get(number)
    invariant(state, 'the state was computed')
    return state
  }

  /** The block with a known state from which the fewest changes lead to that of another one. */
  #nearest(number: number): number {
    const outwards = number < this.#base ? -1 : 1
    for (let far = 0; ; far++) {
      if (this.#states.has(number - outwards * far)) return number - outwards * far
      if (this.#returns && this.#states.has(number + outwards * far)) return number + outwards * far
    }
  }

  /** What leads from the state after one block to that after another. */
  *#changes(from: number, to: number, step: number): Generator<StateDifference, void> {
    for (let at = from; at !== to; at += step) {
      const block = step < 0 ? at : at + step
      const record = this.#differences.get(block)
      invariant(record, `the changes of block ${block} are not known`)
      yield readDifference(new ByteReader(bytesAt(record)))
    }
  }
}
