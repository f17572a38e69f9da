import type { Address } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import { feeCap, type Transaction, tipCap } from '../tx/transaction.ts'
import { Heap } from './heap.ts'
import type { PooledTransaction, SenderQueue } from './sender-queue.ts'

/** The limit that a transaction counts towards. */
export type PoolPart = 'pending' | 'queued'

/**
 * Finds what a full pool can evict. Only the last transaction of a sender in a part can go, so that none is orphaned.
 * The worst has the lowest tip, then the lowest fee cap, then the latest arrival.
 */
export class WorstTransactions {
  readonly #queues: ReadonlyMap<Address, SenderQueue>
  /** Built at the first query and kept until the pool is empty, since most pools are never full. */
  #heaps: Readonly<Record<PoolPart, Heap<SenderQueue>>> | undefined

  /** @param queues - The pool's live map of all queues. */
  constructor(queues: ReadonlyMap<Address, SenderQueue>) {
    this.#queues = queues
  }

  /** Updates the heaps after a change of the queue; must follow each change. */
  update(queue: SenderQueue): void {
    if (this.#heaps === undefined) return
    place(queue, this.#heaps.pending, 'pending')
    place(queue, this.#heaps.queued, 'queued')
    if (this.#queues.size === 0) this.#heaps = undefined
  }

  #heap(part: PoolPart): Heap<SenderQueue> {
    this.#heaps ??= { pending: heapOf(this.#queues, 'pending'), queued: heapOf(this.#queues, 'queued') }
    return this.#heaps[part]
  }

  /** The worst transaction and its queue. Never one of the sender's own at or before `tx`, which may build on it. */
  find(
    part: PoolPart,
    tx: Transaction,
  ): { readonly queue: SenderQueue; readonly pooled: PooledTransaction } | undefined {
    const heap = this.#heap(part)
    const first = heap.peek()
    const own = first?.address === tx.sender && (lastOf(first, part) as PooledTransaction).tx.nonce <= tx.nonce
    if (!first || !own) return withLast(first, part)
    heap.remove(first)
    const second = heap.peek()
    heap.put(first)
    return withLast(second, part)
  }

  /** The worst transaction of a part, and its queue. */
  first(part: PoolPart): { readonly queue: SenderQueue; readonly pooled: PooledTransaction } | undefined {
    return withLast(this.#heap(part).peek(), part)
  }
}

/** Whether a full pool evicts `pooled` in favour of `tx`. */
export function isWorse(pooled: Transaction, tx: Transaction): boolean {
  const difference = tipCap(pooled) - tipCap(tx)
  return difference < 0n || (difference === 0n && feeCap(pooled) < feeCap(tx))
}

function heapOf(queues: ReadonlyMap<Address, SenderQueue>, part: PoolPart): Heap<SenderQueue> {
  const filled = [...queues.values()].filter((queue) => lastOf(queue, part))
  return new Heap((a, b) => compare(lastOf(a, part), lastOf(b, part)), filled)
}

function place(queue: SenderQueue, heap: Heap<SenderQueue>, part: PoolPart): void {
  if (lastOf(queue, part)) heap.put(queue)
  else heap.remove(queue)
}

function lastOf(queue: SenderQueue, part: PoolPart): PooledTransaction | undefined {
  return part === 'pending' ? queue.lastExecutable : queue.lastQueued
}

function withLast(queue: SenderQueue | undefined, part: PoolPart) {
  const pooled = queue && lastOf(queue, part)
  return pooled && { queue, pooled }
}

function compare(a: PooledTransaction | undefined, b: PooledTransaction | undefined): number {
  invariant(a && b, 'a queue without such a transaction is in the heap')
  if (isWorse(a.tx, b.tx)) return -1
  if (isWorse(b.tx, a.tx)) return 1
  return b.arrival - a.arrival
}
