import type { Address } from '#primitives/hex.ts'
import { effectiveTip, feeCap, type Transaction } from '../tx/transaction.ts'
import { Heap } from './heap.ts'
import type { PooledTransaction, SenderQueue } from './sender-queue.ts'

interface Candidate {
  readonly queue: SenderQueue
  readonly pooled: PooledTransaction
  /** Wei per gas. */
  readonly tip: bigint
}

/**
 * The transactions that a tick may execute, best first: of each sender's next ones the one with the highest effective
 * tip, then the one that was received first. The pool may change meanwhile; senders that are new to it wait for the
 * next tick.
 */
export class BestTransactions {
  readonly #baseFee: bigint
  readonly #isWanted: (tx: Transaction) => boolean
  readonly #candidates: Heap<Candidate>
  readonly #skipped = new Set<Address>()
  #taken: Candidate | undefined

  /**
   * @param baseFee - Wei per gas.
   * @param isWanted - Where it says no, that transaction and the later ones of its sender wait.
   */
  constructor(queues: Iterable<SenderQueue>, baseFee: bigint, isWanted: (tx: Transaction) => boolean = () => true) {
    this.#baseFee = baseFee
    this.#isWanted = isWanted
    const candidates: Candidate[] = []
    for (const queue of queues) {
      const candidate = this.#candidate(queue, queue.nonce)
      if (candidate) candidates.push(candidate)
    }
    this.#candidates = new Heap(better, candidates)
  }

  /** The best one left; each comes once, after those of its sender with lower nonces. `undefined`: no more this tick. */
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
      // It was replaced or removed since it was offered.
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
    return { queue, pooled, tip: effectiveTip(pooled.tx, this.#baseFee) }
  }
}

function better(a: Candidate, b: Candidate): number {
  if (a.tip !== b.tip) return a.tip > b.tip ? -1 : 1
  return a.pooled.arrival - b.pooled.arrival
}
