import { type IDBPDatabase, type IDBPObjectStore, type IDBPTransaction, openDB, type StoreNames } from 'idb'
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

/** Why a database can no longer be used. */
export interface Loss {
  error?: JournalError
}

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
      upgrade(database) {
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
