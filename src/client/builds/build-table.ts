import { type DBSchema, openDB } from 'idb'

/** A build that is kept, without its texts. */
export interface KeptBuild {
  /** One id for one compiler and input. */
  readonly id: string
  readonly compiler: string
  /** Milliseconds since the Unix epoch. */
  readonly savedAtMs: number
  /** Whether a contract of it was deployed from this page. */
  readonly deployed: boolean
  /** Bytes that it takes, compressed. */
  readonly bytes: number
}

/** A build's row in the storage. */
export interface BuildRow extends KeptBuild {
  readonly chain: string
}

/** Where builds are kept: rows, and for each its compressed texts. */
export interface BuildTable {
  /** Rows of all chains. */
  readonly rows: () => Promise<readonly BuildRow[]>
  readonly texts: (chain: string, id: string) => Promise<ArrayBuffer | undefined>
  /** Adds or replaces one and deletes others, all or nothing. */
  readonly change: (
    added: { readonly row: BuildRow; readonly texts: ArrayBuffer } | undefined,
    deleted: readonly BuildRow[],
  ) => Promise<void>
}

interface Layout extends DBSchema {
  rows: { key: [chain: string, id: string]; value: BuildRow }
  texts: { key: [chain: string, id: string]; value: ArrayBuffer }
}

/** @throws {DOMException} If the browser has no storage for the page. */
export async function openBuildTable(name: string): Promise<BuildTable> {
  if (globalThis.indexedDB === undefined) throw new DOMException('This browser has no IndexedDB.', 'NotSupportedError')
  const database = await openDB<Layout>(name, 1, {
    upgrade(opened) {
      opened.createObjectStore('rows', { keyPath: ['chain', 'id'] })
      opened.createObjectStore('texts')
    },
    blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
  })
  return {
    rows: () => database.getAll('rows'),
    texts: (chain, id) => database.get('texts', [chain, id]),
    async change(added, deleted) {
      const transaction = database.transaction(['rows', 'texts'], 'readwrite')
      const [rows, texts] = [transaction.objectStore('rows'), transaction.objectStore('texts')]
      await Promise.all([
        ...deleted.flatMap(({ chain, id }) => [rows.delete([chain, id]), texts.delete([chain, id])]),
        ...(added ? [rows.put(added.row), texts.put(added.texts, [added.row.chain, added.row.id])] : []),
        transaction.done,
      ])
    },
  }
}

/** Keeps builds as long as the page is open, where the browser has no storage. */
export function createMemoryTable(): BuildTable {
  const kept = new Map<string, { readonly row: BuildRow; readonly texts: ArrayBuffer }>()
  const keyOf = (chain: string, id: string) => JSON.stringify([chain, id])
  return {
    rows: async () => [...kept.values()].map(({ row }) => row),
    texts: async (chain, id) => kept.get(keyOf(chain, id))?.texts,
    async change(added, deleted) {
      for (const { chain, id } of deleted) kept.delete(keyOf(chain, id))
      if (added) kept.set(keyOf(added.row.chain, added.row.id), added)
    },
  }
}
