import { access, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import {
  type Durability,
  type Journal,
  type JournalChange,
  JournalError,
  type JournalPart,
  type JournalUsage,
} from '#node/storage/journal.ts'
import { makeDirectory, syncDirectory } from './file-io.ts'
import { toJournalError } from './file-journal-errors.ts'
import { catchUp, copyEntries } from './journal-compaction.ts'
import { encodeChanges } from './journal-frame.ts'
import { JournalLog, type PlacedEntry } from './journal-log.ts'
import { takeLock } from './lock-file.ts'

/** A journal in a directory. */
export interface FileJournal extends Journal {
  /** Bytes of unfinished writes that a crash left; they were dropped. */
  readonly cutBytes: number
}

export interface FileJournalOptions {
  /** Called for problems that lost no data. */
  readonly onWarning: (message: string, error: unknown) => void
  /** Bytes of garbage below which the file is not rewritten. Default 4 MiB. */
  readonly tolerateGarbageBytes?: number
}

interface Waiting {
  readonly payload: Buffer
  readonly durability: Durability
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

interface Opened {
  readonly directory: string
  readonly file: string
  readonly log: JournalLog
  readonly cutBytes: number
  readonly unlock: () => Promise<void>
}

const TOLERATED_GARBAGE_BYTES = 4 * 1024 * 1024

/**
 * Opens the journal in a directory, which is created if needed. Only one process at a time can have it open.
 *
 * @throws {JournalError} `unavailable`, `quota`, `corrupt`, `newer`.
 */
export async function openFileJournal(directory: string, options: FileJournalOptions): Promise<FileJournal> {
  try {
    await makeDirectory(path.resolve(directory))
    const unlock = await takeLock(path.join(directory, 'blinknet.lock'), directory)
    try {
      const file = path.join(directory, 'blinknet.journal')
      await rm(draftOf(file), { force: true })
      if (!(await exists(file))) await createEmpty(file)
      const { log, cutBytes } = await JournalLog.open(file)
      return new DirectoryJournal({ directory, file, log, cutBytes, unlock }, options)
    } catch (error) {
      await unlock()
      throw error
    }
  } catch (error) {
    throw toJournalError(error, directory)
  }
}

class DirectoryJournal implements FileJournal {
  readonly cutBytes: number
  readonly #directory: string
  readonly #file: string
  readonly #unlock: () => Promise<void>
  readonly #onWarning: FileJournalOptions['onWarning']
  #log: JournalLog
  /** Resolves when everything that was started has ended. */
  #started: Promise<unknown> = Promise.resolve()
  #waiting: Waiting[] = []
  /** Why nothing can be written any more, although it was not closed. */
  #broken: JournalError | undefined
  /** Bytes of garbage above which the file is rewritten. */
  #tolerated: number
  readonly #usuallyTolerated: number
  #compaction: Promise<void> | undefined
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined

  constructor({ directory, file, log, cutBytes, unlock }: Opened, options: FileJournalOptions) {
    this.cutBytes = cutBytes
    this.#directory = directory
    this.#file = file
    this.#log = log
    this.#unlock = unlock
    this.#onWarning = options.onWarning
    this.#usuallyTolerated = options.tolerateGarbageBytes ?? TOLERATED_GARBAGE_BYTES
    this.#tolerated = this.#usuallyTolerated
  }

  async readAll(part: JournalPart): Promise<readonly (readonly [key: string, value: Uint8Array])[]> {
    return this.#read(async () => {
      const entries = this.#log.entries(part).sort((a, b) => (a.key < b.key ? -1 : 1))
      const values = await this.#log.values(entries)
      return entries.map(({ key }, index) => [key, values[index] as Uint8Array])
    })
  }

  read(part: JournalPart, key: string): Promise<Uint8Array | undefined> {
    return this.#read(async () => {
      const entry: PlacedEntry | undefined = this.#log.entry(part, key)
      return entry && (await this.#log.values([entry]))[0]
    })
  }

  async write(changes: readonly JournalChange[], durability: Durability): Promise<void> {
    if (this.#closed) throw closedError()
    const payload = encodeChanges(changes)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ payload, durability, resolve, reject })
      if (this.#waiting.length === 1) void this.#inTurn(() => this.#flush())
    })
  }

  usage(): Promise<JournalUsage> {
    return Promise.resolve({ usedBytes: this.#log.bytes, quotaBytes: undefined })
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#closing.abort()
    try {
      await this.#compaction
      await this.#started
      try {
        if (!this.#broken) await this.#log.sync()
      } finally {
        await this.#log.close()
      }
    } catch (error) {
      throw toJournalError(error, this.#directory)
    } finally {
      await this.#unlock()
    }
  }

  /** Runs `task` when everything that was started before has ended. */
  #inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#started.then(task)
    this.#started = Promise.allSettled([result])
    return result
  }

  async #read<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#closed) throw closedError()
    try {
      return await this.#inTurn(ask)
    } catch (error) {
      throw toJournalError(error, this.#directory)
    }
  }

  /** Makes all waiting writes together. */
  async #flush(): Promise<void> {
    const writes = this.#waiting
    this.#waiting = []
    let appended = false
    try {
      if (this.#broken) throw this.#broken
      await this.#log.append(writes.map(({ payload }) => payload))
      appended = true
      for (const { durability, resolve } of writes) if (durability === 'relaxed') resolve()
      if (writes.some(({ durability }) => durability === 'strict')) {
        await this.#log.sync()
        await this.#log.requireFile()
      }
      for (const { resolve } of writes) resolve()
    } catch (error) {
      const failure = toJournalError(error, this.#directory)
      // After a failed sync nobody knows what the disk holds.
      const isAsBefore = !appended && failure instanceof JournalError && failure.code === 'quota'
      if (!isAsBefore) this.#break(failure)
      for (const { reject } of writes) reject(failure)
    }
    this.#compactIfWorthwhile()
  }

  #break(cause: unknown): void {
    this.#broken ??=
      cause instanceof JournalError
        ? cause
        : new JournalError('unavailable', `The journal in ${this.#directory} failed.`, { cause })
  }

  #compactIfWorthwhile(): void {
    if (this.#compaction || this.#closed || this.#broken) return
    const { garbageBytes, bytes } = this.#log
    if (garbageBytes <= this.#tolerated || 2 * garbageBytes <= bytes) return
    this.#compaction = this.#compact().finally(() => {
      this.#compaction = undefined
      // Values replaced meanwhile were copied, too.
      this.#compactIfWorthwhile()
    })
  }

  /** Rewrites the file without its garbage. Reads and writes continue meanwhile. */
  async #compact(): Promise<void> {
    const old = this.#log
    const draft = draftOf(this.#file)
    let next: JournalLog | undefined
    try {
      next = await JournalLog.create(draft)
      const target = next
      const copied = await copyEntries(old, target, this.#closing.signal)
      const caughtUp = await catchUp(old, target, copied)
      // Most of it is synced here, so that writes do not wait for it below.
      await target.sync()
      await this.#inTurn(async () => {
        if (this.#broken) throw this.#broken
        await catchUp(old, target, caughtUp)
        await target.sync()
        await rename(draft, this.#file)
        this.#log = target
        await syncDirectory(this.#directory)
      })
      this.#tolerated = this.#usuallyTolerated
      await old.close()
    } catch (error) {
      if (this.#log === next) this.#break(toJournalError(error, this.#directory))
      else await this.#giveUpCompaction(next, error)
    }
  }

  /** The file is unchanged. A full disk must not make every write try again. */
  async #giveUpCompaction(next: JournalLog | undefined, reason: unknown): Promise<void> {
    this.#tolerated = 2 * this.#log.garbageBytes
    try {
      await next?.close()
      await rm(draftOf(this.#file), { force: true })
    } catch (error) {
      this.#onWarning('the draft of a smaller journal could not be removed', error)
    }
    if (!this.#closed) this.#onWarning('the journal could not be made smaller', reason)
  }
}

/** Path of the file that will replace the journal. */
function draftOf(file: string): string {
  return `${file}.new`
}

/** The file appears under its name only once it is complete. */
async function createEmpty(file: string): Promise<void> {
  const log = await JournalLog.create(draftOf(file))
  try {
    await log.sync()
  } finally {
    await log.close()
  }
  await rename(draftOf(file), file)
  await syncDirectory(path.dirname(file))
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function closedError(): JournalError {
  return new JournalError('unavailable', 'This journal is closed.')
}
