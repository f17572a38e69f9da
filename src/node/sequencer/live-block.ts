// Longer than most files: it is one class, whose operations all replace the block under construction and undo that on failure.
import type { Emitter } from '#primitives/emitter.ts'
import { invariant } from '#primitives/invariant.ts'
import type { WithdrawnFate } from '#rpc-types/methods/devnet.ts'
import type { IncludedTransaction, PartialBlock, SealedBlock } from '../payload/block.ts'
import {
  type BuilderCheckpoint,
  type BuilderDeps,
  type HeaderOverrides,
  PayloadBuilder,
} from '../payload/payload-builder.ts'
import { sealPartial } from '../payload/seal-partial.ts'
import { MissingStateError } from '../state/missing-state.ts'
import type { WorldState } from '../state/world-state.ts'
import type { BlockSequence } from '../storage/block-list.ts'
import type { ChainStore } from '../storage/chain-store.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { BlockSource, Mempool } from '../txpool/mempool.ts'
import type { ChainEvents } from './events.ts'
import type { ChainSnapshot } from './production-state.ts'
import { type LiveContent, rebuildBlock } from './rebuild-block.ts'

export interface LiveBlockDeps extends BuilderDeps {
  /**
   * Whether automine puts all that waits into the block of the next transaction, as Hardhat does; else it is sealed as soon as
   * automine begins, and each transaction has a block with its sender's earlier ones alone.
   */
  readonly minesAll?: boolean
  /** Whether a block by the clock that has as few partial blocks as can be is filled when it is sealed, and not before. */
  readonly fillsAtSeal?: boolean
  readonly store: ChainStore
  readonly mempool: Mempool
  readonly events: Emitter<ChainEvents>
  readonly storage: {
    /**
     * Writes a partial block before it is announced, so that it survives the end of the node.
     *
     * @param seals - Whether the block is about to be sealed as it is. If the node ends before that, it seals the block
     * at its next start.
     * @throws {JournalError} If it could not be written; then the block must not be announced.
     */
    record(partial: PartialBlock, seals?: boolean): Promise<void>
  }
}

/** Accounts or slots that are edited before others have the thread. */
const STEPS_AT_ONCE = 1_000

/**
 * The block under construction and the head before it. It knows nothing of time. Its owner runs one operation at a
 * time.
 */
export class LiveBlock {
  readonly #deps: LiveBlockDeps
  #builder: PayloadBuilder
  /** The block that the journal has recorded as about to be sealed. */
  #toSeal: PartialBlock | undefined

  private constructor(deps: LiveBlockDeps, builder: PayloadBuilder) {
    this.#deps = deps
    this.#builder = builder
  }

  /** Opens the block after the head and cuts its index 0. */
  static async open(deps: LiveBlockDeps, overrides: HeaderOverrides): Promise<LiveBlock> {
    const builder = await PayloadBuilder.open(deps, deps.store.head(), overrides)
    deps.store.setPending(builder.cut(0, undefined, deps.clock.now()))
    return new LiveBlock(deps, builder)
  }

  /**
   * Rebuilds the live block of an earlier run on the head.
   *
   * @throws {InvariantError} If the result differs from the stored block.
   */
  static async restore(deps: LiveBlockDeps, content: LiveContent): Promise<LiveBlock> {
    const startedAt = deps.clock.now()
    const { builder, partial } = await rebuildBlock(deps, deps.store.head(), content, startedAt)
    deps.store.setPending(partial)
    return new LiveBlock(deps, builder)
  }

  get partial(): PartialBlock {
    return this.#deps.store.pending()
  }

  /** Whether the block holds neither transactions nor edits, so that reopening it loses nothing. */
  get isUntouched(): boolean {
    return this.#builder.isUntouched
  }

  /**
   * Fills the block from the pool and cuts it at `index`.
   *
   * @param gasShare - The most gas the block may hold so far.
   * @param fresh - Whether this is the block's first announced cut.
   * @param budgetMs - Milliseconds after which no further transaction starts; by default a tick's budget.
   * @param seals - Whether {@link seal} follows; then this one write covers both.
   * @param source - Where its transactions come from; by default the whole pool.
   */
  async extend(
    index: number,
    gasShare: bigint,
    fresh: boolean,
    budgetMs?: number,
    seals: boolean = false,
    source?: BlockSource,
  ): Promise<void> {
    const { mempool, storage } = this.#deps
    const before = this.#builder.checkpoint
    let partial: PartialBlock
    try {
      partial = await this.#fill(index, gasShare, fresh, budgetMs, source)
      await storage.record(partial, seals)
    } catch (error) {
      // Nobody has seen this cut. The block stays what `pending` says, and the executed transactions go back to the
      // pool.
      this.#undo(before)
      throw error
    }
    this.#publish(partial)
    mempool.dropUnpriced(partial.header.baseFeePerGas)
    this.#tellConsole(partial)
    if (seals) this.#toSeal = partial
  }

  /**
   * Executes the pool's transactions and cuts. If the node itself fails on a transaction, that one is dropped and the
   * others are executed again without it.
   */
  async #fill(
    index: number,
    gasShare: bigint,
    fresh: boolean,
    budgetMs: number | undefined,
    source: BlockSource = this.#deps.mempool,
  ): Promise<PartialBlock> {
    const { clock, fork, mempool, spec } = this.#deps
    const startedAt = clock.now()
    const before = this.#builder.checkpoint
    const previous = fresh ? undefined : this.partial
    let budget = budgetMs
    for (let most = Number.POSITIVE_INFINITY; ; ) {
      try {
        await this.#builder.extend(index, gasShare, source, budget, most)
        return this.#builder.cut(index, previous, startedAt)
      } catch (error) {
        const { handled } = this.#builder
        const claimed = mempool.claimed()
        this.#undo(before)
        // This transaction waits for what it lacks, and the others run again without it.
        if (handled && error instanceof MissingStateError && fork) {
          fork.wait(handled, error.missing)
          // However many lack something, the tick takes its time once.
          budget = Math.max(0, startedAt + (budgetMs ?? spec.tickBudgetMs) - clock.now())
          continue
        }
        // If the cut failed, execute one transaction at a time to find the one at fault. Without transactions, none is.
        const faulty = handled ?? (claimed.length === 1 ? claimed[0] : undefined)
        if (faulty) {
          const reason = `the node failed on it: ${messageOf(error)}`
          mempool.failReleased({ tx: faulty, reason, cause: error })
        } else if (claimed.length > 1) most = 1
        else throw error
      } finally {
        mempool.tellFailed()
      }
    }
  }

  /**
   * The block as {@link extend} would make it of the whole pool, without changing anything.
   *
   * @throws {MissingStateError} Never on a fork: a transaction that lacks something is left out, and fetches it.
   */
  async preview(): Promise<PartialBlock> {
    const { clock, fork, mempool, spec } = this.#deps
    const { partial } = this
    const base = this.#builder.branch()
    const startedAt = clock.now()
    const source = mempool.sourceToLookAt()
    for (;;) {
      const builder = base.branch()
      try {
        await builder.extend(partial.index, partial.header.gasLimit, source, spec.callTimeoutMs)
        return builder.cut(partial.index, partial, startedAt)
      } catch (error) {
        const { handled } = builder
        if (!handled || !fork || !(error instanceof MissingStateError)) throw error
        fork.wait(handled, error.missing)
      }
    }
  }

  #tellConsole({ header }: PartialBlock): void {
    for (const { tx, calls, error } of this.#builder.takeConsole()) {
      this.#deps.events.emit('console', {
        calls,
        transactionHash: tx.hash,
        method: null,
        from: tx.sender,
        to: tx.to,
        blockNumber: header.number,
        error,
      })
    }
  }

  #undo(checkpoint: BuilderCheckpoint): void {
    this.#builder.undo(checkpoint)
    this.#deps.mempool.release()
  }

  /** Announces the block that was just opened, as it is. */
  announce(): void {
    this.#publish(this.partial)
  }

  /**
   * Seals the block and opens the next one, so that `latest` moves before anything else is executed. The first {@link
   * extend} or {@link announce} announces the new block's index 0. The intent to seal is written before anyone sees the
   * sealed block: if the node ends in between, it seals the same block at its next start.
   *
   * @param atOnce - Called in the same step as the seal, before any event.
   * @throws {JournalError} If the intent could not be written; then the block is not sealed.
   */
  async seal(overrides: HeaderOverrides, atOnce: () => void): Promise<SealedBlock> {
    const { store, events, clock, storage } = this.#deps
    const { partial } = this
    if (this.#toSeal !== partial) await storage.record(partial, true)
    const startedAt = clock.now()
    const block = sealPartial(partial)
    this.#builder = await PayloadBuilder.open(this.#deps, block, overrides, this.#builder)
    store.seal(block, this.#builder.cut(0, undefined, startedAt))
    atOnce()
    events.emit('seal', { block })
    return block
  }

  /**
   * Reopens the block with another header. It must be empty.
   *
   * @param atOnce - As in {@link seal}.
   */
  async reopen(overrides: HeaderOverrides, atOnce: () => void): Promise<void> {
    invariant(this.isUntouched, 'a block with transactions or edits was reopened')
    const startedAt = this.#deps.clock.now()
    this.#builder = await PayloadBuilder.open(this.#deps, this.#deps.store.head(), overrides)
    atOnce()
    this.#publish(this.#builder.cut(0, undefined, startedAt))
  }

  /** Changes the state outside of any transaction and cuts the present index again. */
  edit<Result>(change: (state: WorldState) => Result): Promise<Result> {
    return this.#edited((index) => this.#builder.edit(index, change))
  }

  /**
   * Edits the state in steps, of which some are made at a time.
   *
   * @param change - Makes a step for each value that it yields.
   */
  editInSteps(change: (state: WorldState) => Iterator<void>): Promise<void> {
    return this.#edited(async (index) => {
      let steps: Iterator<void> | undefined
      const isDone = (state: WorldState) => {
        steps ??= change(state)
        const done = isExhausted(steps, STEPS_AT_ONCE)
        // Hashed here, or all would be hashed at the end.
        state.snapshot().stateRoot()
        return done
      }
      while (!this.#builder.edit(index, isDone)) await this.#deps.clock.yield()
    })
  }

  async #edited<Result>(edit: (index: number) => Result | Promise<Result>): Promise<Result> {
    const { clock, storage } = this.#deps
    const startedAt = clock.now()
    const { index } = this.partial
    const before = this.#builder.checkpoint
    let result: Result
    let partial: PartialBlock
    try {
      result = await edit(index)
      partial = this.#builder.cut(index, this.partial, startedAt)
      await storage.record(partial)
    } catch (error) {
      this.#undo(before)
      throw error
    }
    this.#publish(partial, true)
    return result
  }

  /**
   * Withdraws the newest `count` partial blocks, at most all of them, including their state edits.
   *
   * @returns Their transactions.
   */
  drop(count: number, fate: WithdrawnFate): readonly Transaction[] {
    const { store, mempool, clock } = this.#deps
    const before = this.partial
    const last = Math.max(-1, before.index - count)
    const unconfirmed = before.transactions.filter(({ partialIndex }) => partialIndex > last)
    const withdrawn = unconfirmed.map(({ tx }) => tx)
    this.#builder.rewind(last)
    const partial = this.#builder.cut(Math.max(0, last), undefined, clock.now())
    // Followers receive the whole block again, but no transaction in it is new.
    store.setPending({ ...partial, firstNew: partial.transactions.length })
    this.#tellUnconfirmed(before, unconfirmed)
    mempool.withdraw(withdrawn, fate)
    this.announce()
    return withdrawn
  }

  /**
   * Takes back the live block and the newest `depth` sealed blocks. The chain must be at least that long.
   *
   * @param atOnce - As in {@link seal}.
   * @returns The removed blocks, newest first.
   */
  async reorg(
    depth: number,
    overrides: HeaderOverrides,
    fate: WithdrawnFate,
    atOnce: () => void,
  ): Promise<readonly SealedBlock[]> {
    const { store, mempool, events, clock } = this.#deps
    const startedAt = clock.now()
    const number = store.head().header.number - depth
    const parent = store.blockByNumber(number)
    invariant(parent, 'the reorg is deeper than the chain')
    const before = this.partial
    const live = before.transactions.map(({ tx }) => tx)
    // Read before anything changes: a disk may fail.
    const sealed = transactionsOf(store.above(number))
    const builder = await PayloadBuilder.open(this.#deps, parent, overrides)
    // No awaits from here on: nobody may see a live block that does not build on the head.
    this.#builder = builder
    atOnce()
    const removed = store.rewrite(number, [], builder.cut(0, undefined, startedAt))
    this.#tellUnconfirmed(before, before.transactions)
    events.emit('reorg', { removed, head: parent })
    mempool.withdraw([...sealed, ...live], fate)
    this.announce()
    return removed
  }

  /** A snapshot of the chain, including its pool. */
  snapshot(): ChainSnapshot {
    const { store, mempool } = this.#deps
    return {
      sealed: store.sealed(),
      builder: this.#builder.branch(),
      partial: this.partial,
      pooled: mempool.reader.byArrival(),
    }
  }

  /**
   * Reverts to a snapshot of this chain: its blocks, its live block and its pool. Newer transactions are lost, unless
   * they were in the pool at the time.
   */
  restore(snapshot: ChainSnapshot): void {
    const { store, mempool, events, clock } = this.#deps
    const before = this.partial
    const commonPlace = lastCommon(store.sealed(), snapshot.sealed)
    const common = snapshot.sealed.at(commonPlace) as SealedBlock
    const restored = snapshot.sealed.slice(commonPlace + 1)
    // Read before anything changes: a disk may fail.
    const sealed = transactionsOf(store.above(common.header.number))
    requireReadable(restored)
    store.adoptStates(snapshot.sealed)
    this.#builder = snapshot.builder.branch()
    const kept = commonStart(before, snapshot.partial)
    const removed = store.rewrite(common.header.number, restored, {
      ...snapshot.partial,
      restarts: true,
      firstNew: kept,
      cutAtMs: clock.now(),
    })
    this.#tellUnconfirmed(before, before.transactions.slice(kept))
    if (removed.length > 0) events.emit('reorg', { removed, head: common })

    const withdrawn = [...sealed, ...before.transactions.slice(kept).map(({ tx }) => tx)]
    mempool.restore(snapshot.pooled, withdrawn)
    for (const block of restored) events.emit('seal', { block, restored: true })
    this.announce()
  }

  #tellUnconfirmed(block: PartialBlock, transactions: readonly IncludedTransaction[]): void {
    if (transactions.length > 0) this.#deps.events.emit('unconfirmed', { block, transactions })
  }

  /** @param edited - Whether accounts changed other than by transactions. */
  #publish(partial: PartialBlock, edited = false): void {
    const { store, mempool, events } = this.#deps
    store.setPending(partial)
    mempool.settle(edited)
    events.emit('partial', { partial })
    store.tidy()
  }
}

/** The message of an error, or the text of whatever else was thrown. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** @throws {BlockUnreadableError} If one of the blocks cannot be read any more. */
function requireReadable(blocks: readonly SealedBlock[]): void {
  for (const { hash } of blocks) invariant(hash.length > 0, 'a block has a hash')
}

/** The transactions of blocks, in the order of the blocks. */
function transactionsOf(blocks: readonly SealedBlock[]): Transaction[] {
  return blocks.flatMap(({ transactions }) => transactions.map(({ tx }) => tx))
}

/** Place of the newest block that both chains share. */
function lastCommon(one: BlockSequence, other: BlockSequence): number {
  let place = Math.min(one.length, other.length) - 1
  while (place >= 0 && one.at(place) !== other.at(place) && one.at(place)?.hash !== other.at(place)?.hash) place--
  invariant(place >= 0, 'two chains have no block in common')
  return place
}

/** Number of leading transactions that two states of one block share; 0 for different blocks. */
function commonStart(one: PartialBlock, other: PartialBlock): number {
  if (one.header.parentHash !== other.header.parentHash || one.header.timestamp !== other.header.timestamp) return 0
  let length = 0
  while (length < one.transactions.length && one.transactions[length] === other.transactions[length]) length++
  return length
}

/** Takes at most `most` values. @returns Whether there are no more. */
function isExhausted(steps: Iterator<void>, most: number): boolean {
  for (let taken = 0; taken < most; taken++) if (steps.next().done) return true
  return false
}
