import { ExplainedError } from '#ui/format/explain-error.ts'
import { type FoundProject, isTaken } from './found-files.ts'
import { projectOf } from './make-project.ts'
import { addProject } from './projects.ts'
import { findInEntries, type ProjectFolder } from './read-folder.ts'
import { ProjectError } from './read-project.ts'

/** Most files of an archive that are unpacked, libraries included. */
const MAX_ARCHIVE_FILES = 5_000

/**
 * Adds a project from chosen or dropped files.
 *
 * @param name - Used if the files have no folder in common.
 * @throws {ExplainedError} If it cannot be opened. Nothing is added then.
 */
export async function importProject(
  name: string,
  find: () => ProjectFolder | Promise<ProjectFolder>,
): Promise<FoundProject> {
  return adding(async () => {
    const { files, leftOut } = await find()
    return projectOf(files, name, leftOut)
  })
}

/** A project from an archive. */
export async function importArchive(file: File): Promise<FoundProject> {
  return adding(async () => {
    const { unzipFiles } = await import('./archive.ts')
    const { files, leftOut } = await unzipFiles(file, isTaken, MAX_ARCHIVE_FILES)
    return projectOf(files, file.name.replace(/\.zip$/i, ''), leftOut)
  })
}

/** A project from a drop, which may be a zip file. */
export function importDropped(entries: readonly FileSystemEntry[], files: readonly File[]): Promise<FoundProject> {
  const [only] = files
  if (entries.length === 1 && only && isArchive(only)) return importArchive(only)
  return importProject(entries[0]?.isDirectory ? entries[0].name : 'Project', () => findInEntries(entries))
}

export function isArchive({ name }: File): boolean {
  return /\.zip$/i.test(name)
}

async function adding(read: () => Promise<FoundProject>): Promise<FoundProject> {
  try {
    const found = await read()
    addProject(found.project)
    return found
  } catch (error) {
    if (!(error instanceof ProjectError) && !(error instanceof DOMException)) throw error
    throw new ExplainedError(`This cannot be opened as a project: ${error.message}.`, 'Nothing was changed.', {
      cause: error,
    })
  }
}
