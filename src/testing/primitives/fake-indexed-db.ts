import {
  IDBCursor,
  IDBDatabase,
  IDBFactory,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBRequest,
  IDBTransaction,
  IDBVersionChangeEvent,
} from 'fake-indexeddb'
import { afterAll, beforeEach, vi } from 'vitest'

// idb looks for the browser's classes on first use.
const CLASSES = {
  IDBCursor,
  IDBDatabase,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBRequest,
  IDBTransaction,
  IDBVersionChangeEvent,
}

/** Gives the tests of a file an IndexedDB, empty at the start of each test. */
export function installFakeIndexedDb(): void {
  for (const [name, value] of Object.entries(CLASSES)) vi.stubGlobal(name, value)
  beforeEach(() => {
    vi.stubGlobal('indexedDB', new IDBFactory())
  })
  afterAll(() => vi.unstubAllGlobals())
}
