import { openDB } from 'idb'
import { readChainRecord } from '#node/persistence/chain-record.ts'
import { JournalError } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { requireIndexedDb, untilFree } from './idb-database.ts'
import { toJournalError } from './idb-errors.ts'
import { databaseName, listIdbJournals } from './idb-journal.ts'

/**
 * The ids of stored chains, in the order of their names. Leaves the chains to their owners, and makes none.
 *
 * @returns `undefined` for one that is not stored, that is damaged or newer, or that another tab does not let read.
 * @throws {JournalError} `unavailable`.
 */
export async function identifyStored(
  chains: readonly string[],
  clock: Pick<Clock, 'schedule'>,
): Promise<readonly (number | undefined)[]> {
  requireIndexedDb()
  const stored = new Set(await listIdbJournals())
  return Promise.all(
    chains.map(async (chain) => {
      if (!stored.has(chain)) return undefined
      try {
        return await untilFree(clock, chainIdOf(chain))
      } catch (error) {
        if (!(toJournalError(error) instanceof JournalError)) throw error
        // Opening the chain tells the person what is wrong with it.
        return undefined
      }
    }),
  )
}

async function chainIdOf(chain: string): Promise<number | undefined> {
  // Without a version number any existing version is opened, even a newer one.
  const database = await openDB(databaseName(chain), undefined, {
    upgrade(_database, _old, _new, transaction) {
      // A chain that was deleted since it was listed must not begin anew.
      transaction.done.catch(() => {})
      transaction.abort()
    },
    blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
  })
  try {
    if (!database.objectStoreNames.contains('meta')) return undefined
    const record = await readChainRecord({
      read: (part, key) => database.get(part, key) as Promise<Uint8Array | undefined>,
      // Without its record, what else there is says nothing of its id.
      readAll: async () => [],
    })
    return record && (record.options.chainId ?? OPTION_RANGES.chainId.default)
  } finally {
    database.close()
  }
}
