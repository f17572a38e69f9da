import { solidityCompiler } from '#client/solidity-compiler.ts'
import type { Match, MatchRequest } from '#compiler/messages.ts'
import { REMAPPINGS_FILE } from '#compiler/resolve-import.ts'
import type { Hex } from '#primitives/hex.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import type { Dropped } from '#ui/screens/contracts/files/use-file-drop.ts'
import {
  commonRoot,
  isGenerated,
  PROJECT_FILE,
  readFoundryConfig,
  readOwn,
} from '#ui/screens/contracts/project/found-files.ts'
import { isArchive } from '#ui/screens/contracts/project/import-project.ts'
import { keepBuild } from '#ui/screens/contracts/project/keep-build.ts'
import { type ChosenFile, chosenFiles, findInEntries } from '#ui/screens/contracts/project/read-folder.ts'
import { ProjectError } from '#ui/screens/contracts/project/read-project.ts'

/** Most files of a project, libraries included. */
export const MAX_SOURCE_FILES = 5_000
/** Longest file with settings or remappings, in bytes. */
const MAX_SETTINGS_BYTES = 1 << 20

/** What to do if something else was chosen. */
export const WHAT_TO_CHOOSE =
  'Choose the folder of the whole project, a zip file of it, or the compiler’s standard JSON input.'

/** Sources that a person chose to verify a contract by. */
export type ChosenSources = MatchRequest['sources']

/** A contract that has the code. */
export type FoundMatch = Extract<Match, { outcome: 'found' }>

/** Whether a file is a source or says how to compile them. Unlike in the editor, all of `lib/` counts. */
function isSource(path: string): boolean {
  const names = path.split('/')
  const file = names.pop() ?? ''
  if (names.some(isGenerated)) return false
  return file.endsWith('.sol') || file === 'foundry.toml' || file === REMAPPINGS_FILE || file === PROJECT_FILE
}

/**
 * The sources among the files that a person chose: the compiler's standard JSON input, a zip file, or a project's folder.
 * Sources are not read yet, only the files with settings.
 *
 * @throws {ExplainedError} If there are none, or too many.
 */
export function chosenSources(files: readonly File[]): Promise<ChosenSources> {
  return explaining(async () => {
    const [only] = files
    if (only && files.length === 1 && /\.json$/i.test(only.name)) return { kind: 'standard JSON', file: only }
    if (only && files.length === 1 && isArchive(only)) return projectSources(await unzipped(only))
    return projectSources(chosenFiles(files).filter(({ path }) => isSource(path)))
  })
}

/** The same, from a drop. */
export function droppedSources({ entries, files }: Dropped): Promise<ChosenSources> {
  if (!entries.some(({ isDirectory }) => isDirectory)) return chosenSources(files)
  return explaining(async () => {
    const isLeftOut = (folder: string) => isGenerated(folder.slice(folder.lastIndexOf('/') + 1))
    return projectSources((await findInEntries(entries, { isLeftOut, isTaken: isSource })).files)
  })
}

/**
 * Compiles sources. If one of their contracts has the code, keeps their build for the chain, so that the page knows the
 * source from then on.
 *
 * @param chain - As `chainKeyOf` names it.
 * @param onFound - Called before the build is kept, and thus before the page looks for the source again.
 * @throws {CompilerError}
 */
export async function verifyBySources(
  chain: string,
  sources: ChosenSources,
  code: Hex,
  onFound: (found: FoundMatch) => void,
): Promise<{ readonly match: Match; readonly isKept: boolean }> {
  const match = await solidityCompiler.match({ sources, code })
  if (match.outcome !== 'found') return { match, isKept: false }
  onFound(match)
  return { match, isKept: await keepBuild(chain, match.build, true) }
}

async function unzipped(file: File): Promise<readonly ChosenFile[]> {
  const { unzipFiles } = await import('#ui/screens/contracts/project/archive.ts')
  const { files } = await unzipFiles(file, isSource, MAX_SOURCE_FILES)
  return files.map(({ path, text }) => ({ path, file: new Blob([text]) }))
}

async function projectSources(found: readonly ChosenFile[]): Promise<ChosenSources> {
  const root = commonRoot(found.map(({ path }) => path))
  const all = new Map(found.map(({ path, file }) => [path.slice(root.length), file]))
  const files = Object.fromEntries([...all].filter(([path]) => path.endsWith('.sol')))
  const count = Object.keys(files).length
  if (count === 0) throw new ProjectError('it has no Solidity file (.sol)')
  if (count > MAX_SOURCE_FILES) throw new ProjectError(`it has ${count} Solidity files, more than ${MAX_SOURCE_FILES}`)
  const textOf = async (path: string) => {
    const file = all.get(path)
    if (file && file.size > MAX_SETTINGS_BYTES)
      throw new ProjectError(`${path} has more than ${MAX_SETTINGS_BYTES} bytes`)
    return file?.text()
  }
  const config = readFoundryConfig((await textOf('foundry.toml')) ?? '')
  const own = readOwn(await textOf(PROJECT_FILE))
  return {
    kind: 'project',
    files,
    remappings: (await textOf(REMAPPINGS_FILE)) ?? config.remappings.join('\n'),
    settings: own.settings ?? config.settings,
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
