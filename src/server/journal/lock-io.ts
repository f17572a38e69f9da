import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readFile, readlink, stat } from 'node:fs/promises'

/** Longest record that is read; a node writes some hundred bytes. */
const MAX_RECORD_BYTES = 65_536

/** Opens a file, but waits for nobody who would write into a pipe. `undefined` if there is none. */
export async function openIfThere(file: string, flags: number): Promise<FileHandle | undefined> {
  try {
    return await open(file, flags | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The text of a lock; `undefined` if that is nothing that a node has written. */
export async function readRecord(handle: FileHandle): Promise<string | undefined> {
  const found = await handle.stat()
  if (!found.isFile() || found.size > MAX_RECORD_BYTES) return undefined
  return handle.readFile('utf8')
}

/** Whether there is a symbolic link of that name, wherever it leads. */
export async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** When a file was last written or touched; `undefined` if there is none. */
export async function changedAt(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** `undefined` if there is none, or it is unreadable. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Where a symbolic link leads; `undefined` if there is none. */
export async function linkTarget(file: string): Promise<string | undefined> {
  try {
    return await readlink(file)
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT'
}

/** Whether the system refused something. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
