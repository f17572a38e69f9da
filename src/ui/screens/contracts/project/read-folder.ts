import { type ChosenFile, isLeftOut, isTaken, leftOutFolderOf } from './found-files.ts'
import { ProjectError } from './read-project.ts'

/** Most files and folders visited in one folder. */
const MAX_LOOKED_AT = 20_000

/** Selects folders and files by path. */
export interface Selection {
  /** Whether to leave out a folder with everything in it. */
  readonly isLeftOut: (folder: string) => boolean
  readonly isTaken: (file: string) => boolean
}

const PROJECT: Selection = { isLeftOut, isTaken }

/** The selected files of a folder. */
export interface ProjectFolder {
  readonly files: readonly ChosenFile[]
  readonly leftOut: readonly string[]
}

/** Chosen files with their paths. */
export function chosenFiles(chosen: readonly File[]): readonly ChosenFile[] {
  return chosen.map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** The entries of a drop. Call it in the event handler: they are gone afterwards. */
export function droppedEntries(items: DataTransferItemList): readonly FileSystemEntry[] {
  return [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
}

/**
 * Finds files in a drop, without reading them.
 *
 * @param selection - By default those of a project.
 * @throws {ProjectError} If there are too many.
 */
export async function findInEntries(
  entries: readonly FileSystemEntry[],
  selection: Selection = PROJECT,
): Promise<ProjectFolder> {
  const files: ChosenFile[] = []
  const leftOut: string[] = []
  const queue = entries.map((entry) => ({ entry, path: entry.name }))
  // The queue grows during the loop.
  for (const { entry, path } of queue) {
    if (queue.length > MAX_LOOKED_AT) throw tooManyLookedAt()
    if (isDirectory(entry)) {
      if (selection.isLeftOut(path)) leftOut.push(`${path}/`)
      else for (const child of await childrenOf(entry)) queue.push({ entry: child, path: `${path}/${child.name}` })
    } else if (isFile(entry) && selection.isTaken(path)) files.push({ path, file: await fileOf(entry) })
  }
  return { files, leftOut }
}

/** The chosen files that belong to a project. */
export function findInChosen(chosen: readonly File[]): ProjectFolder {
  const all = chosenFiles(chosen)
  const files = all.filter(({ path }) => isTaken(path))
  const folders = new Set(all.flatMap(({ path }) => leftOutFolderOf(path) ?? []))
  return { files, leftOut: [...folders].map((folder) => `${folder}/`) }
}

function tooManyLookedAt(): ProjectError {
  return new ProjectError(`there are more than ${MAX_LOOKED_AT} files and folders in it`)
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  // A reader returns a hundred entries at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
    if (all.length > MAX_LOOKED_AT) throw tooManyLookedAt()
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}
