import type { BuildTexts } from '#solidity/worker/pack-build.ts'
import { consoleSource } from './console-source.ts'
import { gatherSources, type PackageSources } from './gather-sources.ts'
import type { CompileOutput, CompileRequest } from './messages.ts'
import { isOfLibrary, readConfig, remappingsOf, rootsOf } from './project/project-config.ts'
import { type Solc, versionOf } from './soljson.ts'
import { byWeight, readStandardJson, toStandardJson } from './standard-json.ts'

/** An output with its build before it is packed. */
export type Compiled = Omit<CompileOutput, 'build'> & { readonly build: BuildTexts | undefined }

/**
 * Compiles a project with all that it imports.
 *
 * @param onGathered - Called when every source is there, before the compiler runs.
 */
export async function compile(
  solc: Solc,
  { files, settings }: CompileRequest,
  origin: PackageSources,
  onGathered: () => void = () => {},
): Promise<Compiled> {
  const paths = Object.keys(files)
  const config = readConfig(files)
  const roots = rootsOf(paths, config)
  const remappings = await remappingsOf(paths, config, (path) => files[path])
  const compiled = settings.withTests ? [...roots.sources, ...roots.tests] : roots.sources
  const { sources, advice, problems } = await gatherSources(
    files,
    remappings,
    { ...origin, builtIn: consoleSource },
    compiled,
  )
  // solc would report the same problems once more, in worse words.
  if (problems.length > 0)
    return { diagnostics: problems.toSorted(byWeight), contracts: [], libraries: {}, build: undefined }
  onGathered()
  const input = toStandardJson(sources, settings, remappings)
  const output = solc.compile(input)
  const isOwn = (file: string) => Object.hasOwn(files, file) && !isOfLibrary(file, config)
  const read = readStandardJson(output, { sources, isOwn, advice })
  const failed = read.diagnostics.some(({ severity }) => severity === 'error')
  return {
    ...read,
    build: failed ? undefined : { compiler: versionOf(solc), input, output },
  }
}
