import type { Clock } from '#primitives/clock.ts'
import type { Emitter } from '#primitives/emitter.ts'
import { type Hash, toQuantity } from '#primitives/hex.ts'
import type { TimelineEvent } from '#rpc-types/devnet.ts'
import type { ChainEvents } from './events.ts'

/** Transactions remembered; the oldest are forgotten first. */
const CAPACITY = 50_000

/** What happened to each transaction, and when, measured in the node. */
export class Timeline {
  readonly #histories = new Map<Hash, readonly TimelineEvent[]>()
  readonly #clock: Clock

  constructor(events: Emitter<ChainEvents>, clock: Clock) {
    this.#clock = clock
    events.on('accepted', ({ tx, replaced }) => {
      this.#record(tx.hash, { kind: 'received', atMs: clock.now() })
      if (replaced) this.#record(replaced.hash, { kind: 'replaced', atMs: clock.now(), by: tx.hash })
    })
    // Those to whom the same has happened share the event.
    events.on('partial', ({ partial }) => {
      const { cutAtMs: atMs, index } = partial
      const blockNumber = toQuantity(partial.header.number)
      const succeeded = { kind: 'preconfirmed', atMs, blockNumber, index, status: 'success' } as const
      const reverted = { kind: 'preconfirmed', atMs, blockNumber, index, status: 'reverted' } as const
      for (const { tx, receipt } of partial.transactions.slice(partial.firstNew)) {
        this.#record(tx.hash, receipt.status === 1 ? succeeded : reverted)
      }
    })
    events.on('seal', ({ block }) => {
      const blockNumber = toQuantity(block.header.number)
      const sealed = { kind: 'sealed', atMs: this.#clock.now(), blockNumber, blockHash: block.hash } as const
      for (const { tx } of block.transactions) this.#record(tx.hash, sealed)
    })
    events.on('withdrawn', ({ transactions, fate }) => {
      for (const { hash } of transactions) {
        this.#record(hash, { kind: 'withdrawn', atMs: clock.now(), requeued: fate === 'requeue' })
      }
    })
    events.on('dropped', ({ tx, reason }) => this.#record(tx.hash, { kind: 'dropped', atMs: clock.now(), reason }))
  }

  /** The transaction's history, oldest first; `undefined` if it was never received. */
  of(hash: Hash): readonly TimelineEvent[] | undefined {
    return this.#histories.get(hash)
  }

  #record(hash: Hash, event: TimelineEvent): void {
    const history = this.#histories.get(hash)
    if (history) {
      // An array that grows by one takes room for sixteen more.
      this.#histories.set(hash, [...history, event])
      return
    }
    this.#histories.set(hash, [event])
    if (this.#histories.size > CAPACITY) {
      const oldest = this.#histories.keys().next().value
      if (oldest) this.#histories.delete(oldest)
    }
  }
}
