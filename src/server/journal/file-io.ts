import { type FileHandle, open } from 'node:fs/promises'
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

/** Writes all of `bytes` at `offset` of the file. */
export async function writeFully(handle: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done)
    done += bytesWritten
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
