import type { Clock } from '#primitives/clock.ts'
import type { Emitter } from '#primitives/emitter.ts'
import { type Hash, toQuantity } from '#primitives/hex.ts'
import type { TimelineEvent } from '#rpc-types/methods/devnet.ts'
import type { ChainEvents } from './events.ts'
import { NewestHashes } from './newest-hashes.ts'

/** How many transactions are remembered; the oldest are forgotten first. */
const CAPACITY = 50_000
/**
 * How many events are remembered for one transaction; the oldest are forgotten first. Repeated withdrawals can cause
 * many.
 */
export const MAX_EVENTS = 200

/**
 * The events of a transaction since it was received; immutable. Transactions of a block have most events in common, so
 * they share histories: the same event after the same history gives the same object.
 */
class TransactionHistory {
  /** Oldest first. */
  readonly events: readonly TimelineEvent[]
  /** A weak reference. Otherwise the first history would keep all later ones in memory. */
  #next: WeakRef<TransactionHistory> | undefined

  constructor(events: readonly TimelineEvent[]) {
    this.events = events
  }

  followedBy(event: TimelineEvent): TransactionHistory {
    const next = this.#next?.deref()
    if (next?.events.at(-1) === event) return next
    // `concat` allocates exactly what it needs, a spread allocates more.
    const made = new TransactionHistory(this.events.slice(1 - MAX_EVENTS).concat(event))
    this.#next = new WeakRef(made)
    return made
  }
}

/** The history of each transaction, with times measured in the node. */
export class Timeline {
  readonly #places = new NewestHashes(CAPACITY)
  /**
   * When each was received, by place: milliseconds since the Unix epoch; `NaN` if the transaction was already there when
   * the node started.
   */
  readonly #receivedAtMs: number[] = []
  /** By place. */
  readonly #histories: TransactionHistory[] = []
  readonly #empty = new TransactionHistory([])
  readonly #clock: Clock

  constructor(events: Emitter<ChainEvents>, clock: Clock) {
    this.#clock = clock
    events.on('accepted', ({ tx, replaced }) => {
      this.#receive(tx.hash, clock.now())
      if (replaced) this.#record(replaced.hash, { kind: 'replaced', atMs: clock.now(), by: tx.hash })
    })
    // Transactions with the same outcome share one event object, so they share their histories, too.
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
      const withdrawn = { kind: 'withdrawn', atMs: clock.now(), requeued: fate === 'requeue' } as const
      for (const { hash } of transactions) this.#record(hash, withdrawn)
    })
    events.on('dropped', ({ tx, reason }) => this.#record(tx.hash, { kind: 'dropped', atMs: clock.now(), reason }))
  }

  /** The transaction's history, oldest first; `undefined` if it was never received. */
  of(hash: Hash): readonly TimelineEvent[] | undefined {
    const place = this.#places.find(hash)
    if (place === undefined) return undefined
    const { events } = this.#histories[place] as TransactionHistory
    const atMs = this.#receivedAtMs[place] as number
    return Number.isNaN(atMs) ? events : [{ kind: 'received', atMs }, ...events]
  }

  #receive(hash: Hash, atMs: number): void {
    if (this.#places.find(hash) === undefined) this.#add(hash, atMs, this.#empty)
    else this.#record(hash, { kind: 'received', atMs })
  }

  #record(hash: Hash, event: TimelineEvent): void {
    const place = this.#places.find(hash)
    if (place === undefined) this.#add(hash, Number.NaN, this.#empty.followedBy(event))
    else this.#histories[place] = (this.#histories[place] as TransactionHistory).followedBy(event)
  }

  #add(hash: Hash, receivedAtMs: number, history: TransactionHistory): void {
    const place = this.#places.add(hash)
    this.#receivedAtMs[place] = receivedAtMs
    this.#histories[place] = history
  }
}
