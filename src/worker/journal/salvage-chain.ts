import { openDB } from 'idb'
import { encodeChainFile } from '#node/persistence/chain-file.ts'
import type { JournalEntry } from '#node/persistence/whole-chain.ts'
import { JOURNAL_PARTS, JournalError } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { requireIndexedDb, untilFree } from './idb-database.ts'
import { toJournalError } from './idb-errors.ts'
import { databaseName, listIdbJournals } from './idb-journal.ts'

/**
 * Exports whatever is readable of a stored chain as a chain file, whichever version wrote it. Checks nothing, and does
 * not take the chain from its owner.
 *
 * @throws {JournalError} `busy`, `unavailable`, `corrupt`: the browser cannot read it, or it does not exist.
 */
export async function salvageChain(chain: string, clock: Pick<Clock, 'schedule'>): Promise<Uint8Array> {
  return encodeChainFile(await readStored(chain, clock))
}

/** Whatever is readable of a stored chain. @throws {JournalError} As {@link salvageChain}. */
export async function readStored(chain: string, clock: Pick<Clock, 'schedule'>): Promise<readonly JournalEntry[]> {
  requireIndexedDb()
  const stored = await listIdbJournals()
  if (!stored.includes(chain)) throw new JournalError('unavailable', 'This chain is not stored.')
  try {
    return await readEverything(databaseName(chain), clock)
  } catch (error) {
    throw toJournalError(error)
  }
}

async function readEverything(name: string, clock: Pick<Clock, 'schedule'>): Promise<readonly JournalEntry[]> {
  // Without a version number any existing version is opened, even a newer one.
  const database = await openDB(name, undefined, {
    blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
  })
  try {
    const parts = JOURNAL_PARTS.filter((part) => database.objectStoreNames.contains(part))
    if (parts.length === 0) return []
    // One transaction, so that the parts are consistent.
    const transaction = database.transaction(parts)
    const [first] = parts
    // The first read waits until no other tab is writing; the rest takes as long as there is data.
    if (first) await untilFree(clock, transaction.objectStore(first).count())
    const read = await Promise.all(
      parts.map(async (part) => {
        const store = transaction.objectStore(part)
        const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll() as Promise<unknown[]>])
        return keys.flatMap((key, i): JournalEntry[] => {
          const value = values[i]
          return typeof key === 'string' && value instanceof Uint8Array ? [{ part, key, value }] : []
        })
      }),
    )
    return read.flat()
  } finally {
    database.close()
  }
}
