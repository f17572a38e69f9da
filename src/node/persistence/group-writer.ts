import { type Durability, JOURNAL_PARTS, type Journal, type JournalChange, JournalError } from '../storage/journal.ts'

/** The entries of one write. */
export interface Batch {
  readonly changes: readonly JournalChange[]
  readonly durability: Durability
}

export interface GroupWriterDeps {
  readonly journal: Journal
  /** Takes everything that is to be written, down to this moment. */
  readonly take: () => Batch
  /** Takes back what could not be written. */
  readonly giveBack: (batch: Batch) => void
  /** Called when somebody else has opened the journal: nothing more is written. */
  readonly onTakenOver: () => void
}

/** Somebody who waits for something to be durable. */
interface Waiter {
  /** The count of what had happened. */
  readonly happened: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Writes to a journal, one write after the other, each with all that has happened since the one before. */
export class GroupWriter {
  readonly #deps: GroupWriterDeps
  /** Counts what has happened. */
  #happened = 0
  /** Those of them that are durable. */
  #durable = 0
  #waiters: Waiter[] = []
  /** Ends when nothing is left to be written, or a write has failed. */
  #writing: Promise<void> | undefined
  #failure: JournalError | undefined
  /** Why nothing can be written any more, where that is a bug. */
  #bug: unknown
  /** Whether the journal holds something else, or is about to. */
  #replacement: 'none' | 'under-way' | 'made' = 'none'

  constructor(deps: GroupWriterDeps) {
    this.#deps = deps
  }

  /** Why the last write failed; `undefined` where it did not. */
  get failure(): JournalError | undefined {
    return this.#failure
  }

  /** Takes note that something has happened. */
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

  /**
   * Puts something else in the place of all that the journal holds; from then on nothing is written, and all counts as
   * durable.
   *
   * @throws {JournalError} If it cannot be written; things go on as before then.
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

  /** Writes until nothing is left, or until it fails. */
  async #write(): Promise<void> {
    // What is being done in one go is finished first, so that what is written fits together.
    await Promise.resolve()
    try {
      while (this.#durable < this.#happened && this.#replacement === 'none') {
        const happened = this.#happened
        const failure = await this.#writeBatch()
        if (failure) return this.#stop(failure)
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

  /** @returns Why it has failed. */
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

  /** In one go: who waits from here on waits for the next attempt. */
  #stop(failure: JournalError): void {
    this.#writing = undefined
    this.#failure = failure
    this.#fail(failure)
    if (failure.code === 'taken-over') this.#deps.onTakenOver()
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
}
