import { createReadStream } from 'node:fs'
import { UsageError } from './usage-error.ts'

/**
 * The text of a file that the command line names.
 *
 * @param as - The flag that names it, for errors.
 * @throws {UsageError} If it cannot be read, or is longer.
 */
export async function readTextFile(file: string, mostBytes: number, as: string): Promise<string> {
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    // One byte more than is allowed, so that a device does not fill the memory.
    for await (const chunk of createReadStream(file, { end: mostBytes }) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
    }
    if (bytes > mostBytes) throw new UsageError(`${file} has more than ${mostBytes} bytes, too many for ${as}.`)
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new UsageError(`There is no file ${file} (${as}).`, { cause: error })
    throw new UsageError(`${file} cannot be read (${as}): ${(error as Error).message}`, { cause: error })
  }
}
