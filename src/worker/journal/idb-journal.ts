import { deleteDB, type StoreNames } from 'idb'
import {
  type Durability,
  type Journal,
  type JournalChange,
  JournalError,
  type JournalPart,
  type JournalUsage,
  type PackedPlaces,
  type RecordShelf,
  type StoredBytes,
} from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { endsWithin } from '#primitives/ends-within.ts'
import type { BlockFile } from './block-file.ts'
import {
  type Database,
  EPOCH,
  type Layout,
  type Loss,
  openDatabase,
  renewLog,
  requireIndexedDb,
  type Store,
  takeOver,
  untilFree,
  type Writing,
} from './idb-database.ts'
import { settle, toJournalError } from './idb-errors.ts'

/** The result of `navigator.storage.estimate()`, with Chromium's additional details; bytes. */
export interface StorageShare {
  readonly usage?: number
  readonly quota?: number
  readonly usageDetails?: { readonly indexedDB?: number }
}

/** Prefix of the names of this origin's journals. */
const PREFIX = 'blinknet/'
/** The database of a chain. */
export const databaseName = (chain: string) => PREFIX + chain
/**
 * How long a chain waits at its opening for a new log file, in milliseconds; it takes some 20, and longer where the
 * disk is busy. Only a tab that stands still while it does the same would hold it up for so long.
 */
const RENEWAL_LIMIT_MS = 5_000
/** Rows read per request. Of 100, 250, 1,000 and all 10,000 rows of 3.5 kB, this was the fastest in Chromium. */
const ROWS_PER_REQUEST = 250
/** Blocks up to which all may be in memory while a chain is opened. */
const FEW_BLOCKS = 256
/** Milliseconds after which files that a closed tab has left are removed: the chain comes first. */
const REMOVE_AFTER_MS = 20_000

/** Bytes that a request is to read at most, as far as rows are about as long as those before. */
const BYTES_PER_REQUEST = 4 * 1024 * 1024

/**
 * Opens the journal of a chain in the browser's storage, and takes it over from its owner.
 *
 * @param estimate - Returns how much the origin stores; asks the browser by default.
 * @throws {JournalError} `busy`, `unavailable`, `quota`, `corrupt`, `newer`.
 */
export async function openIdbJournal(
  chain: string,
  clock: Pick<Clock, 'schedule'>,
  estimate: () => Promise<StorageShare> = estimateStorage,
): Promise<Journal> {
  const loss: Loss = {}
  const opening = openDatabase(databaseName(chain), loss)
  try {
    const [database, epoch] = await untilFree(
      clock,
      opening.then(async (opened) => {
        // A tab that was frozen while it does the same holds this up.
        await endsWithin(clock, RENEWAL_LIMIT_MS, renewLog())
        return [opened, await takeOver(opened)] as const
      }),
    )
    return new IdbJournal(database, loss, epoch, estimate, clock)
  } catch (error) {
    // The database may still open after nobody waits for it any more.
    opening.then(
      (database) => database.close(),
      () => {},
    )
    throw toJournalError(error)
  }
}

/**
 * Deletes the journal of a chain; an open one is closed.
 *
 * @throws {JournalError} `busy`, `unavailable`.
 */
export async function deleteIdbJournal(chain: string, clock: Pick<Clock, 'schedule'>): Promise<void> {
  requireIndexedDb()
  try {
    // A tab that has it open releases it when asked, unless it is frozen.
    await untilFree(clock, deleteDB(databaseName(chain)))
  } catch (error) {
    throw toJournalError(error)
  }
}

/**
 * The chains that have a journal in this browser, in alphabetical order.
 *
 * @throws {JournalError} `unavailable`.
 */
export async function listIdbJournals(): Promise<readonly string[]> {
  requireIndexedDb()
  try {
    const names = (await indexedDB.databases()).map(({ name = '' }) => name)
    return names
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => name.slice(PREFIX.length))
      .sort()
  } catch (error) {
    throw toJournalError(error)
  }
}

class IdbJournal implements Journal {
  readonly #database: Database
  readonly #loss: Loss
  readonly #epoch: number
  readonly #estimate: () => Promise<StorageShare>
  readonly shelf: RecordShelf
  readonly #endShelf: () => Promise<void>
  /** Resolves when every write that was started has ended. */
  #started: Promise<unknown> = Promise.resolve()

  constructor(
    database: Database,
    loss: Loss,
    epoch: number,
    estimate: () => Promise<StorageShare>,
    clock: Pick<Clock, 'schedule'>,
  ) {
    this.#database = database
    this.#loss = loss
    this.#epoch = epoch
    this.#estimate = estimate
    const shelf = new BlockShelf(clock, () => this.#read('blocks', (store) => store.count()))
    this.shelf = shelf
    this.#endShelf = () => shelf.close()
  }

  get deleted(): string | undefined {
    return this.#loss.deleted
  }

  readAll(part: JournalPart): Promise<readonly (readonly [key: string, value: Uint8Array])[]> {
    return this.#read(part, async (store) => {
      const keys = await store.getAllKeys()
      const chunks: Promise<Uint8Array[]>[] = []
      for (let from = 0; from < keys.length; from += ROWS_PER_REQUEST) {
        const to = Math.min(from + ROWS_PER_REQUEST, keys.length) - 1
        chunks.push(store.getAll(IDBKeyRange.bound(keys[from], keys[to])))
      }
      const values = (await Promise.all(chunks)).flat()
      return keys.map((key, index) => [key, values[index] as Uint8Array])
    })
  }

  readEach(part: JournalPart, visit: (key: string, value: Uint8Array) => void): Promise<void> {
    return this.#read(part, async (store) => {
      let range: IDBKeyRange | undefined
      for (let rows = 1; ; ) {
        const [keys, values] = await Promise.all([store.getAllKeys(range, rows), store.getAll(range, rows)])
        let bytes = 0
        for (const [index, value] of values.entries()) {
          bytes += value.length
          visit(keys[index] as string, value)
        }
        if (keys.length < rows) return
        range = IDBKeyRange.lowerBound(keys.at(-1), true)
        rows = Math.max(1, Math.min(ROWS_PER_REQUEST, 2 * rows, Math.floor((rows * BYTES_PER_REQUEST) / (bytes + 1))))
      }
    })
  }

  read(part: JournalPart, key: string): Promise<Uint8Array | undefined> {
    return this.#read(part, (store) => store.get(key))
  }

  write(changes: readonly JournalChange[], durability: Durability): Promise<void> {
    const written = this.#write(changes, durability)
    this.#started = Promise.allSettled([this.#started, written])
    return written
  }

  async usage(): Promise<JournalUsage> {
    const { usage, quota, usageDetails } = await this.#estimate()
    const usedBytes = usageDetails?.indexedDB ?? usage
    // WebKit reports 0 bytes for an open chain, which means that it does not know.
    return { usedBytes: usedBytes === 0 ? undefined : usedBytes, quotaBytes: quota }
  }

  async close(): Promise<void> {
    this.#loss.error ??= new JournalError('unavailable', 'This journal is closed.')
    await this.#started
    this.#database.close()
    await this.#endShelf()
  }

  async #read<Answer>(part: JournalPart, ask: (store: Store) => Promise<Answer>): Promise<Answer> {
    try {
      const transaction = this.#usable().transaction(part)
      const [answer] = await Promise.all([ask(transaction.store), transaction.done])
      return answer
    } catch (error) {
      throw toJournalError(error)
    }
  }

  /** Starts the transaction synchronously: transactions that share a store run in order of creation. */
  async #write(changes: readonly JournalChange[], durability: Durability): Promise<void> {
    let refusal: JournalError | undefined
    try {
      const stores: StoreNames<Layout>[] = ['owner', ...new Set(changes.map(({ part }) => part))]
      const transaction = this.#usable().transaction(stores, 'readwrite', { durability })
      const epoch = transaction.objectStore('owner').get(EPOCH)
      // The changes do not wait for this check, which saves a round trip: abort() takes them back.
      const fence = epoch.then((current) => {
        if (current === this.#epoch) return
        refusal = takenOver()
        transaction.abort()
      })
      await settle([fence, transaction.done, ...stage(transaction, changes)])
    } catch (error) {
      throw refusal ?? toJournalError(error)
    }
  }

  #usable(): Database {
    if (this.#loss.error) throw this.#loss.error
    return this.#database
  }
}

/** The blocks that are read again from a file, which is made when there are many. */
class BlockShelf implements RecordShelf {
  readonly #count: () => Promise<number>
  #file: BlockFile | undefined
  #opening: Promise<void> | undefined
  #isClosed = false
  readonly #cancelRemoval: () => void

  constructor(clock: Pick<Clock, 'schedule'>, count: () => Promise<number>) {
    this.#count = count
    this.#cancelRemoval = clock.schedule(() => this.#removeAbandoned(), REMOVE_AFTER_MS)
  }

  async ready(): Promise<void> {
    if ((await this.#count()) > FEW_BLOCKS) await this.#open()
  }

  shelve(_key: string, record: Uint8Array): StoredBytes | undefined {
    if (!this.#file) void this.#open()
    return this.#file?.keep(record)
  }

  pack(places: readonly StoredBytes[]): PackedPlaces {
    return (this.#file as BlockFile).pack(places)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRemoval()
    await this.#opening
    await this.#file?.close()
  }

  #open(): Promise<void> {
    this.#opening ??= this.#openFile().catch((error: unknown) => {
      console.warn('Blinknet keeps all blocks in memory:', error)
    })
    return this.#opening
  }

  async #openFile(): Promise<void> {
    const { BlockFile } = await import('./block-file.ts')
    if (!this.#isClosed) this.#file = await BlockFile.open()
  }

  async #removeAbandoned(): Promise<void> {
    // Whoever opens a file does the same.
    if (this.#opening) return
    try {
      await (await import('./block-file.ts')).removeAbandonedFiles()
    } catch (error) {
      console.warn('Blinknet could not remove files of closed tabs:', error)
    }
  }
}

/** Starts the requests for the changes; if one cannot be made, none is. */
function stage(transaction: Writing, changes: readonly JournalChange[]): readonly Promise<unknown>[] {
  const requests: Promise<unknown>[] = []
  try {
    for (const change of changes) {
      const store = transaction.objectStore(change.part)
      // A view is stored with its whole buffer, so it is copied first.
      if (change.kind === 'put') requests.push(store.put(new Uint8Array(change.value), change.key))
      else requests.push(change.kind === 'delete' ? store.delete(change.key) : store.clear())
    }
  } catch (error) {
    transaction.abort()
    requests.push(Promise.reject(error))
  }
  return requests
}

function takenOver(): JournalError {
  return new JournalError('taken-over', 'Another tab or worker has taken over the chain.')
}

async function estimateStorage(): Promise<StorageShare> {
  // Only secure contexts have it.
  const storage = navigator.storage as StorageManager | undefined
  return (await storage?.estimate()) ?? {}
}
