import { open } from 'node:fs/promises'
import type { JournalEntry } from '#node/persistence/whole-chain.ts'
import type { FoundEntries } from '#node/rescue-chain.ts'
import { JOURNAL_PARTS, JournalError, type JournalPart } from '#node/storage/journal.ts'
import { readFully } from './file-io.ts'
import { checkFileHeader, decodeChanges, FILE_HEADER_BYTES } from './journal-frame.ts'
import { type Frame, visitBehind, visitFrames } from './journal-scan.ts'

/** What is left of a journal's file. */
export interface DamagedJournal extends FoundEntries {
  /** Byte at which the damage begins; the length of the file if there is none. */
  readonly damagedAt: number
  readonly bytes: number
}

/**
 * Reads whatever is intact of a journal's file, and changes nothing: not the file, and not its lock.
 *
 * @throws {JournalError} `newer`.
 * @throws {NodeJS.ErrnoException} If it cannot be read.
 */
export async function readDamaged(file: string): Promise<DamagedJournal> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const header = Buffer.alloc(Math.min(FILE_HEADER_BYTES, size))
    await readFully(handle, header, 0)
    const hasHeader = isHeader(header, file)
    const before = new Rows()
    const end = await visitFrames(handle, Math.min(FILE_HEADER_BYTES, size), size, (frame) => before.take(frame))
    const behind = new Rows()
    if (end < size) await visitBehind(handle, end + 1, size, (frame) => behind.take(frame))
    return { before: before.entries(), behind: behind.entries(), damagedAt: hasHeader ? end : 0, bytes: size }
  } finally {
    await handle.close()
  }
}

/** Each frame says by itself whether it is intact: a damaged header hides none of them. */
function isHeader(header: Buffer, file: string): boolean {
  try {
    checkFileHeader(header, file)
    return true
  } catch (error) {
    if (error instanceof JournalError && error.code === 'corrupt') return false
    throw error
  }
}

class Rows {
  readonly #parts = new Map<JournalPart, Map<string, Uint8Array>>(JOURNAL_PARTS.map((part) => [part, new Map()]))

  /** @returns `false` if no node has written the frame. */
  take({ payload }: Frame): boolean {
    try {
      for (const change of decodeChanges(payload)) {
        const rows = this.#parts.get(change.part)
        if (change.kind === 'clear') rows?.clear()
        else if (change.kind === 'delete') rows?.delete(change.key)
        else rows?.set(change.key, Uint8Array.from(payload.subarray(change.start, change.start + change.length)))
      }
      return true
    } catch (error) {
      if (error instanceof JournalError) return false
      throw error
    }
  }

  entries(): JournalEntry[] {
    return [...this.#parts].flatMap(([part, rows]) => [...rows].map(([key, value]) => ({ part, key, value })))
  }
}
