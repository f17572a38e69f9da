import { invariant } from '#primitives/invariant.ts'
import type { DevnetStorage } from '#rpc-types/devnet.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { createPacer, ExecutionTimeoutError } from '../evm/calls/pacer.ts'
import type { PartialBlock } from '../payload/block.ts'
import type { ProductionState } from '../sequencer/production-state.ts'
import { InvalidOptionError } from '../spec/invalid-option-error.ts'
import { STATES_KEPT } from '../storage/chain-store.ts'
import { JOURNAL_PARTS, type Journal, type JournalChange, JournalError } from '../storage/journal.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'
import { ChainFileError, decodeChainFile, encodeChainFile } from './chain-file.ts'
import { ChainJournal, type Written } from './chain-journal.ts'
import { ImportRun } from './import-run.ts'
import type { JournaledChain } from './journaled-chain.ts'
import type { ChainRecord } from './records.ts'
import { entriesOf, type JournalEntry } from './whole-chain.ts'

/** Milliseconds for reading a chain file and checking its blocks, some 100,000 of them and as many transactions. */
const CHECK_LIMIT_MS = 300_000
/**
 * Milliseconds for executing a partial block again, and for checking the states. A node takes tenths of a second to make
 * one; a file that somebody else made may have hours of work in it.
 */
const OPEN_LIMIT_MS = 20_000
/** Characters of another error's message that are passed on. */
const LONGEST_REASON = 200

export interface ChainStorageDeps {
  readonly chain: Omit<JournaledChain, 'production'>
  readonly record: ChainRecord
  /** Without it the chain is in memory only. */
  readonly journal: Journal | undefined
  /** The chain's records in the journal; `undefined` if there are none. */
  readonly written: Written | undefined
  readonly onTakenOver: () => void
  /** The journal holds another chain: the node is to be closed and opened again. Without it a chain cannot be imported. */
  readonly onReplaced: (() => void) | undefined
  /**
   * Opens a journal as a node would, checks what a node leaves for later, and closes it again.
   *
   * @param openLimitMs - For each part of what is checked and executed again.
   * @param how - Options of the chain that is to begin in it, or the import that brings one.
   * @throws {JournalError | InvalidOptionError | ExecutionTimeoutError}
   */
  readonly tryOut: (journal: Journal, openLimitMs: number, how: NodeOptions | ImportRun) => Promise<void>
}

/** Stores the chain as it goes on, exports it as a file, and replaces it as a whole. */
export class ChainStorage {
  readonly #deps: ChainStorageDeps
  /** `undefined` until {@link begin}. */
  #chain: JournaledChain | undefined
  #written: ChainJournal | undefined
  /** Until the file is checked. */
  #importing: ImportRun | undefined

  constructor(deps: ChainStorageDeps) {
    this.#deps = deps
  }

  /**
   * Begins to write the chain down, once it is what the journal has: after the node has opened or restored it.
   *
   * @param production - Where the chain stands in its time.
   */
  begin(production: () => ProductionState): void {
    invariant(!this.#chain, 'a chain is written down twice')
    const { record, journal, written, onTakenOver } = this.#deps
    const chain = { ...this.#deps.chain, production }
    this.#chain = chain
    if (!journal) return
    this.#written = written
      ? ChainJournal.resume(journal, chain, written, onTakenOver)
      : ChainJournal.begin(journal, chain, record, onTakenOver)
  }

  /** Takes note of a possible change without an event. */
  touch(): void {
    this.#written?.touch()
  }

  /**
   * Resolves when all that has happened so far is durable; at once where the chain is in memory.
   *
   * @throws {JournalError} If it could not be written.
   */
  async settled(): Promise<void> {
    await this.#written?.settled()
  }

  /**
   * Resolves when a partial block that nobody has been told of would outlive the node.
   *
   * @param seals - Whether it is to be sealed as it is, and nobody has been told of that.
   * @throws {JournalError} If it could not be written: then nobody may be told.
   */
  async record(partial: PartialBlock, seals = false): Promise<void> {
    invariant(this.#chain, 'a partial block was cut before the chain is written down')
    await this.#written?.record(partial, seals)
  }

  async describe(): Promise<DevnetStorage> {
    const { chain, journal } = this.#deps
    const failure = this.#written?.failure
    const usage = await journal?.usage()
    return {
      kind: journal ? 'journal' : 'memory',
      failure: failure ? { code: failure.code, message: failure.message } : null,
      usedBytes: usage?.usedBytes ?? null,
      quotaBytes: usage?.quotaBytes ?? null,
      blocks: chain.store.head().header.number + 1,
      statesKept: STATES_KEPT,
      canImport: this.#deps.onReplaced !== undefined,
      ...(this.#importing && { importing: this.#importing.progress }),
    }
  }

  /** The whole chain, but for its snapshots, as one file. */
  async exportChain(): Promise<Uint8Array> {
    const chain = this.#chain
    invariant(chain, 'a chain is exported before it has begun')
    const { record } = this.#deps
    return encodeChainFile(await entriesOf(chain, record, createPacer(chain.clock)))
  }

  /**
   * Puts the chain of a file in the place of this one, which is lost. The file is checked before anything is replaced:
   * every field against what a node would write, hashes of blocks, senders of transactions, states, and that a node
   * opens it twice.
   *
   * @throws {ChainFileError} If the file is not a chain, or damaged, or somebody cancels; nothing has changed then.
   * @throws {JournalError} If there is no room for it; nothing has changed then.
   */
  async importChain(file: Uint8Array): Promise<void> {
    this.#requireReplaceable()
    if (this.#importing) throw new ChainFileError('another chain is being imported: wait for it, or cancel it')
    const run = new ImportRun(this.#deps.chain.clock)
    this.#importing = run
    let entries: readonly JournalEntry[]
    try {
      entries = await this.#decode(file, run)
      const trial = new MemoryJournal()
      await trial.write(entries.map(toChange))
      await this.#tryOut(trial, OPEN_LIMIT_MS, run)
      // What the node wrote when it was closed has to be read again at the next start.
      await this.#tryOut(trial.reopen(), OPEN_LIMIT_MS, run)
    } catch (error) {
      // Whatever it is that the cancelling looks like from further up.
      run.check()
      throw error
    } finally {
      this.#importing = undefined
    }
    run.check()
    await this.#replace(entries)
  }

  /** Ends the import under way at its next pause; `false` if there is none, or its file is checked already. */
  cancelImport(): boolean {
    this.#importing?.cancel()
    return this.#importing !== undefined
  }

  /**
   * Puts a new chain in the place of this one, which is lost. The options are checked before anything is replaced.
   *
   * @throws {ChainFileError} If no chain can run with the options; nothing has changed then.
   * @throws {JournalError} If there is no room for it; nothing has changed then.
   */
  async startChain(options: NodeOptions): Promise<void> {
    this.#requireReplaceable()
    const begun = new MemoryJournal()
    await this.#tryOut(begun, OPEN_LIMIT_MS, options)
    const parts = await Promise.all(
      JOURNAL_PARTS.map(async (part) => (await begun.readAll(part)).map(([key, value]) => ({ part, key, value }))),
    )
    await this.#replace(parts.flat())
  }

  /** Writes what is left. @throws {JournalError} */
  async close(): Promise<void> {
    await this.#written?.close()
  }

  /** @throws {ChainFileError} If no chain can be replaced here. */
  #requireReplaceable(): Replaceable {
    const { onReplaced } = this.#deps
    const written = this.#written
    if (!written) throw new ChainFileError('this node keeps its chain in memory: it cannot take another')
    if (!onReplaced) throw new ChainFileError('this node keeps to its chain: start another node for another chain')
    return { written, onReplaced }
  }

  /** @throws {ChainFileError} If it is not a chain, or has more in it than can be checked in time. */
  async #decode(file: Uint8Array, run: ImportRun): Promise<readonly JournalEntry[]> {
    try {
      const guard = createPacer(run, CHECK_LIMIT_MS)
      return await decodeChainFile(file, guard, (done, total) => run.tell('blocks', done, total))
    } catch (error) {
      throw error instanceof ExecutionTimeoutError ? tooSlow('its blocks and senders', CHECK_LIMIT_MS, error) : error
    }
  }

  /** @throws {ChainFileError} If no node would run on it: whatever the trial throws is about the chain that is tried. */
  async #tryOut(...trial: Parameters<ChainStorageDeps['tryOut']>): Promise<void> {
    try {
      await this.#deps.tryOut(...trial)
    } catch (error) {
      if (error instanceof JournalError || error instanceof InvalidOptionError) {
        throw new ChainFileError(error.message, { cause: error })
      }
      if (error instanceof ExecutionTimeoutError) throw tooSlow('its live block and states', OPEN_LIMIT_MS, error)
      const reason = error instanceof Error ? error.message.slice(0, LONGEST_REASON) : 'nobody knows why'
      throw new ChainFileError(`no node can run this chain: ${reason}`, { cause: error })
    }
  }

  async #replace(entries: readonly JournalEntry[]): Promise<void> {
    const { written, onReplaced } = this.#requireReplaceable()
    await written.replace(entries.map(toChange))
    onReplaced()
  }
}

function tooSlow(what: string, limitMs: number, cause: unknown): ChainFileError {
  const problem = `the file was given up: ${what} take longer than ${limitMs / 1000} s to check`
  return new ChainFileError(`${problem}. Nothing has changed`, { cause })
}

/** The parts needed to replace the chain. */
interface Replaceable {
  readonly written: ChainJournal
  readonly onReplaced: () => void
}

function toChange(entry: JournalEntry): JournalChange {
  return { kind: 'put', ...entry }
}
