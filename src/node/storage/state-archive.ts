import { ByteReader } from '#primitives/byte-reader.ts'
import { invariant } from '#primitives/invariant.ts'
import { changedState } from '../state/state-difference.ts'
import { readDifference } from '../state/state-record.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { bytesAt, type StoredBytes } from './journal.ts'

/** State differences as written by `writeDifference`, by block number. */
export type StoredDifferences = ReadonlyMap<number, Uint8Array | StoredBytes>

/** The states of an earlier run's blocks, computed on demand from one whole state and each block's changes. */
export class StateArchive {
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
    const known = this.#states.get(number)
    if (known) return known
    const back = number < this.#base
    const step = back ? -1 : 1
    let at = this.#base
    let state = this.#states.get(at)
    while (at !== number) {
      const next = at + step
      const changed = this.#states.get(next) ?? this.#step(state, back ? at : next, back)
      this.#states.set(next, changed)
      state = changed
      at = next
    }
    invariant(state, 'an archive has the state of its base')
    return state
  }

  #step(state: StateSnapshot | undefined, block: number, back: boolean): StateSnapshot {
    const record = this.#differences.get(block)
    invariant(state && record, `the changes of block ${block} are not known`)
    return changedState(state, readDifference(new ByteReader(bytesAt(record))), back ? 'before' : 'after')
  }
}
