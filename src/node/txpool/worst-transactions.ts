import { invariant } from '#primitives/invariant.ts'
import { feeCap, type Transaction, tipCap } from '../tx/transaction.ts'
import { Heap } from './heap.ts'
import type { PooledTransaction, SenderQueue } from './sender-queue.ts'

/** Which limit a transaction counts for. */
export type PoolPart = 'pending' | 'queued'

/**
 * Finds what a full pool can do without. Only a sender's last transaction of a part can go, so that none is orphaned;
 * the worst of those has the lowest tip, then the lowest fee cap, then came last.
 */
export class WorstTransactions {
  readonly #heaps: Readonly<Record<PoolPart, Heap<SenderQueue>>> = {
    pending: new Heap<SenderQueue>((a, b) => compare(lastOf(a, 'pending'), lastOf(b, 'pending'))),
    queued: new Heap<SenderQueue>((a, b) => compare(lastOf(a, 'queued'), lastOf(b, 'queued'))),
  }

  /** Takes note of a change in the queue; has to be called after each. */
  update(queue: SenderQueue): void {
    for (const part of ['pending', 'queued'] as const) {
      if (lastOf(queue, part)) this.#heaps[part].put(queue)
      else this.#heaps[part].remove(queue)
    }
  }

  /** The worst, and whose it is; none of the sender's own at or before `tx`, which may build on them. */
  find(
    part: PoolPart,
    tx: Transaction,
  ): { readonly queue: SenderQueue; readonly pooled: PooledTransaction } | undefined {
    const heap = this.#heaps[part]
    const first = heap.peek()
    const own = first?.address === tx.sender && (lastOf(first, part) as PooledTransaction).tx.nonce <= tx.nonce
    if (!first || !own) return withLast(first, part)
    heap.remove(first)
    const second = heap.peek()
    heap.put(first)
    return withLast(second, part)
  }

  /** The worst of all. */
  first(part: PoolPart): { readonly queue: SenderQueue; readonly pooled: PooledTransaction } | undefined {
    return withLast(this.#heaps[part].peek(), part)
  }
}

/** Whether a full pool gives up `pooled` for `tx`. */
export function isWorse(pooled: Transaction, tx: Transaction): boolean {
  const difference = tipCap(pooled) - tipCap(tx)
  return difference < 0n || (difference === 0n && feeCap(pooled) < feeCap(tx))
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
