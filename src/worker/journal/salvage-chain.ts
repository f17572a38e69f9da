import { openDB } from 'idb'
import { encodeChainFile } from '#node/persistence/chain-file.ts'
import type { JournalEntry } from '#node/persistence/whole-chain.ts'
import { JOURNAL_PARTS, JournalError } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { requireIndexedDb, untilFree } from './idb-database.ts'
import { toJournalError } from './idb-errors.ts'
import { databaseName, listIdbJournals } from './idb-journal.ts'

/**
 * Exports what is left of a stored chain as a chain file, whatever version wrote it. Nothing in it is checked, and
 * whoever has the chain open keeps it.
 *
 * @throws {JournalError} `busy`, `unavailable`, `corrupt`: the browser does not hand it out, or there is none.
 */
export async function salvageChain(chain: string, clock: Pick<Clock, 'schedule'>): Promise<Uint8Array> {
  requireIndexedDb()
  const stored = await listIdbJournals()
  if (!stored.includes(chain)) throw new JournalError('unavailable', 'This chain is not stored.')
  try {
    return encodeChainFile(await readEverything(databaseName(chain), clock))
  } catch (error) {
    throw toJournalError(error)
  }
}

async function readEverything(name: string, clock: Pick<Clock, 'schedule'>): Promise<readonly JournalEntry[]> {
  // Without a version it is opened as it is, also by an older program than the one that wrote it.
  const database = await openDB(name, undefined, {
    blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
  })
  try {
    const parts = JOURNAL_PARTS.filter((part) => database.objectStoreNames.contains(part))
    if (parts.length === 0) return []
    // One transaction: what is read of the parts fits together.
    const transaction = database.transaction(parts)
    const [first] = parts
    // The first answer comes once no other tab writes any more; the rest takes as long as there is data.
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
