import * as fake from 'fake-indexeddb'
import { afterAll, beforeEach, vi } from 'vitest'

/** Gives the tests of a file an IndexedDB, empty at the start of each test. */
export function installFakeIndexedDb(): void {
  // idb looks for the browser's classes on first use.
  for (const [name, value] of Object.entries(fake)) if (name.startsWith('IDB')) vi.stubGlobal(name, value)
  beforeEach(() => {
    vi.stubGlobal('indexedDB', new fake.IDBFactory())
  })
  afterAll(() => vi.unstubAllGlobals())
}
