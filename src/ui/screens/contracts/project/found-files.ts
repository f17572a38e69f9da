import type { CompilerSettings, Files } from '#compiler/messages.ts'
import { REMAPPINGS_FILE } from '#compiler/resolve-import.ts'
import { DEFAULT_SETTINGS, firstFile, MAX_FILE_CHARACTERS, problemWithFiles, problemWithPath } from './project.ts'
import { isRuns, type ProjectContent, ProjectError, readName, readSettings } from './read-project.ts'

/** A file from a folder or an archive that may become part of a project. */
export interface FoundFile {
  /** Including the folders that it was found in. */
  readonly path: string
  readonly text: string
}

/** A project made from a folder or an archive. */
export interface FoundProject {
  readonly project: ProjectContent
  /** Paths of folders and files that were left out. */
  readonly leftOut: readonly string[]
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

/** Libraries in Foundry's `lib/` that the page has itself. */
const BROUGHT = new Set(['openzeppelin-contracts', 'openzeppelin-contracts-upgradeable', 'forge-std'])

/** Whether a folder is left out with everything in it. */
export function isLeftOut(folder: string): boolean {
  const names = folder.split('/')
  return isLeftOutAt(names, names.length - 1, names.indexOf('lib'))
}

/** The outermost folder in a path that is left out. */
export function leftOutFolderOf(path: string): string | undefined {
  // A path in an archive may have 64 Ki characters, so visit each of its names only once.
  const names = path.split('/')
  const library = names.indexOf('lib')
  const at = names.findIndex((_, i) => i < names.length - 1 && isLeftOutAt(names, i, library))
  return at < 0 ? undefined : names.slice(0, at + 1).join('/')
}

/** @param library - Index of the first `lib` among the names. */
function isLeftOutAt(names: readonly string[], at: number, library: number): boolean {
  const name = names[at] ?? ''
  if (isGenerated(name)) return true
  if (names[at - 1] === 'lib' && BROUGHT.has(name)) return true
  // Tests and scripts of a library, at any depth.
  return library >= 0 && library <= at - 2 && (name === 'test' || name === 'script')
}

/** Whether a file belongs to a project. */
export function isTaken(path: string): boolean {
  if (leftOutFolderOf(path) !== undefined) return false
  return /(^|\/)lib\//.test(path) ? path.endsWith('.sol') : /\.(sol|md|txt|toml|json)$/.test(path)
}

/**
 * Makes a project of files.
 *
 * @param name - Used if the files have no folder in common.
 * @param leftOut - Paths that were left out before.
 * @throws {ProjectError} If there is no Solidity file, or a limit is exceeded.
 */
export function projectOf(found: readonly FoundFile[], name: string, leftOut: readonly string[]): FoundProject {
  const taken = found.filter(
    ({ path, text }) => problemWithPath(path) === undefined && text.length <= MAX_FILE_CHARACTERS,
  )
  const refused = found.filter((file) => !taken.includes(file)).map(({ path }) => path)
  const root = commonRoot(taken.map(({ path }) => path))
  const all = new Map(taken.map(({ path, text }) => [path.slice(root.length), text]))
  const own = readOwn(all.get(PROJECT_FILE))
  all.delete(PROJECT_FILE)
  if (![...all.keys()].some((path) => path.endsWith('.sol'))) {
    throw new ProjectError('it has no Solidity file (.sol)')
  }
  const config = readFoundryConfig(all.get('foundry.toml') ?? '')
  if (!all.has(REMAPPINGS_FILE) && config.remappings.length > 0) {
    all.set(REMAPPINGS_FILE, `${config.remappings.join('\n')}\n`)
  }
  const files: Files = Object.fromEntries(all)
  const problem = problemWithFiles(files)
  if (problem !== undefined) throw new ProjectError(problem)
  return {
    project: {
      name: own.name ?? readName(root === '' ? name : root.slice(0, -1)) ?? 'Project',
      files,
      folders: [],
      settings: own.settings ?? config.settings,
      current: own.current !== undefined && all.has(own.current) ? own.current : firstFile(files),
    },
    leftOut: [...leftOut, ...refused],
  }
}

/** The folder that all files are in, such as `my-project/`; empty if there is none. */
export function commonRoot(paths: readonly string[]): string {
  const first = paths[0] ?? ''
  const root = first.slice(0, first.indexOf('/') + 1)
  const isShared = root !== '' && paths.every((path) => path.startsWith(root))
  // A project may consist of nothing but its folder of sources.
  return isShared && !/^(src|contracts|lib)\/$/.test(root) ? root : ''
}

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

/** Reads the parts of Foundry's configuration that the page knows, from the default profile. */
export function readFoundryConfig(toml: string): {
  readonly settings: CompilerSettings
  readonly remappings: readonly string[]
} {
  const section = sectionOf(toml, '[profile.default]')
  // Match blanks within a line only: with line breaks, matching would take quadratic time.
  const value = (key: string) => new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*["']?([\\w.]+)`, 'm').exec(section)?.[1]
  const listAt = /^[ \t]*remappings[ \t]*=[ \t]*\[/m.exec(section)
  const list = listAt ? (section.slice(listAt.index + listAt[0].length).split(']', 1)[0] ?? '') : ''
  const runs = Number(value('optimizer_runs'))
  const flag = (key: string) => (value(key) === undefined ? undefined : value(key) === 'true')
  return {
    settings: readSettings({
      optimizer: flag('optimizer') ?? DEFAULT_SETTINGS.optimizer,
      runs: isRuns(runs) ? runs : undefined,
      evmVersion: value('evm_version')?.toLowerCase(),
      viaIR: flag('via_ir'),
    }),
    remappings: [...list.matchAll(/["']([^"'\n]+)["']/g)].map((match) => match[1] ?? ''),
  }
}

/** The lines of a section, up to the next one. */
function sectionOf(toml: string, head: string): string {
  const lines = toml.split(/\r?\n/)
  const start = lines.findIndex((line) => line.trim() === head)
  if (start < 0) return ''
  const end = lines.findIndex((line, i) => i > start && line.startsWith('['))
  return lines.slice(start + 1, end < 0 ? undefined : end).join('\n')
}
