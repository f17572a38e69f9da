import { type FoundFile, isLeftOut, isTaken, leftOutFolderOf } from './found-files.ts'
import { MAX_FILE_CHARACTERS, MAX_FILES, MAX_PROJECT_CHARACTERS } from './project.ts'
import { ProjectError } from './read-project.ts'

/** Files and folders that are looked at in one folder. */
const MAX_LOOKED_AT = 20_000

/** Which folders and files belong to what is wanted, by their paths. */
export interface Selection {
  /** With all that is in the folder. */
  readonly isLeftOut: (folder: string) => boolean
  readonly isTaken: (file: string) => boolean
}

const PROJECT: Selection = { isLeftOut, isTaken }

/** A file that was chosen or dropped, with the folders that it is in. */
export interface ChosenFile {
  readonly path: string
  readonly file: Blob
}

/** What was found in a folder. */
export interface FoundFolder {
  readonly files: readonly ChosenFile[]
  readonly leftOut: readonly string[]
}

/** The files that a person chose, by their paths. */
export function chosenFiles(chosen: readonly File[]): readonly ChosenFile[] {
  return chosen.map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** The entries of a drop. Call it in the event's handler: they are gone afterwards. */
export function droppedEntries(items: DataTransferItemList): readonly FileSystemEntry[] {
  return [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
}

/**
 * Looks for files in what was dropped, without reading them.
 *
 * @param selection - By default those of a project.
 * @throws {ProjectError} If there are too many.
 */
export async function findInEntries(
  entries: readonly FileSystemEntry[],
  selection: Selection = PROJECT,
): Promise<FoundFolder> {
  const files: ChosenFile[] = []
  const leftOut: string[] = []
  const queue = entries.map((entry) => ({ entry, path: entry.name }))
  // The queue grows while it is read.
  for (const { entry, path } of queue) {
    if (queue.length > MAX_LOOKED_AT) throw tooManyLookedAt()
    if (isDirectory(entry)) {
      if (selection.isLeftOut(path)) leftOut.push(`${path}/`)
      else for (const child of await childrenOf(entry)) queue.push({ entry: child, path: `${path}/${child.name}` })
    } else if (isFile(entry) && selection.isTaken(path)) files.push({ path, file: await fileOf(entry) })
  }
  return { files, leftOut }
}

/** Of the files that a person chose, those that belong to a project. */
export function findInChosen(chosen: readonly File[]): FoundFolder {
  const all = chosenFiles(chosen)
  const files = all.filter(({ path }) => isTaken(path))
  const folders = new Set(all.flatMap(({ path }) => leftOutFolderOf(path) ?? []))
  return { files, leftOut: [...folders].map((folder) => `${folder}/`) }
}

/**
 * Reads what was found.
 *
 * @throws {ProjectError} If it is more than a project may have; then nothing was read.
 */
export async function readFound(files: readonly ChosenFile[]): Promise<readonly FoundFile[]> {
  if (files.length > MAX_FILES) throw new ProjectError(`a project has at most ${MAX_FILES} files`)
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  // A character takes up to four bytes; the characters are counted later.
  if (bytes > 4 * MAX_PROJECT_CHARACTERS) {
    throw new ProjectError(`a project has at most ${MAX_PROJECT_CHARACTERS} characters`)
  }
  return Promise.all(files.map(async ({ path, file }) => ({ path, text: await file.text() })))
}

/** Whether a file cannot belong to a project; a character takes up to four bytes. */
export function isTooLong({ file }: ChosenFile): boolean {
  return file.size > 4 * MAX_FILE_CHARACTERS
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
  // A reader gives a hundred at a time.
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
