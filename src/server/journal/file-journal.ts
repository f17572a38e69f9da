import { rm } from 'node:fs/promises'
import path from 'node:path'
import {
  type Durability,
  type Journal,
  type JournalChange,
  JournalError,
  type JournalPart,
  type JournalUsage,
  type RecordShelf,
} from '#node/storage/journal.ts'
import { makeDirectory } from './file-io.ts'
import { toJournalError } from './file-journal-errors.ts'
import { catchUp, copyEntries, piecesOf } from './journal-compaction.ts'
import { encodeChanges } from './journal-frame.ts'
import { JournalLog, type PlacedEntry } from './journal-log.ts'
import { type HeldLock, takeLock } from './lock-file.ts'
import { draftOf, openLog, putInPlace } from './open-log.ts'
import { readRow } from './placed-blocks.ts'

/** The file of a directory that has the chain. */
export const JOURNAL_FILE = 'blinknet.journal'

/** A journal in a directory. */
export interface FileJournal extends Journal {
  /** Bytes of unfinished writes that a crash left; they were dropped. */
  readonly cutBytes: number
}

export interface FileJournalOptions {
  /** Called for problems that lost no data. */
  readonly onWarning: (message: string, error: unknown) => void
  /** Called once when another process has taken the directory over. Nothing is written any more. */
  readonly onTakenOver?: (error: JournalError) => void
  /** Milliseconds to wait for a sign of life of a process that cannot be seen. */
  readonly watchMs?: number
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
  readonly lock: HeldLock
}

const TOLERATED_GARBAGE_BYTES = 4 * 1024 * 1024

/**
 * Opens the journal in a directory, which is created if needed. Only one process at a time can have it open.
 *
 * @throws {JournalError} `unavailable`, `quota`, `corrupt`, `newer`, `taken-over`.
 */
export async function openFileJournal(directory: string, options: FileJournalOptions): Promise<FileJournal> {
  try {
    await makeDirectory(path.resolve(directory))
    const lost = new Lost(options.onTakenOver)
    const { watchMs } = options
    const lock = await takeLock(path.join(directory, 'blinknet.lock'), directory, {
      onLost: (error) => lost.tell(error),
      ...(watchMs !== undefined && { watchMs }),
    })
    try {
      const file = path.join(directory, JOURNAL_FILE)
      const journal = new DirectoryJournal({ directory, file, lock, ...(await openLog(file, lock)) }, options)
      lost.onTold = (error) => journal.fail(error)
      return journal
    } catch (error) {
      await lock.giveBack()
      throw error
    }
  } catch (error) {
    throw toJournalError(error, directory)
  }
}

/** Passes on that the lock is lost: to whoever has opened the journal only once it is open. */
class Lost {
  readonly #tellOwner: (error: JournalError) => void
  #told: JournalError | undefined
  #onTold: ((error: JournalError) => void) | undefined

  constructor(tellOwner: (error: JournalError) => void = () => {}) {
    this.#tellOwner = tellOwner
  }

  tell(error: JournalError): void {
    this.#told = error
    if (!this.#onTold) return
    this.#onTold(error)
    this.#tellOwner(error)
  }

  set onTold(listener: (error: JournalError) => void) {
    this.#onTold = listener
    if (this.#told) this.tell(this.#told)
  }
}

class DirectoryJournal implements FileJournal {
  readonly cutBytes: number
  readonly #directory: string
  readonly #file: string
  readonly #lock: HeldLock
  readonly #onWarning: FileJournalOptions['onWarning']
  #log: JournalLog
  /** Files that were replaced, and of which somebody may still read a block that was taken back. */
  readonly #retired = new Set<JournalLog>()
  readonly shelf: RecordShelf = {
    ready: () => Promise.resolve(),
    shelve: (key) => this.#log.blocks.hold(key),
    pack: (places) => this.#log.blocks.pack(places),
    placed: (part) => this.#read(() => Promise.resolve(this.#log.placed(part))),
  }
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

  constructor({ directory, file, log, cutBytes, lock }: Opened, options: FileJournalOptions) {
    this.cutBytes = cutBytes
    this.#directory = directory
    this.#file = file
    this.#log = log
    this.#lock = lock
    lock.restoreIf(async () => {
      const isAtPlace = await this.#log.isAt(file)
      return isAtPlace === undefined ? 'gone' : isAtPlace ? 'own' : 'others'
    })
    this.#onWarning = options.onWarning
    this.#usuallyTolerated = options.tolerateGarbageBytes ?? TOLERATED_GARBAGE_BYTES
    this.#tolerated = this.#usuallyTolerated
  }

  async readAll(part: JournalPart): Promise<readonly (readonly [key: string, value: Uint8Array])[]> {
    return this.#read(async () => {
      const entries = [...this.#log.entries(part)].sort((a, b) => (a.key < b.key ? -1 : 1))
      const values = await this.#log.values(entries)
      return entries.map(({ key }, index) => [key, values[index] as Uint8Array])
    })
  }

  async readEach(part: JournalPart, visit: (key: string, value: Uint8Array) => void): Promise<void> {
    if (part !== 'blocks') {
      // There are few.
      for (const [key, value] of await this.readAll(part)) visit(key, value)
      return
    }
    await this.#read(async () => {
      for (const piece of piecesOf(this.#log.blocksInOrder())) {
        const rows = await this.#log.values(piece)
        for (const [index, row] of piece.entries()) visit(...readRow(rows[index] as Uint8Array, row))
      }
      this.#log.forgetKeys()
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

  /** From now on nothing is written any more. */
  fail(reason: JournalError): void {
    this.#closing.abort()
    this.#break(reason)
  }

  async #close(): Promise<void> {
    this.#closing.abort()
    try {
      await this.#compaction
      await this.#started
      try {
        if (!this.#broken) {
          await this.#log.sync()
          await this.#lock.requireOwn()
        }
      } finally {
        await this.#log.close()
        for (const log of this.#retired) await log.close()
      }
    } catch (error) {
      throw toJournalError(error, this.#directory)
    } finally {
      await this.#lock.giveBack()
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
    let isBegun = false
    let appended = false
    try {
      if (this.#broken) throw this.#broken
      await this.#lock.requireOwn()
      isBegun = true
      await this.#log.append(writes.map(({ payload }) => payload))
      appended = true
      const relaxed = writes.filter(({ durability }) => durability === 'relaxed')
      if (relaxed.length > 0) {
        await this.#lock.requireOwn()
        for (const { resolve } of relaxed) resolve()
      }
      if (relaxed.length < writes.length) {
        await this.#log.sync()
        await this.#log.requireFile()
        await this.#lock.requireOwn()
        for (const { resolve } of writes) resolve()
      }
    } catch (error) {
      const failure = toJournalError(error, this.#directory)
      // After a failed sync nobody knows what the disk holds.
      const isAsBefore = !isBegun
        ? !isTakenOver(failure)
        : !appended && failure instanceof JournalError && failure.code === 'quota'
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
    const draft = draftOf(this.#file, this.#lock)
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
        await putInPlace(draft, this.#file, this.#lock, () => {
          target.replace(old)
          this.#log = target
        })
      })
      this.#tolerated = this.#usuallyTolerated
      await this.#retire(old)
    } catch (error) {
      if (this.#log === next) {
        this.#break(toJournalError(error, this.#directory))
        await this.#retire(old)
      } else await this.#giveUpCompaction(next, error)
    }
  }

  async #retire(log: JournalLog): Promise<void> {
    for (const each of this.#retired) if (each.isClosed) this.#retired.delete(each)
    this.#retired.add(log)
    await log.retire((error) => this.#onWarning('a file of the journal that was replaced could not be closed', error))
  }

  /** The file is unchanged. A full disk must not make every write try again. */
  async #giveUpCompaction(next: JournalLog | undefined, reason: unknown): Promise<void> {
    this.#tolerated = 2 * this.#log.garbageBytes
    try {
      await next?.close()
      await rm(draftOf(this.#file, this.#lock), { force: true })
    } catch (error) {
      this.#onWarning('the draft of a smaller journal could not be removed', error)
    }
    if (!this.#closed) this.#onWarning('the journal could not be made smaller', reason)
  }
}

function isTakenOver(error: unknown): boolean {
  return error instanceof JournalError && error.code === 'taken-over'
}

function closedError(): JournalError {
  return new JournalError('unavailable', 'This journal is closed.')
}
