import { ByteReader } from '#primitives/byte-reader.ts'
import { invariant } from '#primitives/invariant.ts'
import { changedState, type StateDifference } from '../state/state-difference.ts'
import { readDifference } from '../state/state-record.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { bytesAt, type StoredBytes } from './journal.ts'

/** State differences as written by `writeDifference`, by block number. */
export type StoredDifferences = ReadonlyMap<number, Uint8Array | StoredBytes>

/** A state is kept each so many blocks from the base, so that a state between two of them takes no more than that many. */
const KEPT_EACH = 64

/** The states of an earlier run's blocks, computed on demand from one whole state and each block's changes. */
export class StateArchive {
  /** The base, every {@link KEPT_EACH}th one that was passed, and those that were asked for. */
  readonly #states: Map<number, StateSnapshot>
  readonly #base: number
  readonly #differences: StoredDifferences

  constructor(base: number, state: StateSnapshot, differences: StoredDifferences) {
    this.#base = base
    this.#states = new Map([[base, state]])
    this.#differences = differences
  }

  /** Whether every difference between the base and that block is known. */
  reaches(number: number): boolean {
    const [from, to] = number < this.#base ? [number + 1, this.#base] : [this.#base + 1, number]
    for (let between = from; between <= to; between++) if (!this.#differences.has(between)) return false
    return true
  }

  /** The state after a block that {@link reaches} accepts. @throws {BlockUnreadableError} */
  stateAt(number: number): StateSnapshot {
    const step = number < this.#base ? -1 : 1
    // From the base outwards only: a difference on the other side may be damaged.
    let at = number
    while (!this.#states.has(at)) at -= step
    while (at !== number) {
      const far = Math.abs(at - this.#base)
      const mark = this.#base + step * (far - (far % KEPT_EACH) + KEPT_EACH)
      const next = step * mark < step * number ? mark : number
      const before = this.#states.get(at)
      invariant(before, 'the state that the changes start from is known')
      this.#states.set(next, changedState(before, this.#changes(at, next, step), step < 0 ? 'before' : 'after'))
      at = next
    }
    const state = this.#states.get(number)
    invariant(state, 'the state was computed')
    return state
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
