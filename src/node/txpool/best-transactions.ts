import type { Address } from '#primitives/hex.ts'
import { effectiveTip, feeCap, type Transaction } from '../tx/transaction.ts'
import { Heap } from './heap.ts'
import type { PooledTransaction, SenderQueue } from './sender-queue.ts'
import type { TimeLimits } from './time-limits.ts'

interface Candidate {
  readonly queue: SenderQueue
  readonly pooled: PooledTransaction
  /** The sender's rank; the lowest comes first. */
  readonly rank: number
  /** Wei per gas. */
  readonly tip: bigint
}

/**
 * The transactions that a tick may execute, best first. Each sender's next transaction is a candidate; the lowest rank
 * wins, then the highest effective tip, then the earliest arrival. The pool may change meanwhile; senders new to the
 * pool wait for the next tick.
 */
export class BestTransactions {
  readonly #baseFee: bigint
  readonly #isWanted: (tx: Transaction) => boolean
  readonly #limits: Pick<TimeLimits, 'rankOf'> | undefined
  readonly #candidates: Heap<Candidate>
  readonly #skipped = new Set<Address>()
  #taken: Candidate | undefined

  /**
   * @param baseFee - Wei per gas.
   * @param limits - Ranks the senders; by default all have the same rank.
   * @param isWanted - If it rejects a transaction, that one and the sender's later ones wait.
   */
  constructor(
    queues: Iterable<SenderQueue>,
    baseFee: bigint,
    limits?: Pick<TimeLimits, 'rankOf'>,
    isWanted: (tx: Transaction) => boolean = () => true,
  ) {
    this.#baseFee = baseFee
    this.#limits = limits
    this.#isWanted = isWanted
    const candidates: Candidate[] = []
    for (const queue of queues) {
      const candidate = this.#candidate(queue, queue.nonce)
      if (candidate) candidates.push(candidate)
    }
    this.#candidates = new Heap(better, candidates)
  }

  /**
   * The best remaining transaction, or `undefined` if there are no more this tick. Each comes once, after its sender's
   * lower nonces.
   */
  next(): Transaction | undefined {
    if (this.#taken) this.#offer(this.#taken.queue, this.#taken.pooled.tx.nonce + 1n)
    this.#taken = undefined
    for (;;) {
      const best = this.#candidates.pop()
      if (!best) return undefined
      const { queue, pooled } = best
      if (this.#skipped.has(queue.address)) continue
      if (queue.executableAt(pooled.tx.nonce) === pooled) {
        this.#taken = best
        return pooled.tx
      }
      // The transaction was replaced or removed after it was queued here.
      this.#offer(queue, pooled.tx.nonce)
    }
  }

  /** Leaves out the rest of a sender's transactions this tick. */
  skipSender(address: Address): void {
    this.#skipped.add(address)
  }

  #offer(queue: SenderQueue, nonce: bigint): void {
    const candidate = this.#candidate(queue, nonce)
    if (candidate) this.#candidates.put(candidate)
  }

  #candidate(queue: SenderQueue, nonce: bigint): Candidate | undefined {
    const pooled = queue.executableAt(nonce)
    if (!pooled || feeCap(pooled.tx) < this.#baseFee || !this.#isWanted(pooled.tx)) return undefined
    const rank = this.#limits?.rankOf(queue.address) ?? 0
    return { queue, pooled, rank, tip: effectiveTip(pooled.tx, this.#baseFee) }
  }
}

function better(a: Candidate, b: Candidate): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  if (a.tip !== b.tip) return a.tip > b.tip ? -1 : 1
  return a.pooled.arrival - b.pooled.arrival
}
