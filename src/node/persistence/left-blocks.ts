import type { Hash, Hex } from '#primitives/hex.ts'
import { type ChainStore, STATES_KEPT } from '../storage/chain-store.ts'
import { numberOf } from './records.ts'

/** A block of the journal that is not on the chain. */
export interface LeftBlock {
  readonly hash: Hash
  readonly parentHash: Hash
  /** Key of the block in the journal. */
  readonly key: string
}

/** Orphaned blocks, of which the journal keeps those that snapshots need. */
export class LeftBlocks {
  readonly #blocks: Map<Hash, LeftBlock>
  /** The newest sealed block of each snapshot. */
  readonly #heads: Map<Hex, Hash>

  /** @param heads - The newest sealed block of each snapshot, by the snapshot's id. */
  constructor(blocks: Iterable<LeftBlock>, heads: ReadonlyMap<Hex, Hash>) {
    this.#blocks = new Map([...blocks].map((block) => [block.hash, block]))
    this.#heads = new Map(heads)
  }

  /** Adds a snapshot. */
  keep(id: Hex, head: Hash): void {
    this.#heads.set(id, head)
  }

  /** Removes a snapshot. */
  release(id: Hex): void {
    this.#heads.delete(id)
  }

  /** Whether there are snapshots. */
  get hasSnapshots(): boolean {
    return this.#heads.size > 0
  }

  /**
   * Whose state differences snapshots need, so that a revert brings back the states that the chain had: those of the
   * newest blocks below each snapshot's head.
   *
   * @returns Tells it for a block by its key; `isOnChain` says whether it is on the chain.
   */
  neededStates(store: Pick<ChainStore, 'blockByHash'>): (key: string, isOnChain: boolean) => boolean {
    const left = new Set<string>()
    /** Numbers of blocks on the chain. */
    const ranges: { readonly from: number; readonly to: number }[] = []
    for (const head of this.#heads.values()) {
      let block = this.#blocks.get(head)
      const newest = block ? numberOf(block.key) : store.blockByHash(head)?.header.number
      if (newest === undefined) continue
      const oldest = newest - STATES_KEPT + 2
      let to = newest
      for (; block && to >= oldest; to--) {
        left.add(block.key)
        block = this.#blocks.get(block.parentHash)
      }
      if (to >= oldest) ranges.push({ from: oldest, to })
    }
    return (key, isOnChain) => {
      const number = numberOf(key)
      return isOnChain ? ranges.some(({ from, to }) => number >= from && number <= to) : left.has(key)
    }
  }

  /** Adds a block that left the chain. */
  leave(block: LeftBlock): void {
    this.#blocks.set(block.hash, block)
  }

  /** Removes a block that is on the chain again. */
  rejoin(hash: Hash): void {
    this.#blocks.delete(hash)
  }

  /** Removes the blocks that no snapshot needs. Returns their keys. */
  sweep(): string[] {
    const needed = new Set<Hash>()
    for (const head of this.#heads.values()) {
      let block = this.#blocks.get(head)
      while (block && !needed.has(block.hash)) {
        needed.add(block.hash)
        block = this.#blocks.get(block.parentHash)
      }
    }
    const swept = [...this.#blocks.values()].filter(({ hash }) => !needed.has(hash))
    for (const { hash } of swept) this.#blocks.delete(hash)
    return swept.map(({ key }) => key)
  }
}
