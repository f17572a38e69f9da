// Longer than most files: whatever writes to the file changes the index of its values in the same step, and that of what is
// still read of a file that was replaced.
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
  type PlacedChange,
} from './journal-frame.ts'
import { syncedBehind, visitFrames } from './journal-scan.ts'
import { LONGEST_KEY, type PlacedBlock, PlacedBlocks, type PlacedRow } from './placed-blocks.ts'

/** A value's place in the file. */
interface Place {
  readonly offset: number
  readonly length: number
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
  static readonly #unread = new FinalizationRegistry<JournalLog>((log) => {
    log.#lists--
    log.#closeIfUnread()
  })
  readonly #handle: FileHandle
  /** Entries of all parts but `blocks`. */
  readonly #rows = new Map<JournalPart, Map<string, Place>>(JOURNAL_PARTS.map((part) => [part, new Map()]))
  #blocks: PlacedBlocks<JournalLog>
  #tail = FILE_HEADER_BYTES
  #synced = 0
  #liveBytes = 0
  /** Values that somebody may still read, and that only this file has, which was replaced. */
  #left = 0
  /** How many lists of {@link placed} somebody may still read. */
  #lists = 0
  #isRetired = false
  /** Told if a file that was replaced cannot be closed. */
  #onUnclosed: (error: unknown) => void = () => {}
  #closed: Promise<void> | undefined

  private constructor(handle: FileHandle, isOpening: boolean) {
    this.#handle = handle
    this.#blocks = newBlocks(this, isOpening)
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
    return new JournalLog(handle, false)
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
      const log = new JournalLog(handle, true)
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
    this.forgetKeys()
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

  /** All entries of a part: blocks in the order of the file, others in none. */
  *entries(part: JournalPart): Generator<PlacedEntry, void> {
    if (part === 'blocks') for (const block of this.#blocks.entries()) yield { part, ...block }
    for (const [key, place] of this.#part(part)) yield { part, key, ...place }
  }

  /** The entries of the part `blocks`, in the order of their keys. */
  blocksInOrder(): Iterable<PlacedRow> {
    return this.#blocks.inOrder()
  }

  /** From now on nothing of the keys of blocks is kept in memory. */
  forgetKeys(): void {
    this.#blocks.forgetKeys()
  }

  /** One entry. */
  entry(part: JournalPart, key: string): PlacedEntry | undefined {
    const place = part === 'blocks' ? this.#blocks.get(key) : this.#part(part).get(key)
    return place && { part, ...place, key }
  }

  /** The values of entries, or other bytes of the file, in their order. */
  async values(entries: readonly Place[]): Promise<readonly Uint8Array[]> {
    const values: Uint8Array[] = Array.from({ length: entries.length })
    const inFile = entries
      .map(({ offset, length }, index) => ({ offset, length, index }))
      .sort((a, b) => a.offset - b.offset)
    for (let first = 0; first < inFile.length; ) {
      const run = oneRead(inFile, first)
      const start = run[0]?.offset ?? 0
      const end = run.reduce((most, { offset, length }) => Math.max(most, offset + length), start)
      const bytes = Buffer.allocUnsafeSlow(end - start)
      await readFully(this.#handle, bytes, start)
      first += run.length
      if (run.length === 1) {
        // A whole state can be the most of a file.
        values[run[0]?.index ?? 0] = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
        continue
      }
      for (const { index, offset, length } of run) {
        const from = bytes.byteOffset + offset - start
        values[index] = new Uint8Array(bytes.buffer.slice(from, from + length))
      }
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

  /** Where blocks are read without waiting. */
  get blocks(): Pick<PlacedBlocks<JournalLog>, 'hold' | 'pack'> {
    return this.#blocks
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
    if (!before.#blocks.isHeld) return
    before.#left = before.#blocks.moveTo(this, this.#blocks)
    this.#blocks = before.#blocks
  }

  /**
   * Closes this file, which was replaced, now or once nobody can read it any more.
   *
   * @param onUnclosed - Told if it cannot be closed later.
   */
  async retire(onUnclosed: (error: unknown) => void): Promise<void> {
    this.#onUnclosed = onUnclosed
    this.#isRetired = true
    if (!this.#isRead) await this.close()
  }

  get isClosed(): boolean {
    return this.#closed !== undefined
  }

  /** Nobody reads one of the values any more that only this file has. */
  release(): void {
    this.#left--
    this.#closeIfUnread()
  }

  /** The entries of a part. Their values can be read from this file until it is closed, or the last of them is gone. */
  placed(part: JournalPart): readonly (readonly [key: string, value: StoredBytes])[] {
    const list = {}
    this.#lists++
    JournalLog.#unread.register(list, this)
    return [...this.entries(part)].map(({ key, offset, length }) => [key, new PlacedValue(this, offset, length, list)])
  }

  get #isRead(): boolean {
    return this.#left > 0 || this.#lists > 0
  }

  #closeIfUnread(): void {
    if (this.#isRetired && !this.#isRead) this.close().catch(this.#onUnclosed)
  }

  /** Adds the changes of a frame whose payload is at `start` of the file. */
  #take(payload: Buffer, start: number): void {
    // Keys of blocks are read from the file where they are needed.
    this.#tail = start + payload.length
    for (const change of decodeChanges(payload)) {
      if (change.part === 'blocks') {
        this.#takeBlock(change, start)
        continue
      }
      const rows = this.#part(change.part)
      if (change.kind === 'clear') {
        for (const [key, { length }] of rows) this.#liveBytes -= rowBytes(key.length, length)
        rows.clear()
        continue
      }
      const { key } = change
      const old = rows.get(key)
      if (old) this.#liveBytes -= rowBytes(key.length, old.length)
      if (change.kind === 'delete') {
        rows.delete(key)
        continue
      }
      rows.set(key, { offset: start + change.start, length: change.length })
      this.#liveBytes += rowBytes(key.length, change.length)
    }
  }

  #takeBlock(change: PlacedChange, start: number): void {
    if (change.kind === 'put') {
      const { key, length } = change
      if (key.length > LONGEST_KEY) throw new JournalError('corrupt', 'The key of a block is too long.')
      this.#forget(this.#blocks.put({ key, offset: start + change.start, length }))
      this.#liveBytes += rowBytes(key.length, length)
    } else if (change.kind === 'delete') this.#forget(this.#blocks.delete(change.key))
    else {
      this.#blocks.clear((keyLength, length) => {
        this.#liveBytes -= rowBytes(keyLength, length)
      })
      if (!this.#blocks.isHeld) this.#blocks = newBlocks(this, this.#blocks.isOpening)
    }
  }

  #forget(block: PlacedBlock | undefined): void {
    if (block) this.#liveBytes -= rowBytes(block.key.length, block.length)
  }

  #part(part: JournalPart): Map<string, Place> {
    const rows = this.#rows.get(part)
    invariant(rows, `the journal has the part ${part}`)
    return rows
  }
}

/** A value in a file, which stays open for it after it was replaced. */
class PlacedValue implements StoredBytes {
  readonly #file: JournalLog
  readonly #offset: number
  readonly length: number
  /** Lives for as long as this can be read. */
  readonly list: object

  constructor(file: JournalLog, offset: number, length: number, list: object) {
    this.#file = file
    this.#offset = offset
    this.length = length
    this.list = list
  }

  read(start = 0, end = this.length): Uint8Array {
    return this.#file.readNow(this.#offset + start, end - start)
  }
}

function newBlocks(log: JournalLog, isOpening: boolean): PlacedBlocks<JournalLog> {
  return new PlacedBlocks(log, (file) => file.release(), isOpening)
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
function rowBytes(keyLength: number, length: number): number {
  return 2 * keyLength + length + ROW_OVERHEAD
}
