import type { Emitter } from '#primitives/emitter.ts'
import { bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import type { PartialBlock, SealedBlock } from '../payload/block.ts'
import type { ChainEvents } from '../sequencer/events.ts'
import type { SavedProduction } from '../sequencer/production-state.ts'
import { JOURNAL_PARTS, type Journal, type JournalChange, JournalError } from '../storage/journal.ts'
import { recordOf } from '../storage/stored-block.ts'
import type { Transaction } from '../tx/transaction.ts'
import { GroupWriter, type WriteGroup } from './group-writer.ts'
import type { JournaledChain } from './journaled-chain.ts'
import { JournaledStates, type WrittenStates } from './journaled-states.ts'
import { encodeJson } from './json-record.ts'
import { type LeftBlock, LeftBlocks } from './left-blocks.ts'
import { PendingChanges } from './pending-changes.ts'
import type { SnapshotRecord } from './present-record.ts'
import { recordLive, recordPresent, recordTime } from './present-record.ts'
import {
  blockKey,
  type ChainRecord,
  encodePooled,
  META,
  snapshotKey,
  stateKeys,
  type TransactionRecord,
} from './records.ts'
import { genesisCodes, wholeState } from './state-rows.ts'

/** What the journal already holds of the chain. */
export interface Written extends WrittenStates {
  /** Hashes of the transactions in the pool and in the live block. */
  readonly transactions: ReadonlySet<Hash>
  /** Blocks that are no longer on the chain. */
  readonly left: readonly LeftBlock[]
  /** Newest sealed block of each snapshot, by the snapshot's id. */
  readonly snapshots: ReadonlyMap<Hex, Hash>
  readonly snapshotsTaken: number
  /** Higher than the arrival number of any stored transaction. */
  readonly nextArrival: number
}

/**
 * The chain's write-ahead log: records every change as it happens. At any moment the written entries form a chain that
 * can be resumed.
 */
export class ChainJournal {
  readonly #chain: JournaledChain
  readonly #changes = new PendingChanges()
  readonly #writer: GroupWriter
  readonly #states: JournaledStates
  readonly #left: LeftBlocks
  /** Transactions that may have entered or left the pool or the live block. */
  readonly #touched = new Set<Hash>()
  readonly #transactions: Set<Hash>
  /** Transactions that entered the pool, or returned to it, behind all others. */
  readonly #arrived = new Set<Hash>()
  #snapshotsTaken: number
  #nextArrival: number
  /** The next partial block: written before it is announced. */
  #upcoming: PartialBlock | undefined
  /** The live block that is about to be sealed as it is. */
  #toSeal: PartialBlock | undefined
  /** Whether a block was sealed since the last write. */
  #sealed = false

  private constructor(journal: Journal, chain: JournaledChain, written: Written, onTakenOver: () => void) {
    this.#chain = chain
    this.#writer = new GroupWriter({
      journal,
      take: () => this.#take(),
      giveBack: (batch) => this.#giveBack(batch),
      onTakenOver,
    })
    this.#left = new LeftBlocks(written.left, written.snapshots)
    this.#states = new JournaledStates(chain, this.#changes, written, this.#left, () => this.touch())
    this.#transactions = new Set(written.transactions)
    this.#snapshotsTaken = written.snapshotsTaken
    this.#nextArrival = written.nextArrival
    this.#listen(chain.events)
    if (chain.fork) chain.fork.kept.onAdded = () => this.touch()
  }

  /**
   * Continues a journal that holds the chain as it is now.
   *
   * @param onTakenOver - Called when somebody else has opened the journal; nothing more is written.
   */
  static resume(journal: Journal, chain: JournaledChain, written: Written, onTakenOver: () => void): ChainJournal {
    return new ChainJournal(journal, chain, written, onTakenOver)
  }

  /** Starts a journal for a chain that has only its first block, and deletes whatever the journal held. */
  static begin(journal: Journal, chain: JournaledChain, record: ChainRecord, onTakenOver: () => void): ChainJournal {
    const genesis = chain.store.head()
    const base = { number: genesis.header.number, hash: genesis.hash }
    const begun = new ChainJournal(
      journal,
      chain,
      {
        base,
        baseBytes: 0,
        differenceBytes: 0,
        codes: genesisCodes(genesis.state, chain.fork !== undefined),
        transactions: new Set(),
        differences: new Set(),
        left: [],
        snapshots: new Map(),
        snapshotsTaken: 0,
        nextArrival: 0,
      },
      onTakenOver,
    )
    for (const part of JOURNAL_PARTS) begun.#changes.clear(part)
    begun.#changes.put('meta', META.chain, encodeJson(record))
    begun.#changes.put('meta', META.base, encodeJson(base))
    begun.#sealed = true
    begun.touch()
    return begun
  }

  /**
   * Replaces this chain with another one. Nothing more is written of this one; all of it counts as durable.
   *
   * @throws {JournalError} If the new chain cannot be written; then this chain is recorded again.
   */
  replace(changes: readonly JournalChange[]): Promise<void> {
    return this.#writer.replace(changes)
  }

  /** Why the last write failed; `undefined` if it succeeded. */
  get failure(): JournalError | undefined {
    return this.#writer.failure
  }

  /** Call this after a change that has no event. */
  touch(): void {
    this.#writer.touch()
  }

  /**
   * Resolves when everything that has happened so far is durable.
   *
   * @throws {JournalError} If it could not be written; the next change tries again.
   */
  settled(): Promise<void> {
    return this.#writer.settled()
  }

  /**
   * Writes a partial block before it is announced, so that pre-confirmations survive a crash.
   *
   * @param seals - Whether the block is about to be sealed as it is.
   * @throws {JournalError} If it could not be written; then the block must not be announced.
   */
  async record(partial: PartialBlock, seals = false): Promise<void> {
    this.#upcoming = partial
    this.#toSeal = seals ? partial : undefined
    this.touch()
    try {
      await this.settled()
    } catch (error) {
      this.#upcoming = undefined
      this.#toSeal = undefined
      throw error
    }
  }

  /**
   * Writes the remaining changes.
   *
   * @param tidyMs - Milliseconds for which it may also write a large state so that it opens fast.
   */
  async close(tidyMs: number): Promise<void> {
    this.#states.close()
    if (this.failure?.code === 'taken-over') return
    this.touch()
    await this.settled()
    if (tidyMs === 0 || !(await this.#states.prepareLastBase(tidyMs))) return
    try {
      await this.settled()
    } catch (error) {
      // All else is stored by now. Where this has no room, the chain only takes longer to open.
      if (!(error instanceof JournalError)) throw error
    }
  }

  #listen(events: Emitter<ChainEvents>): void {
    events.on('accepted', ({ tx, replaced }) => {
      this.#arrived.add(tx.hash)
      this.#touchAll(replaced ? [tx, replaced] : [tx])
    })
    events.on('dropped', ({ tx }) => this.#touchAll([tx]))
    events.on('withdrawn', ({ transactions }) => {
      for (const { hash } of transactions) this.#arrived.add(hash)
      this.#touchAll(transactions)
    })
    events.on('partial', ({ partial }) => {
      const isWritten = partial === this.#upcoming
      this.#upcoming = undefined
      if (isWritten) return
      // Transactions of a restarted block may come from anywhere, even from sealed blocks.
      if (partial.restarts) this.#touchAll(partial.transactions.map(({ tx }) => tx))
      else this.touch()
    })
    events.on('seal', ({ block }) => {
      this.#upcoming = undefined
      this.#left.rejoin(block.hash)
      this.#changes.put('blocks', blockKey(block), recordOf(block))
      this.#states.seal(block)
      this.#sealed = true
      this.#touchAll(block.transactions.map(({ tx }) => tx))
    })
    events.on('reorg', ({ removed }) => {
      for (const block of removed) {
        this.#left.leave({ hash: block.hash, parentHash: block.header.parentHash, key: blockKey(block) })
      }
      this.#sweep()
      this.#states.sweepLater()
      this.touch()
    })
    events.on('snapshot', ({ id, saved }) => {
      this.#putSnapshot(id, saved)
      this.touch()
    })
    events.on('snapshotUsed', ({ id }) => {
      this.#left.release(id)
      this.#sweep()
      this.#states.sweepLater()
      this.#changes.delete('snapshots', snapshotKey(id))
      this.#changes.delete('states', stateKeys.snapshot(id))
      this.touch()
    })
  }

  #touchAll(transactions: readonly Transaction[]): void {
    for (const { hash } of transactions) this.#touched.add(hash)
    this.touch()
  }

  #sweep(): void {
    for (const key of this.#left.sweep()) this.#changes.delete('blocks', key)
  }

  #putSnapshot(id: Hex, saved: SavedProduction): void {
    const head = saved.sealed.at(-1) as SealedBlock
    const record: SnapshotRecord = {
      id,
      head: head.hash,
      live: recordLive(saved.partial),
      time: recordTime(saved),
      included: saved.partial.transactions.map(({ tx }) => recordTransaction(tx)),
      pooled: saved.pooled.map(recordTransaction),
    }
    this.#states.putCodesOf(saved.partial.edits)
    this.#changes.put('states', stateKeys.snapshot(id), wholeState(this.#chain, head.state))
    this.#changes.put('snapshots', snapshotKey(id), encodeJson(record))
    this.#left.keep(id, head.hash)
    this.#snapshotsTaken = Number(id)
  }

  #take(): WriteGroup {
    const live = this.#upcoming ?? this.#chain.store.pending()
    for (const [key, value] of this.#chain.fork?.kept.takeFresh() ?? []) this.#changes.put('states', key, value)
    this.#states.putCodesOf(live.edits)
    this.#putTransactions()
    this.#states.update()
    const present = {
      ...recordPresent(this.#chain, live),
      ...(live === this.#toSeal && { seals: true }),
      snapshotsTaken: this.#snapshotsTaken,
    }
    this.#changes.put('meta', META.present, encodeJson(present))
    const bundles = this.#chain.bundles.takeFresh()
    if (bundles) this.#changes.put('meta', META.bundles, encodeJson(bundles))
    const durability = this.#sealed ? 'strict' : 'relaxed'
    this.#sealed = false
    return { changes: this.#changes.take(), durability }
  }

  #giveBack({ changes, durability }: WriteGroup): void {
    this.#changes.giveBack(changes)
    this.#sealed ||= durability === 'strict'
  }

  #putTransactions(): void {
    const { pool, store } = this.#chain
    const placed: { readonly tx: Transaction; readonly arrival: number }[] = []
    for (const hash of this.#touched) {
      const tx = pool.get(hash) ?? store.liveTransaction(hash)
      if (tx && (this.#arrived.has(hash) || !this.#transactions.has(hash))) {
        placed.push({ tx, arrival: pool.arrival(hash) ?? 0 })
      } else if (!tx && this.#transactions.delete(hash)) {
        this.#changes.delete('transactions', hash)
      }
    }
    // Stored transactions that did not return are ahead of them in the pool, too.
    for (const { tx } of placed.toSorted((one, other) => one.arrival - other.arrival)) {
      this.#changes.put('transactions', tx.hash, encodePooled(tx, this.#nextArrival++))
      this.#transactions.add(tx.hash)
    }
    this.#touched.clear()
    this.#arrived.clear()
  }
}

function recordTransaction(tx: Transaction): TransactionRecord {
  return [bytesToHex(tx.raw), tx.sender]
}
