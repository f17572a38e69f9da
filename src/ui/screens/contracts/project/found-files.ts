import { isConfigName } from '#compiler/project/config-names.ts'
import type { ProjectConfig } from '#compiler/project/project-config.ts'
import { REMAPPINGS_FILE } from '#compiler/project/resolve-import.ts'
import type { ProjectContent } from './read-project.ts'

/** A chosen or dropped file that may become part of a project. */
export interface ChosenFile {
  /** Including the folders that it was found in. */
  readonly path: string
  readonly file: Blob
}

/** A project made from a folder or an archive. */
export interface FoundProject {
  readonly project: ProjectContent
  /** Paths of folders and files that were left out. */
  readonly leftOut: readonly string[]
  /** Files of libraries that were left out, as no source imports them. */
  readonly unimported: number
  /** What its tool's settings say. */
  readonly config: ProjectConfig
}

/** The file with the settings of a downloaded project. */
export const PROJECT_FILE = 'blinknet-project.json'

/** Names of folders that tools generate; macOS adds `__MACOSX`, with a file like `._A.sol` for each file, to zip files. */
const MADE = new Set([
  ...['node_modules', 'out', 'artifacts', 'cache', 'broadcast', 'typechain-types', 'coverage', 'dist'],
  '__MACOSX',
])

/** Whether a folder's name is one that tools generate or hide. */
export function isGenerated(name: string): boolean {
  return MADE.has(name) || name.startsWith('.')
}

/** Whether a folder is left out with everything in it. */
export function isLeftOut(folder: string): boolean {
  return isGenerated(folder.slice(folder.lastIndexOf('/') + 1))
}

/** The outermost folder in a path that is left out. */
export function leftOutFolderOf(path: string): string | undefined {
  const names = path.split('/')
  const at = names.slice(0, -1).findIndex(isGenerated)
  return at < 0 ? undefined : names.slice(0, at + 1).join('/')
}

/** Whether a file belongs to a project. */
export function isTaken(path: string): boolean {
  if (leftOutFolderOf(path) !== undefined) return false
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/(^|\/)lib\//.test(path)) return name.endsWith('.sol') || name === REMAPPINGS_FILE
  return /\.(sol|md|txt|toml|json)$/.test(name) || isConfigName(name)
}

/** The folder that all files are in, such as `my-project/`; empty if there is none. */
export function commonRoot(paths: readonly string[]): string {
  const first = paths[0] ?? ''
  const root = first.slice(0, first.indexOf('/') + 1)
  const isShared = root !== '' && paths.every((path) => path.startsWith(root))
  // A project may consist of nothing but its folder of sources.
  return isShared && !/^(src|contracts|lib)\/$/.test(root) ? root : ''
}
