import { strToU8, Unzip, UnzipInflate, zipSync } from 'fflate'
import { type FoundFile, isTaken, leftOutFolderOf, PROJECT_FILE } from './found-files.ts'
import { MAX_FILE_CHARACTERS, MAX_FILES, MAX_PROJECT_CHARACTERS, type Project } from './project.ts'
import { ProjectError } from './read-project.ts'

/** Bytes of an archive that is opened. */
export const MAX_ARCHIVE_BYTES = 32 * 1024 * 1024
/** Entries of an archive that is opened. */
const MAX_ENTRIES = 20_000
/** Bytes that are unpacked at a time: a byte of an archive becomes up to a thousand. */
const PIECE = 4_096

/** A project as a zip file, with a file for its settings. */
export function zipProject({ name, files, settings, current }: Project): Blob {
  const about = JSON.stringify({ name, settings, current }, undefined, 2)
  const entries = [...Object.entries(files), [PROJECT_FILE, about] as const]
  return new Blob([zipSync(Object.fromEntries(entries.map(([path, text]) => [path, strToU8(text)])))], {
    type: 'application/zip',
  })
}

/** What was found in a zip file. */
export interface FoundInArchive {
  readonly files: readonly FoundFile[]
  readonly leftOut: readonly string[]
}

/**
 * The files of a zip file that belong to a project. Stops as soon as they are too many or too long: a small archive can
 * grow without end.
 *
 * @throws {ProjectError} If it is none, is damaged, or exceeds a limit.
 */
export async function unzipFiles(archive: Blob): Promise<FoundInArchive> {
  if (archive.size > MAX_ARCHIVE_BYTES) {
    throw new ProjectError(`an archive has at most ${MAX_ARCHIVE_BYTES / 1024 / 1024} MiB`)
  }
  const bytes = new Uint8Array(await archive.arrayBuffer())
  const files: FoundFile[] = []
  const leftOut = new Set<string>()
  let entries = 0
  let total = 0
  const unzip = new Unzip((file) => {
    if (++entries > MAX_ENTRIES) throw new ProjectError(`an archive has at most ${MAX_ENTRIES} entries`)
    const folder = leftOutFolderOf(file.name)
    if (folder !== undefined) leftOut.add(`${folder}/`)
    if (!isTaken(file.name)) return
    const decoder = new TextDecoder()
    let text = ''
    file.ondata = (error, chunk, isLast) => {
      // What is thrown here comes back as an error of the next call.
      if (error) throw error instanceof ProjectError ? error : damaged(error)
      total += chunk.length
      text += decoder.decode(chunk, { stream: !isLast })
      if (text.length > MAX_FILE_CHARACTERS) {
        throw new ProjectError(`${file.name} is longer than ${MAX_FILE_CHARACTERS} characters`)
      }
      if (total > 4 * MAX_PROJECT_CHARACTERS || files.length >= MAX_FILES) {
        throw new ProjectError(
          `a project has at most ${MAX_FILES} files with ${MAX_PROJECT_CHARACTERS} characters together`,
        )
      }
      if (isLast) files.push({ path: file.name, text })
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  try {
    for (let at = 0; at < bytes.length; at += PIECE) {
      unzip.push(bytes.subarray(at, at + PIECE), at + PIECE >= bytes.length)
    }
  } catch (error) {
    throw error instanceof ProjectError ? error : damaged(error)
  }
  if (entries === 0) throw new ProjectError('it is not a zip file, or it is empty')
  return { files, leftOut: [...leftOut] }
}

function damaged(cause: unknown): ProjectError {
  return new ProjectError('the zip file is damaged', { cause })
}
