import { parseRemappings, REMAPPINGS_FILE, type Remapping } from './resolve-import.ts'

/** A folder of a library in which there are sources: a candidate for the target of a remapping. */
interface Candidate {
  /** The folder whose name is the remapping's. */
  readonly window: string
  target: string
  /** Libraries around it. */
  readonly level: number
}

/** A folder, with what the inference looks at. */
interface Folder {
  readonly path: string
  readonly folders: Map<string, Folder>
  hasSource: boolean
}

/** Deepest nesting of folders that is searched. */
const MAX_DEPTH = 40

/**
 * The remappings that Foundry infers from a project's libraries: the rules of forge 1.7, for paths instead of a disk. The name
 * is that of the library's folder; `src/` or `contracts/` in it is the target.
 *
 * @param paths - Of all files.
 * @param libs - The folders with libraries.
 * @see {@link https://github.com/foundry-rs/compilers/blob/main/crates/artifacts/solc/src/remappings/find.rs | forge's source}
 */
export function inferRemappings(paths: readonly string[], libs: readonly string[] = ['lib']): readonly Remapping[] {
  const found = new Map<string, string>()
  for (const lib of libs) {
    const root = folderAt(treeOf(paths, lib), lib)
    for (const { window, target } of candidatesIn(root, isNodeModules(lib)))
      insertPrioritized(found, nameIn(window), target)
  }
  // A name such as `src/` would lead the project's own imports elsewhere.
  const named = [...found].filter(([name]) => !['src', 'contracts', 'lib'].includes(name))
  return named.map(([name, target]) => ({ context: '', prefix: `${name}/`, target: `${target}/` }))
}

/**
 * The remappings that a project's libraries have of their own, in `remappings.txt`, made relative to the project. Of two with
 * the same prefix, that of the library nearer to the root counts.
 */
export async function remappingsOfLibraries(
  paths: readonly string[],
  libs: readonly string[],
  textOf: (path: string) => string | Promise<string> | undefined,
): Promise<readonly Remapping[]> {
  const isOfLibrary = (path: string) =>
    path.endsWith(`/${REMAPPINGS_FILE}`) && libs.some((lib) => path.startsWith(`${lib}/`))
  const files = paths.filter(isOfLibrary).toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
  const found = new Map<string, Remapping>()
  for (const file of files.slice(0, MAX_LIBRARY_FILES)) {
    const folder = file.slice(0, -REMAPPINGS_FILE.length)
    for (const { context, prefix, target } of parseRemappings((await textOf(file)) ?? '')) {
      if (context === '' && !found.has(prefix)) found.set(prefix, { context, prefix, target: join(folder, target) })
    }
  }
  return [...found.values()]
}

/** Files of libraries with remappings that are read. */
const MAX_LIBRARY_FILES = 100

/** A path relative to a folder, with `./` and `../` resolved. */
function join(folder: string, path: string): string {
  const names: string[] = []
  for (const name of `${folder}${path}`.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '.') names.push(name)
  }
  return names.join('/')
}

function depthOf(path: string): number {
  return path.split('/').length
}

/** The folders below a library folder, without those that are hidden or hold tests. */
function treeOf(paths: readonly string[], lib: string): Folder {
  const root = newFolder('')
  for (const path of paths) {
    if (!path.startsWith(`${lib}/`) || !path.endsWith('.sol')) continue
    const names = path.split('/').slice(0, -1)
    const depth = depthOf(lib)
    if (names.length > MAX_DEPTH || names.slice(depth).some((name) => isSkipped(name))) continue
    let folder = root
    for (const name of names) {
      const next = folder.folders.get(name) ?? newFolder(folder.path === '' ? name : `${folder.path}/${name}`)
      folder.folders.set(name, next)
      folder = next
    }
    folder.hasSource = true
  }
  return root
}

function newFolder(path: string): Folder {
  return { path, folders: new Map(), hasSource: false }
}

function folderAt(root: Folder, path: string): Folder {
  let folder: Folder | undefined = root
  for (const name of path.split('/')) folder = folder?.folders.get(name)
  return folder ?? newFolder(path)
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || ['test', 'tests', 'demo'].includes(name)
}

function candidatesIn(root: Folder, inNodeModules: boolean): readonly Candidate[] {
  const all = [...root.folders.values()].flatMap((folder) => findCandidates(folder, folder.path, 0, inNodeModules))
  return all.toSorted((a, b) => comparePaths(a.target, b.target))
}

/** As paths are compared: name by name. */
function comparePaths(a: string, b: string): number {
  const [as, bs] = [a.split('/'), b.split('/')]
  const at = as.findIndex((name, i) => name !== bs[i])
  if (at < 0) return as.length - bs.length
  return bs[at] === undefined || (as[at] ?? '') > bs[at] ? 1 : -1
}

/** @param open - The folder that opened the window: the library, or `lib` in it. */
function findCandidates(folder: Folder, open: string, level: number, inNodeModules: boolean): Candidate[] {
  let candidates = [...folder.folders.values()].flatMap((sub) =>
    isLibFolder(sub.path)
      ? findCandidates(sub, sub.path, level + 1, inNodeModules)
      : findCandidates(sub, open, level, inNodeModules),
  )
  const window = nextWindow(open, folder.path)
  const here = candidates.filter((each) => each.level === level && each.window === window)
  if (folder.hasSource || here.length > 1) {
    const inSrc = candidates.filter(({ target }) => nameIn(target) === 'src')
    if (inSrc.length === 1) return inSrc
    candidates = candidates.filter((each) => each.level !== level)
    const target = inNodeModules ? window : folder.path
    const isFalse = level > 0 && target === window && (isSourceFolder(target) || isLibFolder(target))
    return isFalse ? candidates : [...candidates, { window, target, level }]
  }
  const single = candidates.find((each) => each.level === level)
  if (single) {
    const distance = depthOf(single.target) - depthOf(single.window)
    const endsWithContracts = nameIn(single.target) === 'contracts' || single.target.endsWith('/contracts/src')
    if (distance > 1 && endsWithContracts) single.target = window
    else if (!isSourceFolder(single.target) && single.target !== single.window) {
      single.target = lastSourceFolder(open, single.target)
    }
  }
  return candidates
}

/** The library below a `lib` that opened a window; otherwise the folder that opened it. */
function nextWindow(open: string, current: string): string {
  if (!isLibFolder(open) || open === current) return open
  const next = current.slice(open.length + 1).split('/', 1)[0] ?? ''
  return `${open}/${next}`
}

function lastSourceFolder(open: string, folder: string): string {
  if (isSourceFolder(folder)) return folder
  let at = folder
  while (at.includes('/')) {
    at = at.slice(0, at.lastIndexOf('/'))
    if (at === open) return open
    if (isSourceFolder(at)) return at
  }
  return open
}

function insertPrioritized(found: Map<string, string>, name: string, target: string): void {
  const before = found.get(name)
  const isBetter =
    before === undefined || depthOf(before) > depthOf(target) || (nameIn(target) === 'src' && nameIn(before) !== 'src')
  if (isBetter) found.set(name, target)
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function isSourceFolder(path: string): boolean {
  return ['src', 'contracts'].includes(nameIn(path))
}

function isLibFolder(path: string): boolean {
  return ['lib', 'node_modules'].includes(nameIn(path))
}

function isNodeModules(lib: string): boolean {
  return nameIn(lib) === 'node_modules'
}
