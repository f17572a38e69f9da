import type { Clock } from '#primitives/clock.ts'
import type { Emitter } from '#primitives/emitter.ts'
import { type Hash, toQuantity } from '#primitives/hex.ts'
import type { TimelineEvent } from '#rpc-types/devnet.ts'
import type { ChainEvents } from './events.ts'

/** Transactions remembered; the oldest are forgotten first. */
const CAPACITY = 50_000
/** Events remembered of one transaction; the oldest are forgotten first. One that is withdrawn again and again has many. */
export const MAX_EVENTS = 200

/** The history of one transaction, as far as it is known. */
interface History {
  /** Milliseconds since the Unix epoch; `undefined` of one that was there when the node started. */
  readonly receivedAtMs: number | undefined
  course: Course
}

/**
 * What has happened to transactions since they were received. To a block full of them the same happens at the same time,
 * so they share it: what happens next makes one course of one, whoever tells it.
 */
class Course {
  /** Oldest first. */
  readonly events: readonly TimelineEvent[]
  /** Weak, as else the first one would keep all that came of it. */
  #newest: WeakRef<Course> | undefined

  constructor(events: readonly TimelineEvent[]) {
    this.events = events
  }

  followedBy(event: TimelineEvent): Course {
    const newest = this.#newest?.deref()
    if (newest?.events.at(-1) === event) return newest
    // `concat` takes as much room as is needed, a spread takes more.
    const made = new Course(this.events.slice(1 - MAX_EVENTS).concat(event))
    this.#newest = new WeakRef(made)
    return made
  }
}

/** The history of each transaction, with times measured in the node. */
export class Timeline {
  readonly #histories = new Map<Hash, History>()
  /** Goes along with what is forgotten: a new iterator would have to pass all that was, as nothing moves up in a map. */
  readonly #oldest = this.#histories.keys()
  readonly #untouched = new Course([])
  readonly #clock: Clock

  constructor(events: Emitter<ChainEvents>, clock: Clock) {
    this.#clock = clock
    events.on('accepted', ({ tx, replaced }) => {
      this.#receive(tx.hash, clock.now())
      if (replaced) this.#record(replaced.hash, { kind: 'replaced', atMs: clock.now(), by: tx.hash })
    })
    // Those to which the same has happened are told the same event.
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
    const history = this.#histories.get(hash)
    if (history === undefined) return undefined
    const { receivedAtMs, course } = history
    return receivedAtMs === undefined ? course.events : [{ kind: 'received', atMs: receivedAtMs }, ...course.events]
  }

  #receive(hash: Hash, atMs: number): void {
    if (this.#histories.has(hash)) this.#record(hash, { kind: 'received', atMs })
    else this.#add(hash, { receivedAtMs: atMs, course: this.#untouched })
  }

  #record(hash: Hash, event: TimelineEvent): void {
    const history = this.#histories.get(hash)
    if (history) history.course = history.course.followedBy(event)
    else this.#add(hash, { receivedAtMs: undefined, course: this.#untouched.followedBy(event) })
  }

  #add(hash: Hash, history: History): void {
    this.#histories.set(hash, history)
    if (this.#histories.size <= CAPACITY) return
    const { value: oldest } = this.#oldest.next()
    if (oldest) this.#histories.delete(oldest)
  }
}
