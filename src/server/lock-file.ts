import { type FileHandle, open, readFile, rm, unlink } from 'node:fs/promises'
import path from 'node:path'
import { JournalError } from '#node/storage/journal.ts'

/** The locks that this process holds: its own number in a file may also be that of a process long gone. */
const held = new Set<string>()

/**
 * Takes a lock file that says which process has it. A lock whose process is gone is taken over.
 *
 * @param what - Names what the lock is for in the error.
 * @returns A function that gives the lock back.
 * @throws {JournalError} `unavailable`: somebody has it.
 */
export async function takeLock(name: string, what: string): Promise<() => Promise<void>> {
  const file = path.resolve(name)
  // Before anything is awaited, so that two calls in this process cannot both go on.
  if (held.has(file)) throw new JournalError('unavailable', `${what} is open in this process already.`)
  held.add(file)
  try {
    const handle = (await create(file)) ?? (await replaceStale(file, what))
    try {
      await handle.writeFile(`${process.pid}\n`)
    } catch (error) {
      // A lock that does not say whose it is would stay for ever.
      await unlink(file)
      throw error
    } finally {
      await handle.close()
    }
  } catch (error) {
    held.delete(file)
    throw error
  }
  return async () => {
    held.delete(file)
    await unlink(file)
  }
}

/** `undefined` if there is a file of that name. */
async function create(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'wx')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
}

async function replaceStale(file: string, what: string): Promise<FileHandle> {
  const holder = Number.parseInt(await readFile(file, 'utf8'), 10)
  if (Number.isNaN(holder)) {
    throw new JournalError(
      'unavailable',
      `${what} is locked, by nobody knows whom. If no node has it open, delete ${file}.`,
    )
  }
  if (holder !== process.pid && isRunning(holder)) {
    throw new JournalError(
      'unavailable',
      `${what} is open in process ${holder}. Stop that node first; if it is none, delete ${file}.`,
    )
  }
  await rm(file, { force: true })
  const handle = await create(file)
  if (handle) return handle
  throw new JournalError('unavailable', `${what} has just been opened by another process.`)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // EPERM: there is one, of another user.
    if (code === 'ESRCH') return false
    if (code === 'EPERM') return true
    throw error
  }
}
