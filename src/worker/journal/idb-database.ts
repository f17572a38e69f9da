import { deleteDB, type IDBPDatabase, type IDBPObjectStore, type IDBPTransaction, openDB, type StoreNames } from 'idb'
import { JOURNAL_PARTS, JournalError, type JournalPart } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { endsWithin } from '#primitives/ends-within.ts'

/** One object store for each part, and one for the owner. */
export type Layout = Record<JournalPart, { key: string; value: Uint8Array }> & { owner: { key: string; value: number } }
/** An open database. */
export type Database = IDBPDatabase<Layout>
/** The entries of one part. */
export type Store = IDBPObjectStore<Layout, JournalPart[], JournalPart>
/** A transaction that may change entries. */
export type Writing = IDBPTransaction<Layout, StoreNames<Layout>[], 'readwrite'>

/** What became of a database. */
export interface Loss {
  /** Why it can no longer be used. */
  error?: JournalError
  /** The browser found its storage damaged, and deleted all databases before this one was opened; its own words. */
  deleted?: string
}

/** Chromium says in the event of a new database whether it deleted damaged ones, which no standard has. */
type UpgradeEvent = IDBVersionChangeEvent & { readonly dataLoss?: string; readonly dataLossMessage?: string }

/** Version of the set of object stores; raised when there are new parts, whose stores are then added. */
const LAYOUT_VERSION = 1
/** The key in `owner` of the count of openings. */
export const EPOCH = 'epoch'

/**
 * How long to wait for another tab to release the database, in milliseconds. A live tab does so within milliseconds, or
 * seconds while it writes an imported chain; a frozen one never does.
 */
const BUSY_LIMIT_MS = 10_000

/**
 * Waits for another tab to release the database.
 *
 * @param asked - The browser's answer to the request, which comes once the database is free.
 * @throws {JournalError} `busy` if it was not released in time.
 */
export async function untilFree<Answer>(clock: Pick<Clock, 'schedule'>, asked: Promise<Answer>): Promise<Answer> {
  if (await endsWithin(clock, BUSY_LIMIT_MS, asked)) return asked
  const waited = `waited ${BUSY_LIMIT_MS / 1_000} seconds for another tab to release the stored chain`
  throw new JournalError('busy', `Blinknet ${waited}.`)
}

/** Opens the database, and records in `loss` when it is gone. */
export function openDatabase(name: string, loss: Loss): Promise<Database> {
  requireIndexedDb()
  return new Promise((resolve, reject) => {
    let refused = false
    openDB<Layout>(name, LAYOUT_VERSION, {
      upgrade(database, _old, _new, _transaction, event) {
        const { dataLoss = 'none', dataLossMessage = '' } = event as UpgradeEvent
        if (dataLoss !== 'none') loss.deleted = dataLossMessage
        for (const store of ['owner', ...JOURNAL_PARTS] as const) {
          if (!database.objectStoreNames.contains(store)) database.createObjectStore(store)
        }
      },
      blocked() {
        refused = true
        reject(new JournalError('unavailable', 'Another tab has the chain open with an older version of Blinknet.'))
      },
      blocking(_current, _wanted, event) {
        loss.error ??= new JournalError('taken-over', 'Another tab has deleted the stored chain or changed its format.')
        const database = event.target as IDBDatabase
        database.close()
      },
      terminated() {
        loss.error ??= new JournalError('unavailable', 'The browser closed the chain’s storage.')
      },
    }).then((database) => (refused ? database.close() : resolve(database)), reject)
  })
}

/** A database that is made only to be deleted. */
const SCRATCH = 'blinknet-scratch'

/**
 * Has Chromium begin a new log file for all databases of this origin, which takes it some milliseconds. Without one it
 * goes on with the old file even if the browser was killed in the middle of a write. What is written behind the torn
 * record makes the whole file unreadable, and at the next start Chromium deletes every database
 * (https://github.com/google/leveldb/issues/1287). Deleting a database compacts, which begins a new file. A second kill
 * before that has happened still loses everything. Other browsers store databases in another way.
 */
export async function renewLog(): Promise<void> {
  if (!('dataLoss' in IDBVersionChangeEvent.prototype)) return
  const scratch = await openDB(SCRATCH, 1, {
    // Another chain's tab does the same at the same time.
    blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
  })
  scratch.close()
  await deleteDB(SCRATCH)
}

/** Increments the count of owners and returns it. */
export async function takeOver(database: Database): Promise<number> {
  const transaction = database.transaction('owner', 'readwrite', { durability: 'strict' })
  const count = async () => {
    const epoch = ((await transaction.store.get(EPOCH)) ?? 0) + 1
    await transaction.store.put(epoch, EPOCH)
    return epoch
  }
  const [epoch] = await Promise.all([count(), transaction.done])
  return epoch
}

/** @throws {JournalError} `unavailable` if there is none. */
export function requireIndexedDb(): void {
  if (typeof indexedDB === 'undefined') throw new JournalError('unavailable', 'This browser has no IndexedDB.')
}
