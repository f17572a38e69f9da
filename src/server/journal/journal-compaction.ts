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
  for (const part of JOURNAL_PARTS) {
    // There can be millions of blocks; of other entries there are few, in no order.
    const entries = source.entries(part)
    const inOrder = part === 'blocks' ? entries : [...entries].sort((a, b) => a.offset - b.offset)
    for (const piece of piecesOf(inOrder)) {
      signal.throwIfAborted()
      const values = await source.values(piece)
      const changes = piece.map(
        ({ key }, index) => ({ kind: 'put', part, key, value: values[index] as Uint8Array }) as const,
      )
      await target.append([encodeChanges(changes)])
    }
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

/** Entries that are read together. */
export function* piecesOf<Entry extends Pick<PlacedEntry, 'length'>>(
  entries: Iterable<Entry>,
): Generator<readonly Entry[], void> {
  let piece: Entry[] = []
  let bytes = 0
  for (const entry of entries) {
    piece.push(entry)
    bytes += entry.length
    if (bytes < PIECE_BYTES) continue
    yield piece
    piece = []
    bytes = 0
  }
  if (piece.length > 0) yield piece
}
