import { MAX_FILE_BYTES } from '#client/chain-file.ts'
import { UnpackError } from '#client/unpack.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { formatBytes } from './format-bytes.ts'
import { type FoundFile, sniffFile } from './sniff-file.ts'

/**
 * Finds out what a file that a person has chosen is.
 *
 * @throws {ExplainedError} If it is nothing that can be imported.
 */
export async function readFile(file: File): Promise<FoundFile> {
  if (file.size > MAX_FILE_BYTES) {
    const limit = `Files up to ${formatBytes(MAX_FILE_BYTES)} can be imported. Nothing was changed.`
    throw new ExplainedError(`${file.name} is too large: ${formatBytes(file.size)}.`, limit)
  }
  try {
    return await sniffFile(new Uint8Array(await file.arrayBuffer()))
  } catch (error) {
    if (!(error instanceof UnpackError)) throw error
    throw new ExplainedError(`${file.name} cannot be unpacked: ${error.message}.`, 'Nothing was changed.', {
      cause: error,
    })
  }
}
