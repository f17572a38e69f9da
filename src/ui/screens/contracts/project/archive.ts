import { strToU8, Unzip, UnzipInflate, zipSync } from 'fflate'
import { type ChosenFile, isTaken, leftOutFolderOf, PROJECT_FILE } from './found-files.ts'
import { MAX_FILE_CHARACTERS, MAX_FILES, MAX_PROJECT_CHARACTERS, type Project } from './project.ts'
import { ProjectError } from './read-project.ts'

/** Largest archive, in bytes. */
export const MAX_ARCHIVE_BYTES = 32 * 1024 * 1024
/** Most entries of an archive. */
const MAX_ENTRIES = 20_000
/** Bytes read at a time. In between, others have the page's thread. */
const CHUNK = 65_536
/** Bytes unpacked at a time: each may become a thousand. */
const PIECE = 4_096

/** Zips a project, with a file for its settings. */
export function zipProject({ name, files, settings, current }: Project): Blob {
  const about = JSON.stringify({ name, settings, current }, undefined, 2)
  const entries = [...Object.entries(files), [PROJECT_FILE, about] as const]
  return new Blob([zipSync(Object.fromEntries(entries.map(([path, text]) => [path, strToU8(text)])))], {
    type: 'application/zip',
  })
}

/** The project files found in a zip file. */
export interface FoundInArchive {
  readonly files: readonly ChosenFile[]
  readonly leftOut: readonly string[]
}

/**
 * Unpacks the files that belong to a project. Stops as soon as they are too many or too long, as a small archive may unpack
 * to any size.
 *
 * @param isWanted - Selects entries by path.
 * @throws {ProjectError} If it is not a zip file, is damaged, or exceeds a limit.
 */
export async function unzipFiles(
  archive: Blob,
  isWanted: (path: string) => boolean = isTaken,
  maxFiles: number = MAX_FILES,
): Promise<FoundInArchive> {
  if (archive.size > MAX_ARCHIVE_BYTES) {
    throw new ProjectError(`an archive has at most ${MAX_ARCHIVE_BYTES / 1024 / 1024} MiB`)
  }
  const files: ChosenFile[] = []
  const leftOut = new Set<string>()
  let entries = 0
  let total = 0
  const unzip = new Unzip((file) => {
    if (++entries > MAX_ENTRIES) throw new ProjectError(`an archive has at most ${MAX_ENTRIES} entries`)
    const folder = leftOutFolderOf(file.name)
    if (folder !== undefined) leftOut.add(`${folder}/`)
    if (!isWanted(file.name)) return
    const decoder = new TextDecoder()
    let text = ''
    file.ondata = (error, chunk, isLast) => {
      // fflate reports what is thrown here as the error of the next call.
      if (error) throw error instanceof ProjectError ? error : damaged(error)
      total += chunk.length
      text += decoder.decode(chunk, { stream: !isLast })
      if (text.length > MAX_FILE_CHARACTERS) {
        throw new ProjectError(`${file.name} is longer than ${MAX_FILE_CHARACTERS} characters`)
      }
      if (total > 4 * MAX_PROJECT_CHARACTERS || files.length >= maxFiles) {
        throw new ProjectError(
          `a project has at most ${maxFiles} files with ${MAX_PROJECT_CHARACTERS} characters together`,
        )
      }
      if (isLast) files.push({ path: file.name, file: new Blob([text]) })
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  for (let start = 0; start < archive.size; start += CHUNK) {
    const chunk = new Uint8Array(await archive.slice(start, start + CHUNK).arrayBuffer())
    try {
      for (let at = 0; at < chunk.length; at += PIECE) {
        unzip.push(chunk.subarray(at, at + PIECE), start + at + PIECE >= archive.size)
      }
    } catch (error) {
      throw error instanceof ProjectError ? error : damaged(error)
    }
  }
  if (entries === 0) throw new ProjectError('it is not a zip file, or it is empty')
  return { files, leftOut: [...leftOut] }
}

function damaged(cause: unknown): ProjectError {
  return new ProjectError('the zip file is damaged', { cause })
}
