import { BlockUnreadableError, type StoredBytes } from '#node/storage/journal.ts'

/** Folder of the origin's private files that has those of all workers. */
const FOLDER = 'blinknet-blocks'
/** Held while a worker removes abandoned files and makes its own, so that none is taken for abandoned. */
const LOCK = 'blinknet-blocks'

/** A file with a lock of its own: only the worker that opened it can read or delete it. */
type LockedFile = Pick<FileSystemSyncAccessHandle, 'read' | 'write' | 'truncate' | 'close'>

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
  /** Places that somebody may still read. */
  #places = 0
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
    const place = {
      length: record.length,
      read: (start = 0, end = record.length) => this.#read(at + start, end - start),
    }
    this.#places++
    this.#released.register(place, undefined)
    return place
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#file.close()
    await this.#remove()
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
    this.#places--
    if (this.#places > 0 || this.#isClosed) return
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
