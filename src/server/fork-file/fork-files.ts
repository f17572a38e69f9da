import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import path from 'node:path'
import { ForkError } from '#node/fork/fork-error.ts'
import { replaceFile } from '#server/state/replace-file.ts'
import { type DecodeDeps, decodeForkFile, ForkFileError } from './fork-file-text.ts'
import { MAX_FILE_BYTES, type RecordedFork } from './recorded-fork.ts'

/**
 * Reads a fork file, and proves every value of it.
 *
 * @param known - The text of the file, if it was read.
 * @returns `undefined` if there is no such file.
 * @throws {ForkError} If it is none, or not all of it is proven: the message names the file and the value.
 */
export async function readForkFile(
  name: string,
  deps: Omit<DecodeDeps, 'name'>,
  known?: string,
): Promise<RecordedFork | undefined> {
  try {
    const text = known ?? (await readText(name))
    return text === undefined ? undefined : await decodeForkFile(text, { ...deps, name: path.basename(name) })
  } catch (error) {
    if (!(error instanceof ForkFileError)) throw error
    throw new ForkError(`${name} is refused: ${error.message}`, { cause: error })
  }
}

/**
 * Writes a fork file, or leaves the one that is there.
 *
 * @throws {ForkError} If it cannot be written.
 */
export async function writeForkText(name: string, text: string): Promise<void> {
  try {
    if (text.length > MAX_FILE_BYTES)
      throw new ForkFileError(`it would have ${text.length} bytes, more than ${MAX_FILE_BYTES}`)
    await replaceFile(await targetOf(name), text, 0o644)
  } catch (error) {
    throw new ForkError(`${name} cannot be written: ${(error as Error).message}`, { cause: error })
  }
}

/** A name for a file, whichever way it is written. The file itself may be missing. */
export async function wholeName(name: string): Promise<string> {
  const whole = path.resolve(name)
  const folder = path.dirname(whole)
  return path.join(await realpath(folder).catch(() => folder), path.basename(whole))
}

/** Where a link points to. */
async function targetOf(name: string): Promise<string> {
  return realpath(name).catch(() => name)
}

/** The text of a fork file, unchecked; `undefined` if there is no such file. @throws {ForkError} If it cannot be read. */
export async function readForkText(name: string): Promise<string | undefined> {
  try {
    return await readText(name)
  } catch (error) {
    throw new ForkError(`${name} is refused: ${(error as Error).message}`, { cause: error })
  }
}

async function readText(name: string): Promise<string | undefined> {
  try {
    // Opening a pipe would wait for somebody to write to it; it is refused instead.
    const handle = await open(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const found = await handle.stat()
      if (!found.isFile()) throw new ForkFileError('it is not a regular file')
      if (found.size > MAX_FILE_BYTES)
        throw new ForkFileError(`it has ${found.size} bytes, and at most ${MAX_FILE_BYTES} are read`)
      const bytes = Buffer.alloc(found.size)
      let length = 0
      for (;;) {
        const { bytesRead } = await handle.read(bytes, length)
        if (bytesRead === 0) return bytes.toString('utf8', 0, length)
        length += bytesRead
        if (length === bytes.length) return bytes.toString('utf8')
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof ForkFileError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ForkFileError((error as Error).message, { cause: error })
  }
}
