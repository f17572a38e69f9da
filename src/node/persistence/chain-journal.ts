// Longer than most files: one class, whose bookkeeping of what is written and what is not must stay in one place.
import { ByteWriter } from '#primitives/byte-writer.ts'
import type { Emitter } from '#primitives/emitter.ts'
import { bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import { type SealedBlock, StatePrunedError } from '../payload/block.ts'
import type { SavedProduction } from '../sequencer/block-production.ts'
import type { ChainEvents } from '../sequencer/events.ts'
import { stateDifference } from '../state/state-difference.ts'
import { codesOf, writeDifference, writeState } from '../state/state-record.ts'
import type { StateSnapshot } from '../state/state-snapshot.ts'
import { encodeBlock } from '../storage/block-record.ts'
import { STATES_KEPT } from '../storage/chain-store.ts'
import { type Journal, type JournalChange, JournalError, type JournalPart } from '../storage/journal.ts'
import type { Transaction } from '../tx/transaction.ts'
import type { JournaledChain } from './journaled-chain.ts'
import { encodeJson } from './json-record.ts'
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
  /** Head of each snapshot by its id. */
  readonly snapshots: ReadonlyMap<Hex, readonly Hash[]>
  readonly snapshotsTaken: number
  /** More than any transaction has. */
  readonly nextArrival: number
}

/**
 * Writes down what happens on a chain, as it happens: one write after the other, each with all that has happened since
 * the one before, so that what is written is at every time a chain that can go on.
 */
export class ChainJournal {
  readonly #journal: Journal
  readonly #chain: JournaledChain
  readonly #onTakenOver: () => void
  /** In the order in which they have to be made. */
  #changes: JournalChange[] = []
  /** Transactions that may have come to, or gone from, the pool and the live block. */
  readonly #touched = new Set<Hash>()
  readonly #transactions: Set<Hash>
  readonly #codes: Set<Hash>
  /** Hashes of the blocks that each snapshot stands on, as far as they may be taken from the chain. */
  readonly #snapshots: Map<Hex, readonly Hash[]>
  #snapshotsTaken: number
  #nextArrival: number
  #base: BaseRecord
  /** Whether the states of newer blocks do not follow from the base. */
  #baseIsLost = false
  #sealed = false
  /** Counts what has happened. */
  #happened = 0
  /** How much of it is durable. */
  #durable = 0
  /** The write that is under way or about to begin. */
  #writing: Promise<void> | undefined
  #failure: JournalError | undefined
  #stopped = false

  private constructor(journal: Journal, chain: JournaledChain, written: Written, onTakenOver: () => void) {
    this.#journal = journal
    this.#chain = chain
    this.#onTakenOver = onTakenOver
    this.#base = written.base
    this.#codes = new Set(written.codes)
    this.#transactions = new Set(written.transactions)
    this.#snapshots = new Map(written.snapshots)
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
        snapshots: new Map(),
        snapshotsTaken: 0,
        nextArrival: 0,
      },
      onTakenOver,
    )
    for (const part of ['blocks', 'diffs', 'states', 'transactions', 'snapshots', 'meta'] as const) {
      begun.#changes.push({ kind: 'clear', part })
    }
    begun.#put('meta', META.chain, encodeJson(record))
    begun.#put('meta', META.base, encodeJson(begun.#base))
    begun.#sealed = true
    begun.touch()
    return begun
  }

  /** Snapshots that can be gone back to. */
  get snapshots(): number {
    return this.#snapshots.size
  }

  /** Writes nothing more: the journal is going to hold another chain. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#writing
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
  async settled(): Promise<void> {
    const happened = this.#happened
    while (this.#durable < happened && !this.#stopped) {
      this.#schedule()
      await this.#writing
      if (this.#failure) throw this.#failure
    }
  }

  /** Writes what is left. */
  async close(): Promise<void> {
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
      for (const block of removed) this.#remove(block)
      this.touch()
    })
    events.on('snapshot', ({ id, saved }) => {
      this.#snapshot(id, saved)
      this.touch()
    })
    events.on('snapshotUsed', ({ id }) => {
      this.#snapshots.delete(id)
      this.#delete('snapshots', snapshotKey(id))
      this.#delete('states', stateKeys.snapshot(id))
      this.touch()
    })
  }

  #touchAll(transactions: readonly Transaction[]): void {
    for (const { hash } of transactions) this.#touched.add(hash)
    this.touch()
  }

  #seal(block: SealedBlock): void {
    const { store } = this.#chain
    const key = blockKey(block)
    this.#put('blocks', key, encodeBlock(block))
    for (const { difference } of block.edits) this.#putCodes(codesOf(difference))
    const difference = this.#differenceOf(block)
    if (difference) {
      this.#put('diffs', key, difference)
      const old = store.blockByNumber(block.header.number - STATES_KEPT)
      if (old) this.#delete('diffs', blockKey(old))
    } else {
      this.#baseIsLost = true
    }
    this.#sealed = true
  }

  /** What the block changed, `undefined` where its parent's state is no longer kept. */
  #differenceOf(block: SealedBlock): Uint8Array | undefined {
    const parent = this.#chain.store.blockByNumber(block.header.number - 1)
    if (!parent) return undefined
    try {
      const difference = stateDifference(parent.state, block.state)
      this.#putCodes(codesOf(difference))
      const writer = new ByteWriter()
      writeDifference(writer, difference)
      return writer.finish()
    } catch (error) {
      if (error instanceof StatePrunedError) return undefined
      throw error
    }
  }

  #remove(block: SealedBlock): void {
    for (const hashes of this.#snapshots.values()) if (hashes.includes(block.hash)) return
    this.#delete('blocks', blockKey(block))
    this.#delete('diffs', blockKey(block))
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
    this.#put('states', stateKeys.snapshot(id), writer.finish())
    this.#put('snapshots', snapshotKey(id), encodeJson(record))
    this.#snapshots.set(
      id,
      saved.sealed.map(({ hash }) => hash),
    )
    this.#snapshotsTaken = Number(id)
  }

  #putCodes(hashes: Iterable<Hash>): void {
    const { codes } = this.#chain.store.head().state
    for (const hash of hashes) {
      if (this.#codes.has(hash)) continue
      this.#codes.add(hash)
      this.#put('states', stateKeys.code(hash), codes.get(hash))
    }
  }

  #schedule(): void {
    if (this.#stopped || this.#failure?.code === 'taken-over') return
    this.#writing ??= this.#write()
  }

  /** Writes until nothing is left, or until it fails. */
  async #write(): Promise<void> {
    // What is being done in one go is finished first, so that what is written fits together.
    await Promise.resolve()
    while (this.#durable < this.#happened && !this.#stopped) {
      const happened = this.#happened
      const changes = this.#collect()
      const durability = this.#sealed ? 'strict' : 'relaxed'
      this.#sealed = false
      try {
        await this.#journal.write(changes, durability)
      } catch (error) {
        if (!(error instanceof JournalError)) throw error
        this.#changes = [...changes, ...this.#changes]
        this.#failure = error
        this.#writing = undefined
        if (error.code === 'taken-over') this.#onTakenOver()
        return
      }
      this.#failure = undefined
      this.#durable = happened
    }
    this.#writing = undefined
  }

  /** Everything that has changed, down to this moment. */
  #collect(): JournalChange[] {
    for (const { difference } of this.#chain.store.pending().edits) this.#putCodes(codesOf(difference))
    this.#collectTransactions()
    this.#moveBase()
    const present: PresentRecord = { ...recordPresent(this.#chain), snapshotsTaken: this.#snapshotsTaken }
    this.#put('meta', META.present, encodeJson(present))
    const changes = this.#changes
    this.#changes = []
    return changes
  }

  #collectTransactions(): void {
    const { pool, store } = this.#chain
    for (const hash of this.#touched) {
      const found = store.findTransaction(hash)
      const tx = pool.get(hash) ?? (found?.block.kind === 'partial' ? found.included.tx : undefined)
      if (tx && !this.#transactions.has(hash)) {
        this.#put('transactions', hash, encodePooled(tx, this.#nextArrival++))
        this.#transactions.add(hash)
      } else if (!tx && this.#transactions.delete(hash)) {
        this.#delete('transactions', hash)
      }
    }
    this.#touched.clear()
  }

  /** Writes the whole state of the head where the states of the chain do not follow from the base, or not soon. */
  #moveBase(): void {
    const { store } = this.#chain
    const head = store.head()
    const { number, hash } = this.#base
    const isOnChain = store.blockByNumber(number)?.hash === hash
    if (isOnChain && !this.#baseIsLost && head.header.number - number < BASE_INTERVAL) return
    const writer = new ByteWriter()
    writeState(writer, head.state)
    this.#put('states', stateKeys.base(head.hash), writer.finish())
    if (hash !== head.hash) this.#delete('states', stateKeys.base(hash))
    this.#base = { number: head.header.number, hash: head.hash }
    this.#put('meta', META.base, encodeJson(this.#base))
    this.#baseIsLost = false
  }

  #put(part: JournalPart, key: string, value: Uint8Array): void {
    this.#changes.push({ kind: 'put', part, key, value })
  }

  #delete(part: JournalPart, key: string): void {
    this.#changes.push({ kind: 'delete', part, key })
  }
}

/** Hashes of the codes that block 0 brings, which every run makes again. */
export function genesisCodes(state: StateSnapshot): Set<Hash> {
  return new Set([...state.accounts()].map(([, { codeHash }]) => codeHash))
}

function recordTransaction(tx: Transaction): TransactionRecord {
  return [bytesToHex(tx.raw), tx.sender]
}
