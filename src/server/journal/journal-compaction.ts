import { JOURNAL_PARTS } from '#node/storage/journal.ts'
import { encodeChanges } from './journal-frame.ts'
import type { JournalLog, PlacedEntry } from './journal-log.ts'

/** Approximate bytes of values per frame. The event loop runs between two frames. */
const PIECE_BYTES = 1024 * 1024

/**
 * Copies the current entries of `source` into `target`, which is empty. Later appends to `source` are left to {@link
 * catchUp}.
 *
 * @returns How far `source` was read: its end when this began.
 * @throws The signal's reason, once it is aborted.
 */
export async function copyEntries(source: JournalLog, target: JournalLog, signal: AbortSignal): Promise<number> {
  const end = source.bytes
  const entries = source.entries(...JOURNAL_PARTS).sort((a, b) => a.offset - b.offset)
  for (let first = 0; first < entries.length; ) {
    signal.throwIfAborted()
    const piece = onePiece(entries, first)
    const values = await source.values(piece)
    const changes = piece.map(
      ({ part, key }, index) => ({ kind: 'put', part, key, value: values[index] as Uint8Array }) as const,
    )
    await target.append([encodeChanges(changes)])
    first += piece.length
  }
  return end
}

/**
 * Appends to `target` everything appended to `source` after the byte `from`.
 *
 * @returns How far `source` was read: its end.
 */
export async function catchUp(source: JournalLog, target: JournalLog, from: number): Promise<number> {
  let at = from
  while (at < source.bytes) {
    const { payloads, end } = await source.payloads(at, PIECE_BYTES)
    await target.append(payloads)
    at = end
  }
  return at
}

/** The entries from index `first` on that are read together. */
export function onePiece(entries: readonly PlacedEntry[], first: number): readonly PlacedEntry[] {
  let bytes = 0
  let last = first
  while (last < entries.length && bytes < PIECE_BYTES) bytes += entries[last++]?.length ?? 0
  return entries.slice(first, last)
}
