import type { Emitter } from '#primitives/emitter.ts'
import type { Hex } from '#primitives/hex.ts'
import type { SealedBlock } from '../payload/block.ts'
import { ControlRefusedError } from './control-refused.ts'
import type { ChainEvents } from './events.ts'
import type { SavedProduction } from './production-state.ts'

/**
 * How many snapshots there can be. Each holds a list of the chain's blocks and of the pool's transactions and, with a
 * journal, a copy of the state.
 */
export const MAX_SNAPSHOTS = 2_000

/** A snapshot to which the chain can be reverted. */
export interface SavedChain {
  /** The newest sealed block at the time. */
  readonly head: SealedBlock
  readonly production: () => Promise<SavedProduction>
}

/** The snapshots that an earlier run of the node left. */
export interface EarlierSnapshots {
  /** By id, oldest first. */
  readonly snapshots: ReadonlyMap<Hex, SavedChain>
  /** The number of snapshots that were ever taken. */
  readonly snapshotsTaken: number
}

/** The snapshots of a chain. Emits an event for each that is taken or forgotten. */
export class Snapshots {
  readonly #events: Emitter<ChainEvents>
  /** By id, oldest first. */
  readonly #saved: Map<Hex, SavedChain>
  #taken: number

  constructor(events: Emitter<ChainEvents>, earlier?: EarlierSnapshots) {
    this.#events = events
    this.#saved = new Map(earlier?.snapshots)
    this.#taken = earlier?.snapshotsTaken ?? 0
  }

  /**
   * Takes a snapshot.
   *
   * @param save - Saves the chain; not called if there is no room.
   * @returns Its id.
   * @throws {ControlRefusedError} `too-many`.
   */
  take(head: SealedBlock, save: () => SavedProduction): Hex {
    if (this.#saved.size >= MAX_SNAPSHOTS) {
      const advice = 'revert to one of them, or forget them all with devnet_forgetSnapshots'
      throw new ControlRefusedError('too-many', `too many snapshots: there are ${MAX_SNAPSHOTS}, ${advice}`)
    }
    const id: Hex = `0x${(++this.#taken).toString(16)}`
    const saved = save()
    this.#saved.set(id, { head, production: async () => saved })
    this.#events.emit('snapshot', { id, saved })
    return id
  }

  get(id: Hex): SavedChain | undefined {
    return this.#saved.get(id)
  }

  /** The newest sealed block of each snapshot, by id. */
  heads(): ReadonlyMap<Hex, SealedBlock> {
    return new Map([...this.#saved].map(([id, { head }]) => [id, head]))
  }

  /** Forgets a snapshot and all later ones. */
  forgetFrom(id: Hex): void {
    const ids = [...this.#saved.keys()]
    for (const key of ids.slice(ids.indexOf(id))) this.#forget(key)
  }

  /** Forgets all snapshots but these. */
  keepOnly(ids: ReadonlySet<Hex>): void {
    for (const id of [...this.#saved.keys()]) if (!ids.has(id)) this.#forget(id)
  }

  /** Forgets all snapshots and returns how many there were. */
  forgetAll(): number {
    const ids = [...this.#saved.keys()]
    for (const id of ids) this.#forget(id)
    return ids.length
  }

  #forget(id: Hex): void {
    this.#saved.delete(id)
    this.#events.emit('snapshotUsed', { id })
  }
}
