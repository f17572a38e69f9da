import type { Hash, Hex } from '#primitives/hex.ts'

/** A block of the journal that is not on the chain. */
export interface LeftBlock {
  readonly hash: Hash
  readonly parentHash: Hash
  /** Its key in the journal. */
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
