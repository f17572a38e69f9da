import { type FileHandle, open } from 'node:fs/promises'
import { FileEndedError } from './file-journal-errors.ts'

/**
 * Fills `bytes` from `offset` of the file.
 *
 * @throws {FileEndedError} If the file ends before.
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

/** Makes durable which files a directory has, and under which names. */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows does it by itself, and has no handles of directories.
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
