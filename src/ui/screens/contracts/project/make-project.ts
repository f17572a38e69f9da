import { gatherSources, type ProjectFiles } from '#compiler/gather-sources.ts'
import type { CompilerSettings, Files } from '#compiler/messages.ts'
import { PackageError } from '#compiler/packages.ts'
import { isConfigName } from '#compiler/project/config-names.ts'
import {
  isOfLibrary,
  type ProjectConfig,
  type Roots,
  readConfig,
  remappingsOf,
  rootsOf,
} from '#compiler/project/project-config.ts'
import { REMAPPINGS_FILE } from '#compiler/project/resolve-import.ts'
import { type ChosenFile, commonRoot, type FoundProject, leftOutFolderOf, PROJECT_FILE } from './found-files.ts'
import {
  DEFAULT_SETTINGS,
  firstFile,
  MAX_FILE_CHARACTERS,
  MAX_FILES,
  MAX_PROJECT_CHARACTERS,
  problemWithFiles,
  problemWithPath,
} from './project.ts'
import { type ProjectContent, ProjectError, readName, readSettings } from './read-project.ts'

/**
 * Makes a project of files. Of libraries it takes what the project's sources import.
 *
 * @param name - Used if the files have no folder in common.
 * @param leftOut - Paths that were left out before.
 * @throws {ProjectError} If there is no Solidity file, or a limit is exceeded.
 */
export async function projectOf(
  found: readonly ChosenFile[],
  name: string,
  leftOut: readonly string[],
): Promise<FoundProject> {
  const common = commonRoot(found.map(({ path }) => path))
  const root = projectRoot(found.map(({ path }) => path))
  const all = new Map<string, Blob>()
  const refused = new Set<string>()
  for (const { path, file } of found) {
    const inside = path.slice(root.length)
    if (!path.startsWith(root)) refused.add(besides(path, root))
    else if (problemWithPath(inside) !== undefined || isTooLong(file)) refused.add(path)
    else all.set(inside, file)
  }
  const paths = [...all.keys()]
  const config = readConfig(await textsOf(all, paths.filter(isSettings)))
  const own = readOwn(await all.get(PROJECT_FILE)?.text())
  const roots = rootsOf(paths, config)
  if (roots.sources.length === 0) throw new ProjectError('it has no Solidity file (.sol)')
  const isOwn = (path: string) => !isOfLibrary(path, config) && path !== PROJECT_FILE
  const { kept, dropped } = fitting(paths.filter(isOwn), roots)
  const texts = await textsOf(all, kept)
  // A list of packages may be longer than any source.
  const isText = (path: string) => !path.endsWith('.sol') && (texts[path]?.length ?? 0) > MAX_FILE_CHARACTERS
  const taken = Object.fromEntries(Object.entries(texts).filter(([path]) => !isText(path)))
  const imported = await importedOf({ ...Object.fromEntries(all), ...taken }, config, roots, taken)
  const files: Files = { ...taken, ...imported.files }
  const problem = problemWithFiles(files)
  if (problem !== undefined) throw new ProjectError(problem)
  return {
    project: {
      name: own.name ?? readName(common === '' ? name : common.slice(0, -1)) ?? 'Project',
      files,
      folders: [],
      settings: own.settings ?? settingsOf(config),
      current: own.current !== undefined && Object.hasOwn(files, own.current) ? own.current : firstFile(files, roots),
    },
    leftOut: [...leftOut, ...refused, ...dropped, ...kept.filter(isText)],
    unimported: imported.left,
    config,
  }
}

/** Files that say how to compile, which are read before the others. */
function isSettings(path: string): boolean {
  return !path.includes('/') && (isConfigName(path) || path === 'package.json' || path === REMAPPINGS_FILE)
}

/** What is read for each path. */
export async function byPath(
  paths: readonly string[],
  textOf: (path: string) => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  const texts = await Promise.all(paths.map(textOf))
  return Object.fromEntries(paths.map((path, i) => [path, texts[i] ?? '']))
}

/** Texts of files, by path. @throws {ProjectError} If they are too long. Nothing is read then. */
async function textsOf(all: ReadonlyMap<string, Blob>, paths: readonly string[]): Promise<Files> {
  const bytes = paths.reduce((sum, path) => sum + (all.get(path)?.size ?? 0), 0)
  // A character takes up to four bytes; characters are counted later.
  if (bytes > 4 * MAX_PROJECT_CHARACTERS) {
    throw new ProjectError(`a project has at most ${MAX_PROJECT_CHARACTERS} characters`)
  }
  return byPath(paths, async (path) => (await all.get(path)?.text()) ?? '')
}

/** The files that a project has room for: if all are too many, without texts that are no source, then without tests. */
function fitting(
  own: readonly string[],
  roots: Roots,
): { readonly kept: readonly string[]; readonly dropped: readonly string[] } {
  const needed = new Set(roots.sources)
  const isNeeded = [
    () => true,
    (path: string) => path.endsWith('.sol') || isSettings(path),
    (path: string) => needed.has(path) || isSettings(path),
  ]
  for (const isKept of isNeeded) {
    const kept = own.filter(isKept)
    if (kept.length <= MAX_FILES) return { kept, dropped: own.filter((path) => !isKept(path)) }
  }
  throw new ProjectError(`a project has at most ${MAX_FILES} files, and this has ${needed.size} sources`)
}

/** What the sources import of libraries, and how many files of these they do not. */
async function importedOf(
  all: ProjectFiles,
  config: ProjectConfig,
  roots: Roots,
  taken: Files,
): Promise<{ readonly files: Files; readonly left: number }> {
  const paths = Object.keys(all)
  const textOf = async (path: string) => {
    const file = all[path]
    return typeof file === 'string' ? file : file?.text()
  }
  const remappings = await remappingsOf(paths, config, (path) => textOf(path).then((text) => text ?? ''))
  const nothing = { packages: [], readPackage: () => Promise.reject(new PackageError('it is not asked for')) }
  const begin = [...roots.sources, ...roots.tests].filter((path) => Object.hasOwn(taken, path))
  const { sources, problems } = await gatherSources(all, remappings, nothing, begin)
  const [problem] = problems
  if (problem) throw new ProjectError(problem.message.replace(/\.$/, ''))
  const isOfUse = (path: string) =>
    Object.hasOwn(sources, path) || (isOfLibrary(path, config) && path.endsWith(`/${REMAPPINGS_FILE}`))
  const missing = paths.filter((path) => !Object.hasOwn(taken, path) && isOfLibrary(path, config))
  const used = missing.filter(isOfUse)
  return { files: await byPath(used, async (path) => (await textOf(path)) ?? ''), left: missing.length - used.length }
}

/** The folder or file beside the project's folder, or beside one around it, that a path is in. */
function besides(path: string, root: string): string {
  let at = 0
  while (at < path.length && path[at] === root[at]) at++
  const slash = path.indexOf('/', at)
  return slash < 0 ? path : path.slice(0, slash + 1)
}

/** Whether a file is certainly too long for a project; a character takes up to four bytes. */
function isTooLong(file: Blob): boolean {
  return file.size > 4 * MAX_FILE_CHARACTERS
}

/**
 * The folder of the project, such as `my-project/`, or `my-project/packages/hardhat/` if only a folder in it has a tool's
 * settings: of several that with the most sources.
 */
export function projectRoot(paths: readonly string[]): string {
  const common = commonRoot(paths)
  const inside = paths.map((path) => path.slice(common.length))
  const own = inside.filter((path) => leftOutFolderOf(path) === undefined && !/(^|\/)lib\//.test(path))
  const folders = own.flatMap((path) => {
    const slash = path.lastIndexOf('/')
    return isConfigName(path.slice(slash + 1)) ? [path.slice(0, slash + 1)] : []
  })
  if (folders.length === 0 || folders.includes('')) return common
  if (own.some((path) => /^(src|contracts)\/.*\.sol$/.test(path))) return common
  const sources = (folder: string) => own.filter((path) => path.startsWith(folder) && path.endsWith('.sol')).length
  const [first] = [...new Set(folders)].slice(0, MAX_PACKAGES).toSorted((a, b) => sources(b) - sources(a))
  return first !== undefined && sources(first) > 0 ? common + first : common
}

/** Folders with settings that are compared. */
const MAX_PACKAGES = 50

/** Reads the settings file of a downloaded project. */
export function readOwn(text: string | undefined): Partial<Pick<ProjectContent, 'name' | 'settings' | 'current'>> {
  if (text === undefined) return {}
  try {
    const { settings, current, name: ownName } = JSON.parse(text) as Readonly<Record<string, unknown>>
    const name = readName(ownName)
    return {
      ...(name !== undefined && { name }),
      settings: readSettings(settings),
      ...(typeof current === 'string' && { current }),
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return {}
    throw error
  }
}

/** A project's settings: those of its tool, and the page's own without one. */
export function settingsOf({ settings }: ProjectConfig): CompilerSettings {
  if (!settings) return DEFAULT_SETTINGS
  return readSettings(settings)
}
