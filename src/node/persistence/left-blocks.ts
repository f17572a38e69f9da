import type { Hash, Hex } from '#primitives/hex.ts'

/** A block of the journal that is not on the chain. */
export interface LeftBlock {
  readonly hash: Hash
  readonly parentHash: Hash
  /** Its key in the journal. */
  readonly key: string
}

/** The blocks that the chain has left behind, of which the journal keeps those that snapshots stand on. */
export class LeftBlocks {
  readonly #blocks: Map<Hash, LeftBlock>
  /** The newest sealed block of each snapshot. */
  readonly #heads: Map<Hex, Hash>

  /** @param heads - The newest sealed block of each snapshot, by the snapshot's id. */
  constructor(blocks: Iterable<LeftBlock>, heads: ReadonlyMap<Hex, Hash>) {
    this.#blocks = new Map([...blocks].map((block) => [block.hash, block]))
    this.#heads = new Map(heads)
  }

  /** Takes note of a snapshot. */
  keep(id: Hex, head: Hash): void {
    this.#heads.set(id, head)
  }

  /** Forgets a snapshot. */
  release(id: Hex): void {
    this.#heads.delete(id)
  }

  /** The chain goes on without the block. */
  leave(block: LeftBlock): void {
    this.#blocks.set(block.hash, block)
  }

  /** The block is on the chain again. */
  rejoin(hash: Hash): void {
    this.#blocks.delete(hash)
  }

  /** Forgets the blocks that no snapshot stands on; answers their keys. */
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
