import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/** Texts that are kept in the browser from one visit to the next, in groups: a group is used, and thrown away, as a whole. */
export interface KeptTexts {
  /** In the order of the names; `undefined` where there is none. */
  readonly get: (group: string, names: readonly string[]) => Promise<readonly (string | undefined)[]>
  /** Keeps texts, as far as there is room. */
  readonly put: (group: string, texts: ReadonlyMap<string, string>) => Promise<void>
}

interface Group {
  readonly group: string
  readonly bytes: number
  /** Milliseconds since the Unix epoch. */
  readonly usedAtMs: number
}

interface Layout extends DBSchema {
  groups: { key: string; value: Group }
  texts: { key: [group: string, name: string]; value: string }
}

const DATABASE = 'blinknet-forks'
/** Bytes of a group, and of all of them: those that were used last stay. */
const LIMITS = { group: 48 << 20, all: 128 << 20 }
/** Characters of one text. */
const MAX_TEXT = 1 << 20
/** What a text takes besides itself, about. */
const ROW_BYTES = 200

/**
 * Opens the browser's storage for what forks have fetched.
 *
 * @param now - Milliseconds since the Unix epoch.
 * @param limits - Others for tests.
 * @returns `undefined` if there is none: then forks keep nothing.
 */
export async function openKeptTexts(now: () => number, limits = LIMITS): Promise<KeptTexts | undefined> {
  if (typeof indexedDB === 'undefined') return undefined
  try {
    const database = await openDB<Layout>(DATABASE, 1, {
      upgrade(opened) {
        opened.createObjectStore('groups', { keyPath: 'group' })
        opened.createObjectStore('texts')
      },
      blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
    })
    return textsIn(database, now, limits)
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

function textsIn(database: IDBPDatabase<Layout>, now: () => number, limits: typeof LIMITS): KeptTexts {
  /** Changes take turns, since each reads what is there before. */
  let turn: Promise<unknown> = Promise.resolve()

  async function write(group: string, texts: ReadonlyMap<string, string>): Promise<void> {
    const transaction = database.transaction(['groups', 'texts'], 'readwrite', { durability: 'relaxed' })
    // Whatever ends it is thrown by a request, too; an error that nobody handles would end the node.
    transaction.done.catch(() => {})
    const [groups, rows] = [transaction.objectStore('groups'), transaction.objectStore('texts')]
    const all = await groups.getAll()
    let bytes = all.find((each) => each.group === group)?.bytes ?? 0
    for (const [name, text] of texts) {
      const more = text.length + ROW_BYTES
      if (text.length > MAX_TEXT || bytes + more > limits.group) continue
      bytes += more
      await rows.put(text, [group, name])
    }
    const mine: Group = { group, bytes, usedAtMs: now() }
    await groups.put(mine)
    const others = all.filter((each) => each.group !== group).toSorted((a, b) => b.usedAtMs - a.usedAtMs)
    let kept = bytes
    for (const other of others) {
      kept += other.bytes
      if (kept <= limits.all) continue
      await groups.delete(other.group)
      await rows.delete(IDBKeyRange.bound([other.group], [other.group, []]))
    }
    await transaction.done
  }

  return {
    async get(group, names) {
      try {
        const { store, done } = database.transaction('texts')
        done.catch(() => {})
        return await Promise.all(names.map((name) => store.get([group, name])))
      } catch (error) {
        // Closed, or lost: what was kept has to be fetched again.
        if (error instanceof DOMException) return names.map(() => undefined)
        throw error
      }
    },
    put(group, texts) {
      const written = turn
        .then(() => write(group, texts))
        .catch((error: unknown) => {
          // Without room nothing more is kept; the fork goes on without.
          if (!(error instanceof DOMException)) throw error
        })
      turn = written.catch(() => {})
      return written
    },
  }
}
