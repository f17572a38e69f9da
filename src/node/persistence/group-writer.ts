import { type Durability, JOURNAL_PARTS, type Journal, type JournalChange, JournalError } from '../storage/journal.ts'

/** The entries of one write. */
export interface WriteGroup {
  readonly changes: readonly JournalChange[]
  readonly durability: Durability
}

export interface GroupWriterDeps {
  readonly journal: Journal
  /** Takes all changes that are to be written up to this moment. */
  readonly take: () => WriteGroup
  /** Takes back changes that could not be written. */
  readonly giveBack: (batch: WriteGroup) => void
  /** Called when somebody else has opened the journal; nothing more is written. */
  readonly onTakenOver: () => void
}

/** A caller that waits until something is durable. */
interface Waiter {
  /** Value of `#happened` that must be durable. */
  readonly happened: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Writes to a journal, one write at a time. Each write holds all changes since the one before. */
export class GroupWriter {
  readonly #deps: GroupWriterDeps
  /** Number of changes so far. */
  #happened = 0
  /** How many of them are durable. */
  #durable = 0
  #waiters: Waiter[] = []
  /** Resolves when everything is written or a write has failed. */
  #writing: Promise<void> | undefined
  #failure: JournalError | undefined
  /** The bug after which nothing can be written any more. */
  #bug: unknown
  /** Whether the journal's content is being, or has been, replaced. */
  #replacement: 'none' | 'under-way' | 'made' = 'none'

  constructor(deps: GroupWriterDeps) {
    this.#deps = deps
  }

  /** Why the last write failed; `undefined` if it succeeded. */
  get failure(): JournalError | undefined {
    return this.#failure
  }

  /** Call this when something has happened. */
  touch(): void {
    this.#happened++
    this.#schedule()
  }

  /**
   * Resolves when everything that has happened so far is durable.
   *
   * @throws {JournalError} If it could not be written; the next change tries again.
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

  /**
   * Replaces everything the journal holds. After that nothing more is written, and everything counts as durable.
   *
   * @throws {JournalError} If it cannot be written; then writing continues as before.
   */
  async replace(changes: readonly JournalChange[]): Promise<void> {
    this.#replacement = 'under-way'
    await this.#writing
    const cleared = JOURNAL_PARTS.map((part) => ({ kind: 'clear' as const, part }))
    try {
      await this.#deps.journal.write([...cleared, ...changes], 'strict')
    } catch (error) {
      this.#replacement = 'none'
      this.touch()
      throw error
    }
    this.#replacement = 'made'
    this.#release(Number.POSITIVE_INFINITY)
  }

  #schedule(): void {
    if (this.#replacement !== 'none' || this.#failure?.code === 'taken-over') return
    this.#writing ??= this.#write()
  }

  /** Writes until nothing is left or a write fails. */
  async #write(): Promise<void> {
    // Let the current synchronous step finish, so that the written changes are consistent.
    await Promise.resolve()
    try {
      while (this.#durable < this.#happened && this.#replacement === 'none') {
        const happened = this.#happened
        const failure = await this.#writeBatch()
        if (failure) return this.#stop(failure, happened)
        this.#durable = happened
        this.#release(happened)
      }
    } catch (error) {
      this.#bug = error
      this.#fail(error, this.#happened)
      throw error
    }
    this.#writing = undefined
  }

  /** @returns Why the write failed, if it did. */
  async #writeBatch(): Promise<JournalError | undefined> {
    const batch = this.#deps.take()
    try {
      await this.#deps.journal.write(batch.changes, batch.durability)
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
      this.#deps.giveBack(batch)
      return error
    }
    this.#failure = undefined
    return undefined
  }

  /**
   * Rejects the callers whose changes were in the failed write, which held what had happened up to `tried`. For those
   * who came during it, the next attempt is made at once. Synchronous, so that later callers wait for it, too.
   */
  #stop(failure: JournalError, tried: number): void {
    this.#writing = undefined
    this.#failure = failure
    const isTakenOver = failure.code === 'taken-over'
    this.#fail(failure, isTakenOver ? this.#happened : tried)
    if (isTakenOver) this.#deps.onTakenOver()
    else if (this.#waiters.length > 0) this.#schedule()
  }

  /** Resolves the callers that wait for no more than `durable`. */
  #release(durable: number): void {
    for (const { resolve } of this.#takeWaiters(durable)) resolve()
  }

  /** Rejects the callers that wait for no more than `tried`. */
  #fail(error: unknown, tried: number): void {
    for (const { reject } of this.#takeWaiters(tried)) reject(error)
  }

  #takeWaiters(upTo: number): Waiter[] {
    const taken = this.#waiters.filter(({ happened }) => happened <= upTo)
    this.#waiters = this.#waiters.filter(({ happened }) => happened > upTo)
    return taken
  }
}
