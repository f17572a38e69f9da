import { readSync } from 'node:fs'
import { access, type FileHandle, mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { FileEndedError } from './file-journal-errors.ts'

/**
 * Fills `bytes` from the file, starting at `offset`.
 *
 * @throws {FileEndedError} If the file ends first.
 */
export async function readFully(handle: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, offset + done)
    if (bytesRead === 0) throw new FileEndedError(`the file ends at ${offset + done}, before ${offset + bytes.length}`)
    done += bytesRead
  }
}

/**
 * Fills `bytes` from the file, starting at `offset`, before it returns.
 *
 * @throws {FileEndedError} If the file ends first.
 */
export function readFullyNow(file: number, bytes: Uint8Array, offset: number): void {
  let done = 0
  while (done < bytes.length) {
    const bytesRead = readSync(file, bytes, done, bytes.length - done, offset + done)
    if (bytesRead === 0) throw new FileEndedError(`the file ends at ${offset + done}, before ${offset + bytes.length}`)
    done += bytesRead
  }
}

/** Writes all of `bytes` at `offset` of the file. */
export async function writeFully(handle: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done)
    done += bytesWritten
  }
}

/**
 * Creates a directory that only its owner can read, with its parents, unless it is there. Node.js 20's recursive `mkdir`
 * never ends where the file system lets nobody create anything, such as in `/proc`.
 */
export async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = path.dirname(directory)
    if (code === 'ENOENT' && parent !== directory && (await isMissing(parent))) {
      await makeDirectory(parent)
      await makeDirectory(directory)
    } else if (code !== 'EEXIST') throw error
  }
}

async function isMissing(directory: string): Promise<boolean> {
  try {
    await access(directory)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/** Makes the directory's file names durable. */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows does this itself, and has no handles for directories.
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
