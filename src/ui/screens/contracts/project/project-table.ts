import { type DBSchema, openDB } from 'idb'
import type { Project } from './project.ts'

/** Most projects kept for one chain. */
export const MAX_PROJECTS = 60

/** A stored project. */
export interface ProjectRow {
  readonly chain: string
  readonly id: string
  /** Number of changes, so that two tabs do not overwrite each other. */
  readonly revision: number
  /** Milliseconds since the Unix epoch. */
  readonly savedAtMs: number
  readonly project: Project
}

/** `changed`: another tab has stored it in the meantime. `too many`: the chain has reached its limit of projects. */
export type Stored = 'stored' | 'changed' | 'too many'

/** Storage for projects. */
export interface ProjectTable {
  /** A chain's projects, in any order. */
  readonly list: (chain: string) => Promise<readonly ProjectRow[]>
  /** @param before - The revision to replace; 0 if it is new. */
  readonly put: (row: ProjectRow, before: number) => Promise<Stored>
  readonly delete: (chain: string, id: string) => Promise<void>
}

interface Layout extends DBSchema {
  projects: { key: [chain: string, id: string]; value: ProjectRow }
}

/** Every key of a chain. */
const keysOf = (chain: string) => IDBKeyRange.bound([chain], [chain, []])

/** @throws {DOMException} If the browser has no storage for the page. */
export async function openProjectTable(name = 'blinknet-projects'): Promise<ProjectTable> {
  if (globalThis.indexedDB === undefined) throw new DOMException('This browser has no IndexedDB.', 'NotSupportedError')
  const database = await openDB<Layout>(name, 1, {
    upgrade: (opened) => void opened.createObjectStore('projects', { keyPath: ['chain', 'id'] }),
    blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
  })
  return {
    list: (chain) => database.getAll('projects', keysOf(chain)),
    async put(row, before) {
      const transaction = database.transaction('projects', 'readwrite')
      const stored = await transaction.store.get([row.chain, row.id])
      const count = await transaction.store.count(keysOf(row.chain))
      if (stored && stored.revision !== before) return 'changed'
      if (!stored && count >= MAX_PROJECTS) return 'too many'
      await Promise.all([transaction.store.put(row), transaction.done])
      return 'stored'
    },
    delete: (chain, id) => database.delete('projects', [chain, id]),
  }
}
