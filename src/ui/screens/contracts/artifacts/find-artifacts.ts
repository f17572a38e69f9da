import type { Dropped } from '#ui/screens/contracts/files/use-file-drop.ts'
import { type ChosenFile, commonRoot } from '#ui/screens/contracts/project/found-files.ts'
import { chosenFiles, findInEntries, type Selection } from '#ui/screens/contracts/project/read-folder.ts'

/** Folders with neither compiler output nor sources. */
const WITHOUT = new Set(['node_modules', 'cache', 'broadcast', 'typechain-types', 'coverage'])
/** Folders with compiler output. */
const WRITTEN = new Set(['out', 'artifacts', 'build-info'])

const ARTIFACTS: Selection = {
  isLeftOut: (folder) => hasNone(folder.slice(folder.lastIndexOf('/') + 1)),
  isTaken: (file) => /\.(json|sol|vy|yul)$/.test(file) && !file.endsWith('.dbg.json'),
}

function hasNone(folderName: string): boolean {
  return WITHOUT.has(folderName) || folderName.startsWith('.')
}

/** Whether a drop is compiler output rather than a project to open. */
export function areArtifacts({ entries, files }: Dropped): boolean {
  if (entries.length === 0) return files.length > 0 && files.every(({ name }) => name.endsWith('.json'))
  return entries.every(({ name, isDirectory }) => (isDirectory ? WRITTEN.has(name) : name.endsWith('.json')))
}

/**
 * Finds compiler output and sources in a drop, without reading them.
 *
 * @throws {ProjectError} If there are too many files.
 */
export async function findArtifacts({ entries, files }: Dropped): Promise<readonly ChosenFile[]> {
  if (entries.length === 0) return findChosenArtifacts(files)
  const found = await findInEntries(entries, ARTIFACTS)
  return fromTheRoot(found.files)
}

/** Finds artifacts in chosen files. */
export function findChosenArtifacts(chosen: readonly File[]): readonly ChosenFile[] {
  return fromTheRoot(
    chosenFiles(chosen).filter(
      ({ path }) =>
        ARTIFACTS.isTaken(path) &&
        !path
          .split('/')
          .slice(0, -1)
          .some((folder) => hasNone(folder)),
    ),
  )
}

/** Removes the project's folder from the paths, so that they are those that the compiler knows. */
function fromTheRoot(files: readonly ChosenFile[]): readonly ChosenFile[] {
  const root = commonRoot(files.map(({ path }) => path))
  return files.map(({ path, file }) => ({ path: path.slice(root.length), file }))
}
