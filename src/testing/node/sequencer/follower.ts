import { expect } from 'vitest'
import type { Hash } from '#primitives/hex.ts'
import type { PartialBlockDiff } from '#rpc-types/subscriptions.ts'
import type { TestNode } from '#testing/node/test-node.ts'

/** Follows the chain as a client would, only by `newPartialBlocks` and `newHeads`. */
export class Follower {
  live: { number: string; parentHash: string; hash: string; transactions: Hash[] } | undefined
  readonly #headsId: string
  readonly #sealed = new Set<Hash>()
  /** Hash of the last partial block seen for each number. */
  readonly #lastPartial = new Map<string, Hash>()
  #read = 0

  constructor(headsId: string) {
    this.#headsId = headsId
  }

  follow({ notifications }: TestNode): void {
    for (const { subscription, result } of notifications.slice(this.#read)) {
      if (subscription === this.#headsId) this.#head(result as { number: string; hash: Hash })
      else this.#partial(result as PartialBlockDiff)
    }
    this.#read = notifications.length
  }

  #head({ number, hash }: { number: string; hash: Hash }): void {
    // A snapshot may restore blocks that were sealed before.
    if (!this.#sealed.has(hash)) expect(hash).toBe(this.#lastPartial.get(number))
    this.#sealed.add(hash)
  }

  #partial({ base, diff, metadata }: PartialBlockDiff): void {
    if (base) this.live = { number: base.number, parentHash: base.parentHash, hash: diff.blockHash, transactions: [] }
    expect(this.live?.number, 'a diff without its base is of the block at hand').toBe(metadata.blockNumber)
    if (!this.live) return
    this.live.hash = diff.blockHash
    this.live.transactions.push(...diff.transactions.map(({ hash }) => hash))
    expect(this.live.transactions).toHaveLength(metadata.transactionCount)
    this.#lastPartial.set(metadata.blockNumber, diff.blockHash)
  }
}
