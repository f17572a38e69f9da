import { type FileHandle, open, stat } from 'node:fs/promises'
import {
  BlockUnreadableError,
  JOURNAL_PARTS,
  JournalError,
  type JournalPart,
  type StoredBytes,
} from '#node/storage/journal.ts'
import { invariant } from '#primitives/invariant.ts'
import { readFully, readFullyNow, writeFully } from './file-io.ts'
import {
  checkFileHeader,
  decodeChanges,
  encodeFileHeader,
  encodeFrameHeader,
  FILE_HEADER_BYTES,
  FRAME_HEADER_BYTES,
} from './journal-frame.ts'
import { syncedBehind, visitFrames } from './journal-scan.ts'

/** A value's place in the file. */
interface Place {
  readonly offset: number
  readonly length: number
}

/** The place of an entry. Whoever holds it can read the value for as long as the journal is open. */
class Row implements Place, StoredBytes {
  log: JournalLog
  offset: number
  readonly length: number
  /** Whether somebody may read the value after the entry was deleted or replaced. */
  isHeld = false

  constructor(log: JournalLog, offset: number, length: number) {
    this.log = log
    this.offset = offset
    this.length = length
  }

  read(start = 0, end = this.length): Uint8Array {
    return this.log.readNow(this.offset + start, end - start)
  }
}

/** An entry whose value is still in the file. */
export interface PlacedEntry extends Place {
  readonly part: JournalPart
  readonly key: string
}

/** The most bytes per read. Also the largest gap between two values that is read rather than skipped. */
const MAX_AT_ONCE = 4 * 1024 * 1024
const SMALL_GAP = 64 * 1024
/** File mode: the file may hold keys from a person's own mnemonic. */
const OWNER_ONLY = 0o600
/** Bytes of a change that are neither key nor value. */
const ROW_OVERHEAD = 16

/**
 * The file of a journal: frames, and an index of where their values are. The values stay on disk. Reads may run at any
 * time; appends and syncs run one at a time.
 */
export class JournalLog {
  readonly #handle: FileHandle
  readonly #rows = new Map<JournalPart, Map<string, Row>>(JOURNAL_PARTS.map((part) => [part, new Map()]))
  #tail = FILE_HEADER_BYTES
  #synced = 0
  #liveBytes = 0
  /** Held rows without an entry that somebody may still read. */
  #orphans = 0
  readonly #released = new FinalizationRegistry<undefined>(() => {
    this.#orphans--
    // A file that cannot be closed is closed with the process.
    if (this.#isReplaced) this.retire().catch(() => {})
  })
  /** Whether another file has taken the place of this one. */
  #isReplaced = false
  #closed: Promise<void> | undefined

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** Creates an empty file, replacing any file with the name. */
  static async create(file: string): Promise<JournalLog> {
    const handle = await open(file, 'w+', OWNER_ONLY)
    try {
      await writeFully(handle, encodeFileHeader(), 0)
    } catch (error) {
      await handle.close()
      throw error
    }
    return new JournalLog(handle)
  }

  /**
   * Reads a file, and cuts off unfinished writes that a crash left.
   *
   * @param mayChange - Asked before anything is cut off; throws if the file may be somebody else's by now.
   * @param name - What errors call it.
   * @returns The log, and how many bytes were cut off.
   * @throws {JournalError} `corrupt`, `newer`.
   */
  static async open(
    file: string,
    mayChange: () => Promise<void>,
    name = file,
  ): Promise<{ readonly log: JournalLog; readonly cutBytes: number }> {
    const handle = await open(file, 'r+')
    try {
      const { size } = await handle.stat()
      const header = Buffer.alloc(Math.min(FILE_HEADER_BYTES, size))
      await readFully(handle, header, 0)
      checkFileHeader(header, name)
      await mayChange()
      const log = new JournalLog(handle)
      const end = await visitFrames(handle, FILE_HEADER_BYTES, size, (frame) => {
        log.#take(frame.payload, frame.start)
        return true
      })
      if (end < size) {
        const synced = await syncedBehind(handle, end + 1, size)
        if (synced === undefined) {
          throw new JournalError('corrupt', `${name} is damaged at byte ${end}, and not by a crash.`)
        }
        if (synced > end) {
          throw new JournalError('corrupt', `${name} is damaged at byte ${end}; valid data follows it.`)
        }
        await handle.truncate(end)
      }
      // Writes of an earlier process may only be in the system's memory.
      await log.sync()
      return { log, cutBytes: size - end }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Bytes of the file. */
  get bytes(): number {
    return this.#tail
  }

  /** Bytes of the file that nothing refers to any more. */
  get garbageBytes(): number {
    return this.#tail - FILE_HEADER_BYTES - this.#liveBytes
  }

  /**
   * Appends one frame per payload, all or none.
   *
   * @param payloads - Results of `encodeChanges`.
   */
  async append(payloads: readonly Buffer[]): Promise<void> {
    const pieces: Buffer[] = []
    let offset = this.#tail
    for (const payload of payloads) {
      const header = encodeFrameHeader(payload, offset, this.#synced)
      pieces.push(header, payload)
      offset += header.length + payload.length
    }
    try {
      await writeFully(this.#handle, Buffer.concat(pieces), this.#tail)
    } catch (error) {
      // Without this, completed frames would reappear at the next opening.
      await this.#handle.truncate(this.#tail)
      throw error
    }
    for (const payload of payloads) this.#take(payload, this.#tail + FRAME_HEADER_BYTES)
  }

  /** Resolves when everything appended before is on disk. */
  async sync(): Promise<void> {
    const tail = this.#tail
    await this.#handle.datasync()
    this.#synced = tail
  }

  /** @throws {JournalError} `unavailable`, if another program has deleted the file: writing to it succeeds all the same. */
  async requireFile(): Promise<void> {
    const { nlink } = await this.#handle.stat()
    if (nlink > 0) return
    const problem = 'The journal was deleted while the node ran: what comes now is kept nowhere.'
    throw new JournalError('unavailable', problem)
  }

  /** Whether this is the file of that name; `undefined` if there is none. */
  async isAt(name: string): Promise<boolean | undefined> {
    try {
      const [own, there] = await Promise.all([this.#handle.stat({ bigint: true }), stat(name, { bigint: true })])
      return own.ino === there.ino && own.dev === there.dev
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** All entries of some parts, in no order. */
  entries(...parts: readonly JournalPart[]): PlacedEntry[] {
    return parts.flatMap((part) => Array.from(this.#part(part), ([key, row]) => placed(part, key, row)))
  }

  /** One entry. */
  entry(part: JournalPart, key: string): PlacedEntry | undefined {
    const row = this.#part(part).get(key)
    return row && placed(part, key, row)
  }

  /** The values of entries, in the order of the entries. */
  async values(entries: readonly PlacedEntry[]): Promise<readonly Uint8Array[]> {
    const values: Uint8Array[] = Array.from({ length: entries.length })
    const inFile = entries.map((entry, index) => ({ ...entry, index })).sort((a, b) => a.offset - b.offset)
    for (let first = 0; first < inFile.length; ) {
      const run = oneRead(inFile, first)
      const start = run[0]?.offset ?? 0
      const end = run.reduce((most, { offset, length }) => Math.max(most, offset + length), start)
      const bytes = Buffer.allocUnsafe(end - start)
      await readFully(this.#handle, bytes, start)
      for (const { index, offset, length } of run) {
        const from = bytes.byteOffset + offset - start
        values[index] = new Uint8Array(bytes.buffer.slice(from, from + length))
      }
      first += run.length
    }
    return values
  }

  /**
   * The payloads of the frames from byte `from` on, where one starts.
   *
   * @param enoughBytes - Reading stops after about this many.
   * @returns The payloads, and where the next frame starts.
   */
  async payloads(
    from: number,
    enoughBytes: number,
  ): Promise<{ readonly payloads: readonly Buffer[]; readonly end: number }> {
    const payloads: Buffer[] = []
    let bytes = 0
    const end = await visitFrames(this.#handle, from, this.#tail, ({ payload }) => {
      payloads.push(payload)
      bytes += payload.length
      return bytes < enoughBytes
    })
    if (end === from) throw new JournalError('corrupt', `The journal is damaged at byte ${end}.`)
    return { payloads, end }
  }

  close(): Promise<void> {
    this.#closed ??= this.#handle.close()
    return this.#closed
  }

  /**
   * The value of an entry, to be read without waiting from now on.
   *
   * @returns `undefined` if there is no such entry.
   */
  hold(part: JournalPart, key: string): StoredBytes | undefined {
    const row = this.#part(part).get(key)
    if (row) row.isHeld = true
    return row
  }

  /**
   * Reads bytes of the file at once.
   *
   * @throws {BlockUnreadableError}
   */
  readNow(offset: number, length: number): Uint8Array {
    if (this.#closed) throw new BlockUnreadableError('The chain was closed.')
    const bytes = new Uint8Array(length)
    try {
      readFullyNow(this.#handle.fd, bytes, offset)
    } catch (error) {
      throw new BlockUnreadableError('A block cannot be read from the journal.', { cause: error })
    }
    return bytes
  }

  /**
   * Takes over what is held of the file that this one replaces; both have the same entries. That file is closed once nobody
   * holds what only it has.
   */
  replace(before: JournalLog): void {
    for (const [part, rows] of this.#rows) {
      const earlier = before.#part(part)
      for (const [key, { offset }] of rows) {
        const row = earlier.get(key)
        if (!row?.isHeld) continue
        row.log = this
        row.offset = offset
        rows.set(key, row)
      }
    }
    before.#isReplaced = true
  }

  /** Closes this file, which was replaced, now or once nobody can read it any more. */
  async retire(): Promise<void> {
    if (this.#orphans === 0) await this.close()
  }

  get isClosed(): boolean {
    return this.#closed !== undefined
  }

  /** Somebody may still read the value of an entry that is no more. */
  #orphan(row: Row | undefined): void {
    if (!row?.isHeld) return
    this.#orphans++
    this.#released.register(row, undefined)
  }

  /** Adds the changes of a frame whose payload is at `start` of the file. */
  #take(payload: Buffer, start: number): void {
    for (const change of decodeChanges(payload)) {
      const rows = this.#part(change.part)
      if (change.kind === 'clear') {
        for (const [key, row] of rows) {
          this.#liveBytes -= rowBytes(key, row.length)
          this.#orphan(row)
        }
        rows.clear()
        continue
      }
      const { key } = change
      const old = rows.get(key)
      if (old) this.#liveBytes -= rowBytes(key, old.length)
      this.#orphan(old)
      if (change.kind === 'delete') {
        rows.delete(key)
        continue
      }
      rows.set(key, new Row(this, start + change.start, change.length))
      this.#liveBytes += rowBytes(key, change.length)
    }
    this.#tail = start + payload.length
  }

  #part(part: JournalPart): Map<string, Row> {
    const rows = this.#rows.get(part)
    invariant(rows, `the journal has the part ${part}`)
    return rows
  }
}

function placed(part: JournalPart, key: string, { offset, length }: Place): PlacedEntry {
  return { part, key, offset, length }
}

/** The entries from index `first` whose values fit one read; entries are in file order. */
function oneRead<Entry extends Place>(entries: readonly Entry[], first: number): readonly Entry[] {
  const start = entries[first]?.offset ?? 0
  let end = start
  let last = first
  for (; last < entries.length; last++) {
    const { offset, length } = entries[last] as Entry
    if (last > first && (offset - end > SMALL_GAP || offset + length - start > MAX_AT_ONCE)) break
    end = offset + length
  }
  return entries.slice(first, last)
}

/** Approximate bytes that an entry takes in the file. */
function rowBytes(key: string, length: number): number {
  return 2 * key.length + length + ROW_OVERHEAD
}
