import type { Emitter } from '#primitives/emitter.ts'
import { invariant } from '#primitives/invariant.ts'
import type { PartialBlock, SealedBlock } from '../payload/block.ts'
import { type BuilderDeps, type HeaderWish, PayloadBuilder, sealPartial } from '../payload/payload-builder.ts'
import type { WorldState } from '../state/world-state.ts'
import type { ChainStore } from '../storage/chain-store.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { TxPool } from '../txpool/txpool.ts'
import type { ChainEvents } from './events.ts'

export interface LiveBlockDeps extends BuilderDeps {
  readonly store: ChainStore
  readonly pool: TxPool
  readonly events: Emitter<ChainEvents>
  /** Takes what only a developer of the node needs to know. */
  readonly log: (message: string, details?: unknown) => void
}

/** The chain's present, to be restored later. */
export interface ChainSnapshot {
  readonly headNumber: number
  readonly builder: PayloadBuilder
  readonly partial: PartialBlock
}

/** What becomes of transactions whose block or partial block is withdrawn. */
export type WithdrawnFate = 'requeue' | 'lose'

/**
 * The block under construction and the head before it. It knows nothing of time; its owner sees to it that one
 * operation ends before the next begins.
 */
export class LiveBlock {
  readonly #deps: LiveBlockDeps
  #builder: PayloadBuilder

  private constructor(deps: LiveBlockDeps, builder: PayloadBuilder) {
    this.#deps = deps
    this.#builder = builder
  }

  /** Opens the block after the head and cuts its index 0. */
  static async open(deps: LiveBlockDeps, wish: HeaderWish): Promise<LiveBlock> {
    const builder = await PayloadBuilder.open(deps, deps.store.head(), wish)
    deps.store.setPending(builder.cut(0, undefined, deps.clock.now()))
    return new LiveBlock(deps, builder)
  }

  get partial(): PartialBlock {
    return this.#deps.store.pending()
  }

  /**
   * Fills the block from the pool and cuts it at `index`.
   *
   * @param gasShare - Gas that the block may hold so far.
   * @param fresh - Whether this is the first cut of the block that anyone is told of.
   */
  async extend(index: number, gasShare: bigint, fresh: boolean): Promise<void> {
    const { clock, pool, events, log } = this.#deps
    const startedAt = clock.now()
    const dropped = await this.#builder.extend(index, gasShare, pool)
    this.#publish(this.#builder.cut(index, fresh ? undefined : this.partial, startedAt))
    for (const { tx, reason, cause } of dropped) {
      if (cause !== undefined) log(`transaction ${tx.hash} dropped: ${reason}`, cause)
      events.emit('dropped', { tx, reason })
    }
  }

  /** Seals the block and opens the next one, so that `latest` moves before anything more is executed. */
  async seal(wish: HeaderWish): Promise<SealedBlock> {
    const { store, events, clock } = this.#deps
    const startedAt = clock.now()
    const block = sealPartial(this.partial)
    this.#builder = await PayloadBuilder.open(this.#deps, block, wish, this.#builder)
    store.seal(block, this.#builder.cut(0, undefined, startedAt))
    events.emit('seal', { block })
    return block
  }

  /** Opens the block anew, with another header. Nothing may have been included yet. */
  async reopen(wish: HeaderWish): Promise<void> {
    invariant(this.partial.transactions.length === 0, 'a block with transactions was opened anew')
    await this.#openOn(wish)
    this.#publish(this.#builder.cut(0, undefined, this.#deps.clock.now()))
  }

  /** Changes the state outside of any transaction, and cuts the present index anew. */
  edit<Result>(change: (state: WorldState) => Result): Result {
    const startedAt = this.#deps.clock.now()
    const result = this.#builder.edit(change)
    this.#publish(this.#builder.cut(this.partial.index, this.partial, startedAt))
    return result
  }

  /**
   * Withdraws the newest `count` partial blocks, at most all of them.
   *
   * @returns The transactions that were in them.
   */
  drop(count: number, fate: WithdrawnFate): readonly Transaction[] {
    const { clock } = this.#deps
    const { index, transactions } = this.partial
    const last = Math.max(-1, index - count)
    const withdrawn = transactions.filter(({ partialIndex }) => partialIndex > last).map(({ tx }) => tx)
    this.#builder.rewind(last)
    const partial = this.#builder.cut(Math.max(0, last), undefined, clock.now())
    // Whoever follows takes the block whole again, but none of what is left is new.
    this.#replace({ ...partial, firstNew: partial.transactions.length }, withdrawn, fate)
    return withdrawn
  }

  /**
   * Takes back the newest `depth` sealed blocks and the live one.
   *
   * @returns The blocks that are gone, newest first.
   */
  async reorg(depth: number, wish: HeaderWish, fate: WithdrawnFate): Promise<readonly SealedBlock[]> {
    const { store, events, clock } = this.#deps
    const live = this.partial.transactions.map(({ tx }) => tx)
    const removed = store.truncate(store.head().header.number - depth)
    const sealed = removed.toReversed().flatMap(({ transactions }) => transactions.map(({ tx }) => tx))
    await this.#openOn(wish)
    events.emit('reorg', { removed, head: store.head() })
    this.#replace(this.#builder.cut(0, undefined, clock.now()), [...sealed, ...live], fate)
    return removed
  }

  snapshot(): ChainSnapshot {
    return {
      headNumber: this.#deps.store.head().header.number,
      builder: this.#builder.fork(),
      partial: this.partial,
    }
  }

  /** Goes back to a snapshot of this chain; what was included since is lost. */
  restore({ headNumber, builder, partial }: ChainSnapshot): void {
    const { store, events } = this.#deps
    const kept = new Set(partial.transactions.map(({ tx }) => tx.hash))
    const live = this.partial.transactions.map(({ tx }) => tx)
    const removed = store.truncate(headNumber)
    const sealed = removed.toReversed().flatMap(({ transactions }) => transactions.map(({ tx }) => tx))
    this.#builder = builder.fork()
    if (removed.length > 0) events.emit('reorg', { removed, head: store.head() })
    const withdrawn = [...sealed, ...live].filter(({ hash }) => !kept.has(hash))
    const back = { ...partial, restarts: true, firstNew: partial.transactions.length }
    this.#replace(back, withdrawn, 'lose')
  }

  async #openOn(wish: HeaderWish): Promise<void> {
    this.#builder = await PayloadBuilder.open(this.#deps, this.#deps.store.head(), wish)
  }

  /** Publishes a block that has less than the one before. */
  #replace(partial: PartialBlock, withdrawn: readonly Transaction[], fate: WithdrawnFate): void {
    const { store, pool, events } = this.#deps
    store.setPending(partial)
    if (fate === 'requeue') pool.reinsert(withdrawn)
    events.emit('withdrawn', { transactions: withdrawn, fate })
    this.#publish(partial)
  }

  #publish(partial: PartialBlock): void {
    const { store, pool, events } = this.#deps
    store.setPending(partial)
    for (const { tx, reason } of pool.settle()) events.emit('dropped', { tx, reason })
    events.emit('partial', { partial })
  }
}
