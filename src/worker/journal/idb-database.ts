import { type IDBPDatabase, type IDBPObjectStore, type IDBPTransaction, openDB, type StoreNames } from 'idb'
import { JOURNAL_PARTS, JournalError, type JournalPart } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'

/** One object store for each part, and one that says who owns them all. */
export type Layout = Record<JournalPart, { key: string; value: Uint8Array }> & { owner: { key: string; value: number } }
/** An open one. */
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
/** The key in `owner` under which is counted how often the journal was opened. */
export const EPOCH = 'epoch'

/**
 * Milliseconds for which another tab may keep the database to itself. A live tab lets go within milliseconds, or
 * seconds while it writes an imported chain; a frozen one never does.
 */
const BUSY_LIMIT_MS = 10_000

/**
 * Waits for another tab to let go of the database.
 *
 * @param asked - What the browser answers as soon as it has.
 * @throws {JournalError} `busy`: it did not within the limit.
 */
export async function untilFree<Answer>(clock: Pick<Clock, 'schedule'>, asked: Promise<Answer>): Promise<Answer> {
  let cancel = () => {}
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.schedule(() => {
      const waited = `waited ${BUSY_LIMIT_MS / 1_000} seconds for another tab to let go of the stored chain`
      reject(new JournalError('busy', `Blinknet ${waited}.`))
    }, BUSY_LIMIT_MS)
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    cancel()
  }
}

/** Opens the database, and writes into `loss` when it is gone. */
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
        loss.error ??= new JournalError('unavailable', 'The browser closed its storage of the chain.')
      },
    }).then((database) => (refused ? database.close() : resolve(database)), reject)
  })
}

/** Counts one owner more, and returns the count. */
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

/** @throws {JournalError} `unavailable`: there is none. */
export function requireIndexedDb(): void {
  if (typeof indexedDB === 'undefined') throw new JournalError('unavailable', 'This browser has no IndexedDB.')
}
