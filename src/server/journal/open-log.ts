import { constants } from 'node:fs'
import { access, copyFile, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { syncDirectory } from './file-io.ts'
import { JournalLog } from './journal-log.ts'
import type { HeldLock } from './lock-file.ts'

// Why a process that has stood still, and then goes on, changes nothing of what the next holder of the lock has:
// - The next one writes into a file of its own, made from the old one after it took the lock, unless the process before
//   has surely ended. What the old one still writes is in a file without a name.
// - A write is acknowledged only if the lock was the writer's own after it, so before the next one's copy was begun.
// - A file gets the journal's name by `rename` from a draft that bears its maker's token. Whoever takes the lock deletes
//   the others' drafts before it opens the journal: a later `rename` of theirs finds no file. A draft that is made after
//   that is made without the lock, and its maker asks for the lock between the draft and the `rename`.

/** An open file. */
export interface OpenedLog {
  readonly log: JournalLog
  /** Bytes of unfinished writes that a crash left; they were dropped. */
  readonly cutBytes: number
}

/**
 * Opens the file of a journal, or creates it. From then on only the holder of the lock can write it.
 *
 * @throws {JournalError} `corrupt`, `newer`, `taken-over`.
 */
export async function openLog(file: string, lock: HeldLock): Promise<OpenedLog> {
  await removeOtherDrafts(file, lock)
  const opened = !(await exists(file))
    ? { log: await createEmpty(file, lock), cutBytes: 0 }
    : lock.former === 'ended'
      ? // The lock is asked for once the file is open: a later holder then has another one.
        await JournalLog.open(file, () => lock.requireOwn())
      : await openCopy(file, lock)
  try {
    await lock.markOpened()
    return opened
  } catch (error) {
    await opened.log.close()
    throw error
  }
}

/** Opens a copy of the journal in its place. */
async function openCopy(file: string, lock: HeldLock): Promise<OpenedLog> {
  const draft = draftOf(file, lock)
  try {
    await copyFile(file, draft, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    const opened = await JournalLog.open(draft, () => lock.requireOwn(), file)
    try {
      await putInPlace(draft, file, lock)
      return opened
    } catch (error) {
      await opened.log.close()
      throw error
    }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/**
 * Gives a complete and synced draft the journal's name.
 *
 * @param then - Called once it has the name.
 * @throws {JournalError} If the lock is lost.
 */
export async function putInPlace(draft: string, file: string, lock: HeldLock, then = () => {}): Promise<void> {
  await lock.requireOwn()
  try {
    await rename(draft, file)
    then()
  } catch (error) {
    // Whoever has taken the lock over has deleted the draft.
    await lock.requireOwn()
    throw error
  }
  await syncDirectory(path.dirname(file))
  await lock.requireOwn()
}

/** Removes what other processes have not completed. */
async function removeOtherDrafts(file: string, lock: HeldLock): Promise<void> {
  const directory = path.dirname(file)
  const begin = `${path.basename(file)}.`
  const drafts = (await readdir(directory)).filter((name) => name.startsWith(begin) && name.endsWith('.new'))
  // What a later holder makes is not among what this process has listed while it held the lock.
  await lock.requireOwn()
  for (const name of drafts) await rm(path.join(directory, name), { force: true })
}

/** Path of the file that will replace the journal. */
export function draftOf(file: string, { token }: HeldLock): string {
  return `${file}.${token}.new`
}

/** The file appears under its name only once it is complete. */
async function createEmpty(file: string, lock: HeldLock): Promise<JournalLog> {
  const draft = draftOf(file, lock)
  const log = await JournalLog.create(draft)
  try {
    await log.sync()
    await putInPlace(draft, file, lock)
    return log
  } catch (error) {
    await log.close()
    throw error
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
