import { type CompilerSettings, EVM_VERSIONS, type Files } from '#compiler/messages.ts'
import type { Roots } from '#compiler/project/project-config.ts'
import { spellOut } from '#ui/format/contract-text.ts'

/** A project in the editor: its files and compiler settings. */
export interface Project {
  readonly id: string
  readonly name: string
  /** Texts by path. Paths are relative, without `.` or `..`. */
  readonly files: Files
  /** Folders that stay when they have no files. */
  readonly folders: readonly string[]
  readonly settings: CompilerSettings
  /** The file in the editor. */
  readonly current: string
  /** Title of the example that it started from. */
  readonly example?: string | undefined
  /** Version of the compiler that last compiled it. */
  readonly compiler?: string | undefined
}

/** Most files in one project. */
export const MAX_FILES = 1_000
/** Most characters in one file. */
export const MAX_FILE_CHARACTERS = 1_000_000
/** Most characters in all files of a project. */
export const MAX_PROJECT_CHARACTERS = 8_000_000
/** Most characters in a path. */
export const MAX_PATH_CHARACTERS = 200
/** Deepest nesting of folders. */
export const MAX_DEPTH = 12
/** Most characters in a project's name. */
export const MAX_NAME_CHARACTERS = 60

export const DEFAULT_SETTINGS: CompilerSettings = {
  optimizer: true,
  runs: 200,
  evmVersion: EVM_VERSIONS[0],
  viaIR: false,
}

/** The problem with a project's files, in words; `undefined` if there is none. */
export function problemWithFiles(files: Files): string | undefined {
  const entries = Object.entries(files)
  if (entries.length > MAX_FILES) return `a project has at most ${MAX_FILES} files, and this has ${entries.length}`
  const long = entries.find(([, text]) => text.length > MAX_FILE_CHARACTERS)
  if (long) return `${long[0]} is longer than ${MAX_FILE_CHARACTERS} characters`
  const characters = entries.reduce((sum, [, text]) => sum + text.length, 0)
  if (characters > MAX_PROJECT_CHARACTERS) return `a project has at most ${MAX_PROJECT_CHARACTERS} characters`
  const problem = problemWithPaths(Object.keys(files))
  return problem && `a file has a path that is not allowed. ${problem.replace(/\.$/, '')}`
}

function problemWithPaths(paths: readonly string[]): string | undefined {
  return paths.map(problemWithPath).find((problem) => problem !== undefined)
}

/** The problem with a path, in words. */
export function problemWithPath(path: string): string | undefined {
  if (path === '') return 'Enter a name.'
  if (path.length > MAX_PATH_CHARACTERS) return `A path has at most ${MAX_PATH_CHARACTERS} characters.`
  const names = path.split('/')
  if (names.length > MAX_DEPTH) return `Folders go at most ${MAX_DEPTH} deep.`
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    return 'The names in a path cannot be empty, “.” or “..”.'
  // Characters that have a meaning to file systems, or hide or reorder other characters.
  if (/[\\:*?"<>|]/.test(path) || spellOut(path) !== path) {
    return 'A path cannot have any of \\ : * ? " < > | or invisible characters.'
  }
  return undefined
}

/** Why a new file or folder cannot have this path. */
export function problemWithNewPath({ files, folders }: Project, path: string): string | undefined {
  const problem = problemWithPath(path)
  if (problem !== undefined) return problem
  const taken = [...Object.keys(files), ...allFolders(files, folders)]
  if (taken.some((other) => other.toLowerCase() === path.toLowerCase())) return `${path} is there already.`
  const file = Object.keys(files).find((other) => path.startsWith(`${other}/`))
  if (file !== undefined) return `${file} is a file.`
  return undefined
}

/** Every folder of a project. */
export function allFolders(files: Files, folders: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const path of [...Object.keys(files), ...folders.map((folder) => `${folder}/`)]) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) found.add(path.slice(0, at))
  }
  return found
}

export function addFile(project: Project, path: string, text: string): Project {
  return { ...project, files: { ...project.files, [path]: text }, current: path }
}

export function addFolder(project: Project, path: string): Project {
  return { ...project, folders: [...project.folders, path] }
}

/** Whether `path` is `entry`, or in the folder `entry`. */
export function isIn(path: string, entry: string): boolean {
  return path === entry || path.startsWith(`${entry}/`)
}

/** Renames a file, or a folder with everything in it. */
export function renameEntry(project: Project, from: string, to: string): Project {
  const renamed = (path: string) => (isIn(path, from) ? to + path.slice(from.length) : path)
  return {
    ...project,
    files: Object.fromEntries(Object.entries(project.files).map(([path, text]) => [renamed(path), text])),
    folders: project.folders.map(renamed),
    current: renamed(project.current),
  }
}

/** Why a file or folder cannot be renamed like this. */
export function problemWithRename(project: Project, from: string, to: string): string | undefined {
  if (to === from) return undefined
  if (isIn(to, from)) return 'A folder cannot be moved into itself.'
  const isCaseOnly = to.toLowerCase() === from.toLowerCase()
  const problem = isCaseOnly ? undefined : problemWithNewPath(project, to)
  if (problem !== undefined) return problem
  const { files, folders } = renameEntry(project, from, to)
  return problemWithPaths([...Object.keys(files), ...folders])
}

/** Deletes a file, or a folder with everything in it. The folder around it stays. */
export function deleteEntry(project: Project, entry: string): Project {
  const files = Object.fromEntries(Object.entries(project.files).filter(([path]) => !isIn(path, entry)))
  const parent = entry.slice(0, Math.max(0, entry.lastIndexOf('/')))
  const folders = project.folders.filter((path) => !isIn(path, entry))
  const isParentGone = parent !== '' && !allFolders(files, folders).has(parent)
  const current = Object.hasOwn(files, project.current) ? project.current : firstFile(files)
  return { ...project, files, folders: isParentGone ? [...folders, parent] : folders, current }
}

/**
 * The file to show first: preferably a contract of the project's own.
 *
 * @param roots - Its sources, if they are known.
 */
export function firstFile(files: Files, roots?: Pick<Roots, 'sources'>): string {
  const [first] = roots?.sources.toSorted() ?? []
  if (first !== undefined) return first
  const paths = Object.keys(files).toSorted()
  const isOwnSource = (path: string) => path.endsWith('.sol') && !/^(lib|node_modules|test|script)\//.test(path)
  return paths.find(isOwnSource) ?? paths.find((path) => path.endsWith('.sol')) ?? paths[0] ?? ''
}

/** A file or folder in the tree. */
export interface TreeNode {
  readonly name: string
  readonly path: string
  /** `undefined` for a file. */
  readonly children: readonly TreeNode[] | undefined
}

/** A project's files and folders, folders first. */
export function treeOf({ files, folders }: Pick<Project, 'files' | 'folders'>): readonly TreeNode[] {
  const inside = new Map<string, TreeNode[]>()
  const add = (path: string, children: TreeNode[] | undefined) => {
    const slash = path.lastIndexOf('/')
    const parent = path.slice(0, Math.max(0, slash))
    childrenOf(parent).push({ name: path.slice(slash + 1), path, children })
  }
  const childrenOf = (parent: string) => {
    const known = inside.get(parent) ?? []
    inside.set(parent, known)
    return known
  }
  for (const folder of [...allFolders(files, folders)].toSorted(byName)) add(folder, childrenOf(folder))
  for (const file of Object.keys(files).toSorted(byName)) add(file, undefined)
  return childrenOf('')
}

function byName(a: string, b: string): number {
  return a.localeCompare(b)
}
