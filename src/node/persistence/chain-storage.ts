import { invariant } from '#primitives/invariant.ts'
import type { DevnetStorage } from '#rpc-types/methods/devnet.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { PartialBlock } from '../payload/block.ts'
import type { ProductionState } from '../sequencer/production-state.ts'
import { InvalidOptionError } from '../spec/invalid-option-error.ts'
import { STATES_KEPT } from '../storage/chain-store.ts'
import { JOURNAL_PARTS, type Journal, type JournalChange, JournalError } from '../storage/journal.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'
import { createPacer, ExecutionTimeoutError } from '../turns/pacer.ts'
import { differencesIn } from './block-differences.ts'
import { ChainFileError, chainFileInPieces } from './chain-file.ts'
import { ChainJournal, type Written } from './chain-journal.ts'
import { ImportRun } from './import-run.ts'
import type { JournaledChain } from './journaled-chain.ts'
import type { TakenRecord } from './present-record.ts'
import { type ChainRecord, META } from './records.ts'
import { entriesOf, type JournalEntry } from './whole-chain.ts'

/**
 * Time limit in milliseconds for reading a chain file and checking its blocks; enough for some 100,000 blocks and as
 * many transactions.
 */
const CHECK_LIMIT_MS = 300_000
/**
 * Time limit in milliseconds for re-executing a partial block, and for checking the states. A node fills a partial
 * block in tenths of a second, but a crafted file may hold hours of work.
 */
const OPEN_LIMIT_MS = 20_000
const NOTHING_WRITTEN: Awaited<ReturnType<typeof differencesIn>> = new Map()
/** Longest part of another error's message that is passed on, in characters. */
const LONGEST_REASON = 200

export interface ChainStorageDeps {
  readonly chain: Omit<JournaledChain, 'production'>
  readonly record: ChainRecord
  /** What was taken back since the node started, oldest first; only files have it. */
  readonly taken: () => readonly TakenRecord[]
  /** Left out for a chain in memory only. */
  readonly journal: Journal | undefined
  /** The chain's records in the journal; `undefined` if there are none. */
  readonly written: Written | undefined
  readonly onTakenOver: () => void
  /** Milliseconds that closing may take longer, so that a large state opens fast. */
  readonly tidyMs: number
  /**
   * Called when the journal holds another chain: the node must be closed and reopened. Without it chains cannot be
   * imported.
   */
  readonly onReplaced: (() => void) | undefined
  /**
   * Opens a journal as a node would, also runs the checks that a node defers, and closes it again.
   *
   * @param openLimitMs - Time limit for each step.
   * @param how - Options of a new chain, or the import that brings one.
   * @throws {JournalError | InvalidOptionError | ExecutionTimeoutError}
   */
  readonly tryOut: (journal: Journal, openLimitMs: number, how: NodeOptions | ImportRun) => Promise<void>
}

/** Stores the chain as it grows, exports it as a file, and replaces it as a whole. */
export class ChainStorage {
  readonly #deps: ChainStorageDeps
  /** `undefined` until {@link begin}. */
  #chain: JournaledChain | undefined
  #written: ChainJournal | undefined
  /** The import whose file is being checked. */
  #importing: ImportRun | undefined

  constructor(deps: ChainStorageDeps) {
    this.#deps = deps
  }

  /**
   * Starts recording the chain. Call this after the node has opened or restored it, when chain and journal agree.
   *
   * @param production - The chain's position in time.
   */
  begin(production: () => ProductionState): void {
    invariant(!this.#chain, 'the chain is already being recorded')
    const { record, journal, written, onTakenOver } = this.#deps
    const chain = { ...this.#deps.chain, production }
    this.#chain = chain
    if (!journal) return
    this.#written = written
      ? ChainJournal.resume(journal, chain, written, onTakenOver)
      : ChainJournal.begin(journal, chain, record, onTakenOver)
  }

  /** Call this after a change that may have no event. */
  touch(): void {
    this.#written?.touch()
  }

  /**
   * Resolves when everything so far is durable; at once for a chain in memory.
   *
   * @throws {JournalError} If it could not be written.
   */
  async settled(): Promise<void> {
    await this.#written?.settled()
  }

  /**
   * Resolves when a partial block that was not announced yet would survive a crash.
   *
   * @param seals - Whether the block is about to be sealed as it is.
   * @throws {JournalError} If it could not be written; then the block must not be announced.
   */
  async record(partial: PartialBlock, seals = false): Promise<void> {
    invariant(this.#chain, 'a partial block was cut before the chain was being recorded')
    await this.#written?.record(partial, seals)
  }

  async describe(): Promise<DevnetStorage> {
    const { chain, journal } = this.#deps
    const failure = this.#written?.failure
    const lasting = journal?.isVolatile ? undefined : journal
    const usage = await lasting?.usage()
    const memory = chain.store.memory()
    return {
      kind: lasting ? 'journal' : 'memory',
      failure: failure ? { code: failure.code, message: failure.message } : null,
      usedBytes: usage?.usedBytes ?? null,
      quotaBytes: usage?.quotaBytes ?? null,
      blockMemory: { used: memory.usedBytes, budget: memory.budgetBytes ?? null },
      blocks: chain.store.head().header.number - chain.store.first().header.number + 1,
      statesKept: STATES_KEPT,
      canImport: this.#deps.onReplaced !== undefined,
      ...(this.#importing && { importing: this.#importing.progress }),
    }
  }

  /** The whole chain as one file, without its snapshots. */
  async exportChain(): Promise<Uint8Array> {
    const chain = this.#chain
    invariant(chain, 'the chain was exported before it was being recorded')
    const { journal, record, taken } = this.#deps
    // Whoever cannot read what is stored has all the more reason to export the chain: then it comes from the states.
    const written = await (journal ? differencesIn(journal).catch(() => NOTHING_WRITTEN) : NOTHING_WRITTEN)
    const pacer = createPacer(chain.clock)
    const pieces = chainFileInPieces(await entriesOf(chain, record, taken(), written, pacer))
    let piece = pieces.next()
    for (; !piece.done; piece = pieces.next()) {
      const pause = pacer.checkpoint()
      if (pause) await pause
    }
    return piece.value
  }

  /**
   * Replaces this chain, which is lost, with the one in a file. Checks the file first: every field against what a node
   * would write, the hashes of blocks, the senders of transactions, the states, and that a node can open it twice.
   *
   * @throws {ChainFileError} If the file is not a chain or is damaged, or the import is cancelled; nothing has changed.
   * @throws {JournalError} If there is no room for it; nothing has changed.
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
      // The next start must be able to read what the node wrote when it closed.
      await this.#tryOut(trial.reopen(), OPEN_LIMIT_MS, run)
    } catch (error) {
      // A cancelled import may surface as any error; report it as cancelled.
      run.check()
      throw error
    } finally {
      this.#importing = undefined
    }
    run.check()
    await this.#replace(entries)
  }

  /** Cancels the running import at its next pause; `false` if there is none, or its file has already been checked. */
  cancelImport(): boolean {
    this.#importing?.cancel()
    return this.#importing !== undefined
  }

  /**
   * Replaces this chain, which is lost, with a new one. Checks the options first.
   *
   * @throws {ChainFileError} If the options are invalid; nothing has changed.
   * @throws {JournalError} If there is no room for it; nothing has changed.
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

  /**
   * Writes the remaining changes.
   *
   * @throws {JournalError}
   */
  async close(): Promise<void> {
    await this.#written?.close(this.#deps.tidyMs)
  }

  /** @throws {ChainFileError} If this node cannot replace its chain. */
  #requireReplaceable(): Replaceable {
    const { onReplaced, chain } = this.#deps
    const written = this.#written
    if (chain.fork && !onReplaced)
      throw new ChainFileError('a fork cannot become another chain: use a node without a fork')
    if (!written) throw new ChainFileError('this node keeps its chain in memory: it cannot import another')
    if (!onReplaced) throw new ChainFileError('this node cannot switch to another chain: start another node for that')
    return { written, onReplaced }
  }

  /** @throws {ChainFileError} If it is not a chain, or too large to check in time. */
  async #decode(file: Uint8Array, run: ImportRun): Promise<readonly JournalEntry[]> {
    // Few import a file, and they load what reads it.
    const { decodeChainFile } = await import('./decode-chain-file.ts')
    try {
      const guard = createPacer(run, CHECK_LIMIT_MS)
      return await decodeChainFile(file, guard, (done, total) => run.tell('blocks', done, total))
    } catch (error) {
      throw error instanceof ExecutionTimeoutError ? tooSlow('its blocks and senders', CHECK_LIMIT_MS, error) : error
    }
  }

  /** @throws {ChainFileError} If no node can run the chain: any error of the trial is about the chain. */
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
    // Only a film shows what was taken back; a running chain has no use for it.
    await written.replace(entries.filter(({ key }) => key !== META.taken).map(toChange))
    onReplaced()
  }
}

function tooSlow(what: string, limitMs: number, cause: unknown): ChainFileError {
  const problem = `the import was stopped: ${what} take longer than ${limitMs / 1000} s to check`
  return new ChainFileError(`${problem}. Nothing has changed`, { cause })
}

/** What is needed to replace the chain. */
interface Replaceable {
  readonly written: ChainJournal
  readonly onReplaced: () => void
}

function toChange(entry: JournalEntry): JournalChange {
  return { kind: 'put', ...entry }
}
