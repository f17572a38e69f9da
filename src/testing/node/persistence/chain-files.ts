import { encodeChainFile } from '#node/persistence/chain-file.ts'
import { decodeJson, encodeJson } from '#node/persistence/json-record.ts'
import type { JournalEntry } from '#node/persistence/whole-chain.ts'
import { JOURNAL_PARTS } from '#node/storage/journal.ts'
import { ByteReader } from '#primitives/byte-reader.ts'

/** An edit of a chain file's entries. */
export type FileEdit = (entries: readonly JournalEntry[]) => readonly JournalEntry[]

/** A chain file with other entries and the matching checksum. */
export function editFile(file: Uint8Array, edit: FileEdit): Uint8Array {
  return encodeChainFile(edit(entriesOfFile(file)))
}

/** The entries of a chain file, unchecked. */
export function entriesOfFile(file: Uint8Array): JournalEntry[] {
  const reader = new ByteReader(file.subarray(9, -32))
  return reader.list(() => ({
    part: JOURNAL_PARTS[reader.uint()] as JournalEntry['part'],
    key: String.fromCharCode(...reader.bytes()),
    value: reader.bytes(),
  }))
}

/**
 * Sets a value in one of the records in the part `meta`.
 *
 * @param path - Member names separated by dots; empty for the whole record.
 * @param value - `undefined` removes the member.
 */
export function setField(key: string, path: string, value: unknown): FileEdit {
  return editRecord(key, (record) => withField(record, path === '' ? [] : path.split('.'), value))
}

/** Edits one of the records in the part `meta`. */
export function editRecord(key: string, change: (record: unknown) => unknown): FileEdit {
  return (entries) =>
    entries.map((entry) =>
      entry.part === 'meta' && entry.key === key
        ? { ...entry, value: encodeJson(change(decodeJson(entry.value, key))) }
        : entry,
    )
}

function withField(record: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const copy = (Array.isArray(record) ? record.slice() : { ...(record as object) }) as Record<string, unknown>
  // Defined, not assigned, so that no prototype's setter is called.
  Object.defineProperty(copy, name, {
    value: withField(copy[name], rest, value),
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return copy
}
