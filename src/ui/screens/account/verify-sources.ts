import { solidityCompiler } from '#client/solidity-compiler.ts'
import type { Match, MatchRequest } from '#compiler/messages.ts'
import { isConfigName } from '#compiler/project/config-names.ts'
import { readConfig, remappingsOf, rootsOf } from '#compiler/project/project-config.ts'
import { REMAPPINGS_FILE, remappingText } from '#compiler/project/resolve-import.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import type { Dropped } from '#ui/screens/contracts/files/use-file-drop.ts'
import { type ChosenFile, isGenerated, PROJECT_FILE } from '#ui/screens/contracts/project/found-files.ts'
import { isArchive } from '#ui/screens/contracts/project/import-project.ts'
import { keepBuild } from '#ui/screens/contracts/project/keep-build.ts'
import { byPath, projectRoot, readOwn, settingsOf } from '#ui/screens/contracts/project/make-project.ts'
import { chosenFiles, findInEntries } from '#ui/screens/contracts/project/read-folder.ts'
import { ProjectError } from '#ui/screens/contracts/project/read-project.ts'
import { claim, findGiven, type GivenContract, inputFile, isCompilable, METADATA_FILE, readGiven } from './sourcify.ts'

/** Most files of a project, libraries included. */
export const MAX_SOURCE_FILES = 5_000
/** Longest file with settings or remappings, in bytes. */
const MAX_SETTINGS_BYTES = 1 << 20

/** What to do if something else was chosen. */
export const WHAT_TO_CHOOSE =
  'Choose the folder of the whole project, a zip file of it, the compiler’s standard JSON input, or what Sourcify has.'

/** Sources that a person chose to verify a contract by. */
export type ChosenSources = MatchRequest['sources'] | GivenContract

/** A contract that has the code. */
export type FoundMatch = Extract<Match, { outcome: 'found' }>

/** Files that say how to compile. */
const SETTINGS_FILES: ReadonlySet<string> = new Set(['package.json', REMAPPINGS_FILE, PROJECT_FILE, METADATA_FILE])

/** Whether a file is a source or says how to compile them. Unlike in the editor, all of `lib/` counts. */
function isSource(path: string): boolean {
  const end = path.lastIndexOf('/')
  const file = path.slice(end + 1)
  return (
    !isInGenerated(path.slice(0, Math.max(end, 0))) &&
    (/\.(?:sol|vyi?)$/.test(file) || SETTINGS_FILES.has(file) || isConfigName(file))
  )
}

/** Whether a folder is one that tools generate, or is in one. Below Sourcify's `sources/` are the compiler's own paths. */
function isInGenerated(folder: string): boolean {
  return folder
    .replace(/(^|\/)sources\/.*/, '')
    .split('/')
    .some(isGenerated)
}

/**
 * The sources among the files that a person chose: the compiler's standard JSON input, a zip file, a project's folder, or
 * what Sourcify has of a contract. A project's sources are not read yet, only the files with settings.
 *
 * @param address - Of the contract.
 * @throws {ExplainedError} If there are none, or too many.
 */
export function chosenSources(files: readonly File[], address: Address): Promise<ChosenSources> {
  return explaining(async () => {
    const [only] = files
    if (only && files.length === 1 && /\.json$/i.test(only.name)) {
      return (await readGiven(only)) ?? { kind: 'standard JSON', file: only }
    }
    if (only && files.length === 1 && isArchive(only)) return sourcesIn(await unzipped(only), address)
    const found = chosenFiles(files).filter(({ path }) => isSource(path))
    return sourcesIn(found, address)
  })
}

/** Sources of a contract, from a drop. */
export function droppedSources({ entries, files }: Dropped, address: Address): Promise<ChosenSources> {
  if (!entries.some(({ isDirectory }) => isDirectory)) return chosenSources(files, address)
  return explaining(async () => {
    const found = await findInEntries(entries, { isLeftOut: isInGenerated, isTaken: isSource })
    return sourcesIn(found.files, address)
  })
}

async function sourcesIn(found: readonly ChosenFile[], address: Address): Promise<ChosenSources> {
  return (await findGiven(found, address)) ?? projectSources(found)
}

/**
 * Compiles sources. If one of their contracts has the code, keeps their build for the chain, so that the page knows the
 * source from then on. What Sourcify has of another compiler's contract is kept as it is, unverified.
 *
 * @param chain - As `chainKeyOf` names it.
 * @param onFound - Called before the build is kept, and thus before the page looks for the source again.
 * @throws {CompilerError}
 */
export async function verifyBySources(
  chain: string,
  sources: ChosenSources,
  code: Hex,
  onFound: (found: FoundMatch | GivenContract) => void,
): Promise<{ readonly match?: Match; readonly isKept: boolean }> {
  if (sources.kind === 'metadata' && !isCompilable(sources)) {
    onFound(sources)
    return { isKept: await keepBuild(chain, await claim(sources, code), true) }
  }
  const compiled = sources.kind === 'metadata' ? standardJson(sources) : sources
  const match = await solidityCompiler.ask('match', { sources: compiled, code })
  if (match.outcome !== 'found') return { match, isKept: false }
  onFound(match)
  return { match, isKept: await keepBuild(chain, match.build, true) }
}

function standardJson(contract: GivenContract): MatchRequest['sources'] {
  return { kind: 'standard JSON', file: inputFile(contract) }
}

async function unzipped(file: File): Promise<readonly ChosenFile[]> {
  const { unzipFiles } = await import('#ui/screens/contracts/project/archive.ts')
  return (await unzipFiles(file, isSource, MAX_SOURCE_FILES)).files
}

async function projectSources(found: readonly ChosenFile[]): Promise<ChosenSources> {
  const root = projectRoot(found.map(({ path }) => path))
  const inside = found.filter(({ path }) => path.startsWith(root))
  const all = new Map(inside.map(({ path, file }) => [path.slice(root.length), file]))
  const files = Object.fromEntries([...all].filter(([path]) => path.endsWith('.sol')))
  const paths = [...all.keys()]
  const count = Object.keys(files).length
  if (count === 0) throw new ProjectError('it has no Solidity file (.sol)')
  if (count > MAX_SOURCE_FILES) throw new ProjectError(`it has ${count} Solidity files, more than ${MAX_SOURCE_FILES}`)
  const textOf = async (path: string) => {
    const file = all.get(path)
    if (file && file.size > MAX_SETTINGS_BYTES)
      throw new ProjectError(`${path} has more than ${MAX_SETTINGS_BYTES} bytes`)
    return (await file?.text()) ?? ''
  }
  const settings = paths.filter((path) => isConfigName(path) || path === 'package.json')
  const config = readConfig(await byPath(settings, textOf))
  const own = readOwn(all.has(PROJECT_FILE) ? await textOf(PROJECT_FILE) : undefined)
  return {
    kind: 'project',
    files,
    remappings: (await remappingsOf(paths, config, textOf)).map(remappingText).join('\n'),
    roots: rootsOf(paths, config),
    settings: own.settings ?? settingsOf(config),
  }
}

async function explaining(find: () => Promise<ChosenSources>): Promise<ChosenSources> {
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof ProjectError) && !(error instanceof DOMException)) throw error
    throw new ExplainedError(`This cannot be compiled: ${error.message}.`, WHAT_TO_CHOOSE, { cause: error })
  }
}
