import { solidityReader } from '#client/solidity-reader.ts'
import type { FoundBuild, FoundFolder } from '#solidity/worker/read-folder.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { keepBuild } from '#ui/screens/contracts/project/keep-build.ts'
import { ProjectError } from '#ui/screens/contracts/project/read-project.ts'
import type { FindFiles } from './artifacts-dialog.ts'

/** The result of adding artifacts. */
export interface AddedArtifacts extends Omit<FoundFolder, 'builds'> {
  readonly kept: readonly FoundBuild[]
  /** Number of builds that the page has no room for. */
  readonly unkept: number
}

/**
 * Reads artifacts, and keeps their builds for a chain.
 *
 * @param tell - Called now and then with the number of files read, and of those known so far.
 * @throws {ExplainedError} If they contain no compiler output.
 * @throws {SolidityError}
 */
export async function addArtifacts(
  chain: string,
  find: FindFiles,
  tell: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<AddedArtifacts> {
  const files = await found(find)
  signal.throwIfAborted()
  const { builds, ...others } = await solidityReader.ask('read', undefined, { files }, signal, tell)
  if (builds.length === 0) throw nothing(others)
  const kept: FoundBuild[] = []
  // The largest comes first and is kept last, as the newest build is searched first.
  for (const build of builds.toReversed()) {
    signal.throwIfAborted()
    if (await keepBuild(chain, build.packed, true)) kept.unshift(build)
  }
  return { ...others, kept, unkept: others.left + builds.length - kept.length }
}

async function found(find: FindFiles) {
  try {
    return await find()
  } catch (error) {
    if (!(error instanceof ProjectError) && !(error instanceof DOMException)) throw error
    throw new ExplainedError(`This cannot be read: ${error.message}.`, 'Nothing was added.', { cause: error })
  }
}

function nothing({ refused, refusedCount, others }: Omit<FoundFolder, 'builds'>): ExplainedError {
  const [first] = refused
  if (first) {
    const more = refusedCount > 1 ? ` (and ${refusedCount - 1} more)` : ''
    return new ExplainedError(
      `No compiler output could be read. ${first.path}: ${first.reason}${more}.`,
      'Nothing was added.',
    )
  }
  return new ExplainedError(
    'There is no compiler output in it.',
    others > 0
      ? 'Its JSON files have no bytecode with source maps. Hardhat writes that into artifacts/build-info, Foundry into out.'
      : 'Choose the folder out of a Foundry project, artifacts of a Hardhat project, or the folder of the whole project.',
  )
}
