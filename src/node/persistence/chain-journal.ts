// Longer than most files: one class, whose bookkeeping of what is written and what is not must stay in one place.
import { ByteWriter } from '#primitives/byte-writer.ts'
import type { Emitter } from '#primitives/emitter.ts'
import { bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import { createPacer } from '../evm/pacer.ts'
import { type SealedBlock, StatePrunedError } from '../payload/block.ts'
import type { SavedProduction } from '../sequencer/block-production.ts'
import type { ChainEvents } from '../sequencer/events.ts'
import { stateDifference } from '../state/state-difference.ts'
import { codesOf, writeDifference, writeState, writeStateInPieces } from '../state/state-record.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { encodeBlock } from '../storage/block-record.ts'
import { STATES_KEPT } from '../storage/chain-store.ts'
import { JOURNAL_PARTS, type Journal, type JournalChange, JournalError } from '../storage/journal.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { JournaledChain } from './journaled-chain.ts'
import { encodeJson } from './json-record.ts'
import { type LeftBlock, LeftBlocks } from './left-blocks.ts'
import { PendingChanges } from './pending-changes.ts'
import { recordLive, recordPresent, recordProduction } from './present-record.ts'
import {
  type BaseRecord,
  blockKey,
  type ChainRecord,
  encodePooled,
  META,
  type PresentRecord,
  type SnapshotRecord,
  snapshotKey,
  stateKeys,
  type TransactionRecord,
} from './records.ts'

/** Blocks after which the whole state is written again. */
const BASE_INTERVAL = 64

/** What of the chain the journal has already. */
export interface Written {
  readonly base: BaseRecord
  readonly codes: ReadonlySet<Hash>
  /** Hash of each transaction that waits or is in the live block. */
  readonly transactions: ReadonlySet<Hash>
  /** Blocks of the chain of which is known what they changed. */
  readonly differences: ReadonlySet<Hash>
  /** Blocks that are not on the chain. */
  readonly left: readonly LeftBlock[]
  /** Newest sealed block of each snapshot, by the snapshot's id. */
  readonly snapshots: ReadonlyMap<Hex, Hash>
  readonly snapshotsTaken: number
  /** More than any transaction has. */
  readonly nextArrival: number
}

/** Somebody who waits for something to be durable. */
interface Waiter {
  /** The count of what had happened. */
  readonly happened: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes down what happens on a chain, as it happens: one write after the other, each with all that has happened since
 * the one before, so that what is written is at every time a chain that can go on.
 */
export class ChainJournal {
  readonly #journal: Journal
  readonly #chain: JournaledChain
  readonly #onTakenOver: () => void
  readonly #changes = new PendingChanges()
  /** Transactions that may have come to, or gone from, the pool and the live block. */
  readonly #touched = new Set<Hash>()
  readonly #transactions: Set<Hash>
  readonly #codes: Set<Hash>
  readonly #differences: Set<Hash>
  readonly #left: LeftBlocks
  #snapshotsTaken: number
  #nextArrival: number
  #base: BaseRecord
  /** Whether the states of newer blocks do not follow from the base. */
  #baseIsLost = false
  #isPreparing = false
  /** The base to come. */
  #prepared: { readonly block: SealedBlock; readonly record: Uint8Array } | undefined
  #closed = false
  /** Whether a block was sealed since the last write. */
  #sealed = false
  /** Counts what has happened. */
  #happened = 0
  /** How much of it is durable. */
  #durable = 0
  #waiters: Waiter[] = []
  /** Ends when nothing is left to be written, or a write has failed. */
  #writing: Promise<void> | undefined
  #failure: JournalError | undefined
  /** Why nothing can be written any more, where that is a bug. */
  #bug: unknown
  /** Whether the journal holds another chain, or is about to. */
  #replacement: 'none' | 'under-way' | 'made' = 'none'

  private constructor(journal: Journal, chain: JournaledChain, written: Written, onTakenOver: () => void) {
    this.#journal = journal
    this.#chain = chain
    this.#onTakenOver = onTakenOver
    this.#base = written.base
    this.#codes = new Set(written.codes)
    this.#transactions = new Set(written.transactions)
    this.#differences = new Set(written.differences)
    this.#left = new LeftBlocks(written.left, written.snapshots)
    this.#snapshotsTaken = written.snapshotsTaken
    this.#nextArrival = written.nextArrival
    this.#listen(chain.events)
  }

  /**
   * Goes on with a journal that has the chain as it is.
   *
   * @param onTakenOver - Called when somebody else has opened the journal: nothing more is written.
   */
  static resume(journal: Journal, chain: JournaledChain, written: Written, onTakenOver: () => void): ChainJournal {
    return new ChainJournal(journal, chain, written, onTakenOver)
  }

  /** Begins a journal for a chain that has only block 0; whatever the journal held is gone. */
  static begin(journal: Journal, chain: JournaledChain, record: ChainRecord, onTakenOver: () => void): ChainJournal {
    const genesis = chain.store.head()
    const begun = new ChainJournal(
      journal,
      chain,
      {
        base: { number: 0, hash: genesis.hash },
        codes: genesisCodes(genesis.state),
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
    begun.#changes.put('meta', META.base, encodeJson(begun.#base))
    begun.#sealed = true
    begun.touch()
    return begun
  }

  /**
   * Puts another chain in the place of this one, of which nothing is written any more; it counts as durable.
   *
   * @throws {JournalError} If it cannot be written; this chain is written down again then.
   */
  async replace(changes: readonly JournalChange[]): Promise<void> {
    this.#replacement = 'under-way'
    await this.#writing
    try {
      await this.#journal.write(
        [...JOURNAL_PARTS.map((part) => ({ kind: 'clear' as const, part })), ...changes],
        'strict',
      )
    } catch (error) {
      this.#replacement = 'none'
      this.touch()
      throw error
    }
    this.#replacement = 'made'
    this.#release(Number.POSITIVE_INFINITY)
  }

  /** Why the last write failed; `undefined` where it did not. */
  get failure(): JournalError | undefined {
    return this.#failure
  }

  /** Takes note that something has changed that no event tells of. */
  touch(): void {
    this.#happened++
    this.#schedule()
  }

  /**
   * Resolves when all that has happened so far is durable.
   *
   * @throws {JournalError} If it could not be written; it is tried again with what happens next.
   */
  settled(): Promise<void> {
    if (this.#bug !== undefined) return Promise.reject(this.#bug)
    if (this.#replacement === 'made' || this.#durable === this.#happened) return Promise.resolve()
    if (this.#failure?.code === 'taken-over') return Promise.reject(this.#failure)
    const happened = this.#happened
    return new Promise((resolve, reject) => {
      this.#waiters.push({ happened, resolve, reject })
      this.#schedule()
    })
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#failure?.code === 'taken-over') return
    this.touch()
    await this.settled()
  }

  #listen(events: Emitter<ChainEvents>): void {
    events.on('accepted', ({ tx, replaced }) => {
      this.#touched.add(tx.hash)
      if (replaced) this.#touched.add(replaced.hash)
      this.touch()
    })
    events.on('dropped', ({ tx }) => this.#touchAll([tx]))
    events.on('withdrawn', ({ transactions }) => this.#touchAll(transactions))
    events.on('partial', ({ partial }) => {
      // Its transactions may have come from anywhere, blocks that were sealed included.
      if (partial.restarts) this.#touchAll(partial.transactions.map(({ tx }) => tx))
      else this.touch()
    })
    events.on('seal', ({ block }) => {
      this.#seal(block)
      this.#touchAll(block.transactions.map(({ tx }) => tx))
    })
    events.on('reorg', ({ removed }) => {
      for (const block of removed) this.#leave(block)
      this.#sweep()
      this.touch()
    })
    events.on('snapshot', ({ id, saved }) => {
      this.#snapshot(id, saved)
      this.touch()
    })
    events.on('snapshotUsed', ({ id }) => {
      this.#left.release(id)
      this.#sweep()
      this.#changes.delete('snapshots', snapshotKey(id))
      this.#changes.delete('states', stateKeys.snapshot(id))
      this.touch()
    })
  }

  #touchAll(transactions: readonly Transaction[]): void {
    for (const { hash } of transactions) this.#touched.add(hash)
    this.touch()
  }

  #seal(block: SealedBlock): void {
    this.#left.rejoin(block.hash)
    this.#changes.put('blocks', blockKey(block), encodeBlock(block))
    for (const { difference } of block.edits) this.#putCodes(codesOf(difference))
    if (!this.#putDifference(block)) this.#baseIsLost = true
    const old = this.#chain.store.blockByNumber(block.header.number - STATES_KEPT)
    if (old) this.#deleteDifference(old)
    this.#sealed = true
  }

  /** Writes what the block changed; `false` where its parent's state is no longer kept. */
  #putDifference(block: SealedBlock): boolean {
    const parent = this.#chain.store.blockByNumber(block.header.number - 1)
    if (!parent) return false
    try {
      const difference = stateDifference(parent.state, block.state)
      this.#putCodes(codesOf(difference))
      const writer = new ByteWriter()
      writeDifference(writer, difference)
      this.#changes.put('diffs', blockKey(block), writer.finish())
      this.#differences.add(block.hash)
      return true
    } catch (error) {
      if (error instanceof StatePrunedError) return false
      throw error
    }
  }

  #deleteDifference(block: SealedBlock): void {
    if (this.#differences.delete(block.hash)) this.#changes.delete('diffs', blockKey(block))
  }

  #leave(block: SealedBlock): void {
    this.#deleteDifference(block)
    this.#left.leave({ hash: block.hash, parentHash: block.header.parentHash, key: blockKey(block) })
  }

  #sweep(): void {
    for (const key of this.#left.sweep()) this.#changes.delete('blocks', key)
  }

  #snapshot(id: Hex, saved: SavedProduction): void {
    const { wishes } = recordProduction({
      ...saved,
      nextTiming: saved.timing,
      running: false,
      speed: 1,
      sealDelayMs: 0,
      stalledTicks: 0,
    })
    const { slot, timing, chainTimeMs, travelledMs } = saved
    const head = saved.sealed.at(-1) as SealedBlock
    for (const { difference } of saved.partial.edits) this.#putCodes(codesOf(difference))
    const record: SnapshotRecord = {
      id,
      head: head.hash,
      live: recordLive(saved.partial),
      time: { slot, timing, wishes, chainTimeMs, travelledMs },
      included: saved.partial.transactions.map(({ tx }) => recordTransaction(tx)),
      pooled: saved.pooled.map(recordTransaction),
    }
    const writer = new ByteWriter()
    writeState(writer, head.state)
    this.#changes.put('states', stateKeys.snapshot(id), writer.finish())
    this.#changes.put('snapshots', snapshotKey(id), encodeJson(record))
    this.#left.keep(id, head.hash)
    this.#snapshotsTaken = Number(id)
  }

  #putCodes(hashes: Iterable<Hash>): void {
    const { codes } = this.#chain.store.head().state
    for (const hash of hashes) {
      if (this.#codes.has(hash)) continue
      this.#codes.add(hash)
      this.#changes.put('states', stateKeys.code(hash), codes.get(hash))
    }
  }

  #schedule(): void {
    if (this.#replacement !== 'none' || this.#failure?.code === 'taken-over') return
    this.#writing ??= this.#write()
  }

  /** Writes until nothing is left, or until it fails. */
  async #write(): Promise<void> {
    // What is being done in one go is finished first, so that what is written fits together.
    await Promise.resolve()
    try {
      while (this.#durable < this.#happened && this.#replacement === 'none') {
        const happened = this.#happened
        const failure = await this.#writeChanges()
        if (failure) return this.#stopWriting(failure)
        this.#durable = happened
        this.#release(happened)
      }
    } catch (error) {
      this.#bug = error
      this.#fail(error)
      throw error
    }
    this.#writing = undefined
  }

  /** One write of all that has changed. @returns Why it has failed. */
  async #writeChanges(): Promise<JournalError | undefined> {
    const changes = this.#collect()
    const durability = this.#sealed ? 'strict' : 'relaxed'
    this.#sealed = false
    try {
      await this.#journal.write(changes, durability)
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
      this.#changes.giveBack(changes)
      this.#sealed ||= durability === 'strict'
      return error
    }
    this.#failure = undefined
    return undefined
  }

  /** In one go: who waits from here on waits for the next attempt. */
  #stopWriting(failure: JournalError): void {
    this.#writing = undefined
    this.#failure = failure
    this.#fail(failure)
    if (failure.code === 'taken-over') this.#onTakenOver()
  }

  /** Tells those who wait for no more than `durable`. */
  #release(durable: number): void {
    const waiters = this.#waiters
    this.#waiters = waiters.filter(({ happened }) => happened > durable)
    for (const { happened, resolve } of waiters) if (happened <= durable) resolve()
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#waiters.splice(0)) reject(error)
  }

  /** Everything that has changed, down to this moment. */
  #collect(): JournalChange[] {
    for (const { difference } of this.#chain.store.pending().edits) this.#putCodes(codesOf(difference))
    this.#collectTransactions()
    this.#moveBase()
    const present: PresentRecord = { ...recordPresent(this.#chain), snapshotsTaken: this.#snapshotsTaken }
    this.#changes.put('meta', META.present, encodeJson(present))
    return this.#changes.take()
  }

  #collectTransactions(): void {
    const { pool, store } = this.#chain
    for (const hash of this.#touched) {
      const tx = pool.get(hash) ?? store.liveTransaction(hash)
      if (tx && !this.#transactions.has(hash)) {
        this.#changes.put('transactions', hash, encodePooled(tx, this.#nextArrival++))
        this.#transactions.add(hash)
      } else if (!tx && this.#transactions.delete(hash)) {
        this.#changes.delete('transactions', hash)
      }
    }
    this.#touched.clear()
  }

  /** Writes a whole state again where the states of the chain do not follow from the base any more, or not soon. */
  #moveBase(): void {
    const head = this.#chain.store.head()
    if (this.#baseIsLost || !this.#isOnChain(this.#base)) {
      this.#completeDifferences()
      const writer = new ByteWriter()
      writeState(writer, head.state)
      this.#putBase(head, writer.finish())
    } else if (head.header.number - this.#base.number >= BASE_INTERVAL) {
      if (!this.#isPreparing) void this.#prepareBase(head)
    }
    const prepared = this.#prepared
    if (!prepared) return
    this.#prepared = undefined
    const { block, record } = prepared
    const { number } = block.header
    if (number > this.#base.number && this.#isOnChain({ number, hash: block.hash })) this.#putBase(block, record)
  }

  /** Makes a record of the block's state while the chain goes on. */
  async #prepareBase(block: SealedBlock): Promise<void> {
    this.#isPreparing = true
    const pacer = createPacer(this.#chain.clock)
    const writer = new ByteWriter()
    const pieces = writeStateInPieces(writer, block.state)
    while (!pieces.next().done) {
      const pause = pacer.checkpoint()
      if (pause) await pause
      if (this.#closed) return
    }
    this.#prepared = { block, record: writer.finish() }
    this.#isPreparing = false
    this.touch()
  }

  #isOnChain({ number, hash }: BaseRecord): boolean {
    return this.#chain.store.blockByNumber(number)?.hash === hash
  }

  #putBase({ hash, header: { number } }: SealedBlock, record: Uint8Array): void {
    const before = this.#base
    this.#base = { number, hash }
    if (before.hash !== hash) this.#changes.delete('states', stateKeys.base(before.hash))
    this.#changes.put('states', stateKeys.base(hash), record)
    this.#changes.put('meta', META.base, encodeJson(this.#base))
    this.#baseIsLost = false
  }

  /** Where the chain went back to a snapshot, it has states again whose differences were deleted. */
  #completeDifferences(): void {
    const { store } = this.#chain
    let { number } = store.head().header
    for (const oldest = Math.max(1, number - STATES_KEPT + 1); number >= oldest; number--) {
      const block = store.blockByNumber(number)
      if (block && !this.#differences.has(block.hash) && !this.#putDifference(block)) return
    }
  }
}

/** Hashes of the codes that block 0 brings, which every run makes again. */
export function genesisCodes(state: StateSnapshot): Set<Hash> {
  return new Set([...state.accounts()].map(([, { codeHash }]) => codeHash))
}

function recordTransaction(tx: Transaction): TransactionRecord {
  return [bytesToHex(tx.raw), tx.sender]
}
