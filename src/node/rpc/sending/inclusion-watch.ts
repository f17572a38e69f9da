import type { Clock } from '#primitives/clock.ts'
import type { Emitter } from '#primitives/emitter.ts'
import type { Hash } from '#primitives/hex.ts'
import type { Block, IncludedTransaction } from '../../payload/block.ts'
import type { ChainEvents } from '../../sequencer/events.ts'

/** The outcome of waiting for a transaction. */
export type Inclusion =
  | { readonly kind: 'included'; readonly included: IncludedTransaction; readonly block: Block }
  | { readonly kind: 'dropped'; readonly reason: string }
  | { readonly kind: 'replaced'; readonly by: Hash }
  | { readonly kind: 'timeout' }

type Settle = (inclusion: Inclusion) => void

/** Notifies waiting callers of the outcome of pooled transactions. One set of listeners serves all of them. */
export class InclusionWatch {
  readonly #clock: Clock
  readonly #waiting = new Map<Hash, Set<Settle>>()

  constructor({ events, clock }: { readonly events: Emitter<ChainEvents>; readonly clock: Clock }) {
    this.#clock = clock
    events.on('partial', ({ partial }) => this.#include(partial, partial.transactions.slice(partial.firstNew)))
    events.on('dropped', ({ tx, reason }) => this.#settle(tx.hash, { kind: 'dropped', reason }))
    events.on('accepted', ({ tx, replaced }) => {
      if (replaced) this.#settle(replaced.hash, { kind: 'replaced', by: tx.hash })
    })
  }

  /** Resolves when the transaction is pre-confirmed, has left the pool in another way, or after `timeoutMs`. */
  wait(hash: Hash, timeoutMs: number): Promise<Inclusion> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(hash) ?? new Set()
      const settle: Settle = (inclusion) => {
        cancel()
        waiting.delete(settle)
        if (waiting.size === 0) this.#waiting.delete(hash)
        resolve(inclusion)
      }
      const cancel = this.#clock.schedule(() => settle({ kind: 'timeout' }), timeoutMs)
      this.#waiting.set(hash, waiting.add(settle))
    })
  }

  #include(block: Block, transactions: readonly IncludedTransaction[]): void {
    if (this.#waiting.size === 0) return
    for (const included of transactions) this.#settle(included.tx.hash, { kind: 'included', included, block })
  }

  #settle(hash: Hash, inclusion: Inclusion): void {
    for (const settle of [...(this.#waiting.get(hash) ?? [])]) settle(inclusion)
  }
}
