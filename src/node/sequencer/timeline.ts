import type { Clock } from '#primitives/clock.ts'
import type { Emitter } from '#primitives/emitter.ts'
import { type Hash, toQuantity } from '#primitives/hex.ts'
import type { TimelineEvent } from '#rpc-types/devnet.ts'
import type { ChainEvents } from './events.ts'

/** Transactions remembered; the oldest are forgotten first. */
const CAPACITY = 50_000

/** What happened to each transaction, and when, measured in the node. */
export class Timeline {
  readonly #histories = new Map<Hash, TimelineEvent[]>()
  readonly #clock: Clock

  constructor(events: Emitter<ChainEvents>, clock: Clock) {
    this.#clock = clock
    events.on('accepted', ({ tx, replaced }) => {
      this.#record(tx.hash, { kind: 'received', atMs: clock.now() })
      if (replaced) this.#record(replaced.hash, { kind: 'replaced', atMs: clock.now(), by: tx.hash })
    })
    events.on('partial', ({ partial }) => {
      for (const { tx, receipt } of partial.transactions.slice(partial.firstNew)) {
        this.#record(tx.hash, {
          kind: 'preconfirmed',
          atMs: partial.cutAtMs,
          blockNumber: toQuantity(partial.header.number),
          index: partial.index,
          status: receipt.status === 1 ? 'success' : 'reverted',
        })
      }
    })
    events.on('seal', ({ block }) => {
      const atMs = this.#clock.now()
      const blockNumber = toQuantity(block.header.number)
      for (const { tx } of block.transactions) {
        this.#record(tx.hash, { kind: 'sealed', atMs, blockNumber, blockHash: block.hash })
      }
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
      history.push(event)
      return
    }
    this.#histories.set(hash, [event])
    if (this.#histories.size > CAPACITY) {
      const oldest = this.#histories.keys().next().value
      if (oldest) this.#histories.delete(oldest)
    }
  }
}
