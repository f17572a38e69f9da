import { BlockUnreadableError, type PackedPlaces, type StoredBytes } from '#node/storage/journal.ts'

/** Folder of the origin's private files that has those of all workers. */
const FOLDER = 'blinknet-blocks'
/** Held while a worker removes abandoned files and makes its own, so that none is taken for abandoned. */
const LOCK = 'blinknet-blocks'

/** A file with a lock of its own: only the worker that opened it can read or delete it. */
type LockedFile = Pick<FileSystemSyncAccessHandle, 'read' | 'write' | 'truncate' | 'close'>

interface FilePlace extends StoredBytes {
  readonly at: number
  /** The pack that it came from: for as long as it can be read, the file keeps all of them. */
  readonly packed: PackedPlaces | undefined
}

/** What happens to a file when nobody needs it any more. */
interface OpenFile {
  readonly file: LockedFile
  readonly remove: () => Promise<void>
}

/**
 * Blocks of the journal once more, in a file of this worker alone: a database cannot be read without waiting, and such a
 * file can. It ends with the worker; what a closed tab has left is removed by the next one.
 */
export class BlockFile {
  readonly #file: LockedFile
  readonly #remove: () => Promise<void>
  #end = 0
  /** Places and packs that somebody may still read. */
  #held = 0
  readonly #released = new FinalizationRegistry<undefined>(() => this.#release())
  #isClosed = false

  constructor({ file, remove }: OpenFile) {
    this.#file = file
    this.#remove = remove
  }

  /** Makes a file; `undefined` if this browser lets workers have none, as in some private windows. */
  static async open(): Promise<BlockFile | undefined> {
    const opened = await openFile()
    return opened && new BlockFile(opened)
  }

  /** Writes a block; `undefined` if there is no room. */
  keep(record: Uint8Array): StoredBytes | undefined {
    if (this.#isClosed) return undefined
    const at = this.#end
    try {
      if (this.#file.write(record, { at }) < record.length) return undefined
    } catch (error) {
      if (error instanceof DOMException) return undefined
      throw error
    }
    this.#end += record.length
    return this.#hold(this.#place(at, record.length))
  }

  /** @param places - Results of {@link keep}. */
  pack(places: readonly StoredBytes[]): PackedPlaces {
    const starts = Float64Array.from(places, (place) => (place as FilePlace).at)
    const lengths = Uint32Array.from(places, ({ length }) => length)
    const packed = (index: number): StoredBytes =>
      this.#place(starts[index] as number, lengths[index] as number, packed)
    return this.#hold(packed)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#file.close()
    await this.#remove()
  }

  #place(at: number, length: number, packed?: PackedPlaces): FilePlace {
    return { at, length, packed, read: (start = 0, end = length) => this.#read(at + start, end - start) }
  }

  #hold<Holder extends object>(holder: Holder): Holder {
    this.#held++
    this.#released.register(holder, undefined)
    return holder
  }

  #read(at: number, length: number): Uint8Array {
    if (this.#isClosed) throw new BlockUnreadableError('The stored chain was closed.')
    const bytes = new Uint8Array(length)
    try {
      if (this.#file.read(bytes, { at }) === length) return bytes
    } catch (error) {
      throw new BlockUnreadableError('The browser cannot read a block that it has stored.', { cause: error })
    }
    throw new BlockUnreadableError('The browser has less of a block than it has stored.')
  }

  #release(): void {
    this.#held--
    if (this.#held > 0 || this.#isClosed) return
    this.#file.truncate(0)
    this.#end = 0
  }
}

/** Removes the files of workers that have ended without closing theirs. */
export async function removeAbandonedFiles(): Promise<void> {
  const folder = await openFolder()
  if (folder) await alone(() => removeAbandoned(folder))
}

async function openFile(): Promise<OpenFile | undefined> {
  const folder = await openFolder()
  if (!folder || !('createSyncAccessHandle' in FileSystemFileHandle.prototype)) return undefined
  return alone(async () => {
    await removeAbandoned(folder)
    const name = crypto.randomUUID()
    try {
      const file = await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle()
      return { file, remove: () => removeFile(folder, name) }
    } catch (error) {
      if (error instanceof DOMException) return undefined
      throw error
    }
  })
}

/** `undefined` where pages cannot have private files. */
async function openFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  // Only secure contexts have it.
  const storage = globalThis.navigator?.storage as StorageManager | undefined
  try {
    return await (await storage?.getDirectory?.())?.getDirectoryHandle(FOLDER, { create: true })
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

function alone<Result>(task: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request(LOCK, task)
}

async function removeAbandoned(folder: FileSystemDirectoryHandle): Promise<void> {
  for await (const name of folder.keys()) await removeFile(folder, name)
}

/** Leaves a file that another worker has open. */
async function removeFile(folder: FileSystemDirectoryHandle, name: string): Promise<void> {
  try {
    await folder.removeEntry(name)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
