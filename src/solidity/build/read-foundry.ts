import { isObject, type JsonObject } from '#primitives/json-object.ts'
import { keccakOfText } from '#solidity/keccak.ts'
import type { Build, BuildContract, BuildSettings, BuildSource } from './build.ts'
import { BuildError, entriesAt, isCount, objectAt, optionalText } from './json.ts'
import { readAbi } from './read-abi.ts'
import { readCode } from './read-code.ts'
import { buildId, readSettings, SOURCE_LIMIT } from './read-standard-json.ts'

/** A file `out/X.sol/X.json`, before it is joined with the others of its compilation. */
export interface FoundryArtifact {
  readonly contract: BuildContract
  readonly compiler: string
  readonly language: string
  readonly settings: BuildSettings
  /** Index of its own source in the source maps of its compilation. */
  readonly sourceId: number | undefined
  readonly ast: unknown
  /** The sources that it was compiled from, with the keccak-256 of each. */
  readonly sources: ReadonlyMap<string, string | undefined>
}

/** Whether a JSON value is a Foundry artifact. */
export function isFoundryArtifact(value: unknown): boolean {
  return (
    isObject(value) && Array.isArray(value['abi']) && isObject(value['bytecode']) && isObject(value['deployedBytecode'])
  )
}

/**
 * Reads one of Foundry's artifacts.
 *
 * @param fallback - The contract's source and name, taken from the artifact's path, in case it has no metadata.
 * @throws {BuildError}
 */
export function readFoundryArtifact(value: unknown, fallback: { path: string; name: string }): FoundryArtifact {
  const artifact = objectAt(value, fallback.path)
  const metadata = metadataOf(artifact)
  const settings = isObject(metadata['settings']) ? metadata['settings'] : {}
  const [target] = Object.entries(isObject(settings['compilationTarget']) ? settings['compilationTarget'] : {})
  const path = target?.[0] ?? absolutePath(artifact['ast']) ?? fallback.path
  const name = optionalText(target?.[1]) ?? fallback.name
  const compiler = isObject(metadata['compiler']) ? optionalText(metadata['compiler']['version']) : undefined
  const sources = new Map<string, string | undefined>()
  for (const [source, details] of Object.entries(isObject(metadata['sources']) ? metadata['sources'] : {})) {
    sources.set(source, isObject(details) ? optionalText(details['keccak256']) : undefined)
  }
  const where = `${path}:${name}`
  return {
    contract: {
      name,
      path,
      abi: readAbi(artifact['abi'], `${where}.abi`),
      creation: readCode(artifact['bytecode'], `${where}.bytecode`),
      deployed: readCode(artifact['deployedBytecode'], `${where}.deployedBytecode`),
      storageLayout: artifact['storageLayout'],
      userdoc: artifact['userdoc'],
      devdoc: artifact['devdoc'],
    },
    compiler: compiler ?? '',
    language: optionalText(metadata['language']) ?? 'Solidity',
    settings: readSettings(metadata['settings']),
    sourceId: sourceIdOf(artifact),
    ast: artifact['ast'] ?? undefined,
    sources,
  }
}

/** The metadata, which is an object or, in `rawMetadata`, the compiler's JSON text. */
function metadataOf(artifact: JsonObject): JsonObject {
  if (isObject(artifact['metadata'])) return artifact['metadata']
  const raw = optionalText(artifact['rawMetadata']) ?? optionalText(artifact['metadata'])
  if (raw === undefined || raw === '') return {}
  try {
    const parsed: unknown = JSON.parse(raw)
    return isObject(parsed) ? parsed : {}
  } catch (cause) {
    throw new BuildError('the metadata is not JSON', { cause })
  }
}

function absolutePath(ast: unknown): string | undefined {
  return isObject(ast) ? optionalText(ast['absolutePath']) : undefined
}

/** The third number of the AST's `src`, or the field `id` of newer artifacts. */
function sourceIdOf({ ast, id }: JsonObject): number | undefined {
  const src = isObject(ast) ? optionalText(ast['src']) : undefined
  const last = /^\d+:\d+:(\d+)$/.exec(src ?? '')?.[1]
  if (last !== undefined) return Number(last)
  return isCount(id) ? id : undefined
}

/**
 * Joins artifacts that seem to have been compiled together: same compiler, same settings, and no index that two sources
 * claim. A source is left out if no artifact has its index, or if its text has changed since.
 *
 * @param contentOf - Text of a source of the project.
 * @param compilations - Sources by index, from each build-info. They include sources without an artifact, such as those
 *   with only free functions.
 */
export function joinFoundryArtifacts(
  artifacts: readonly FoundryArtifact[],
  contentOf: (path: string) => string | undefined,
  compilations: readonly ReadonlyMap<number, string>[] = [],
): Build[] {
  const groups: FoundryArtifact[][] = []
  const indices: { paths: Map<number, string>; ids: Map<string, number>; key: string }[] = []
  for (const artifact of artifacts) {
    const { compiler, language, settings, sourceId, contract } = artifact
    const key = JSON.stringify([compiler, language, settings])
    const fits = indices.findIndex(
      ({ paths, ids, key: other }) =>
        key === other &&
        (sourceId === undefined ||
          ((paths.get(sourceId) ?? contract.path) === contract.path &&
            (ids.get(contract.path) ?? sourceId) === sourceId)),
    )
    const at = fits < 0 ? groups.length : fits
    const group = (groups[at] ??= [])
    const index = (indices[at] ??= { paths: new Map(), ids: new Map(), key })
    group.push(artifact)
    if (sourceId === undefined) continue
    index.paths.set(sourceId, contract.path)
    index.ids.set(contract.path, sourceId)
  }
  return groups.map((group) => joined(group, contentOf, compilations))
}

function joined(
  group: readonly FoundryArtifact[],
  contentOf: (path: string) => string | undefined,
  compilations: readonly ReadonlyMap<number, string>[],
): Build {
  const hashes = new Map<string, string | undefined>()
  const sources = new Map<number, BuildSource>()
  for (const { sources: hashed } of group) for (const [path, hash] of hashed) hashes.set(path, hash ?? hashes.get(path))
  for (const { sourceId, contract, ast } of group) {
    if (sourceId === undefined) continue
    const known = sources.get(sourceId)
    if (known && (known.ast !== undefined || ast === undefined)) continue
    const content = known?.content ?? verified(contentOf(contract.path), hashes.get(contract.path))
    sources.set(sourceId, { id: sourceId, path: contract.path, content, ast })
  }
  for (const [id, path] of othersOf(group, compilations)) {
    if (sources.has(id)) continue
    sources.set(id, { id, path, content: verified(contentOf(path), hashes.get(path)), ast: undefined })
  }
  const contracts = group.map(({ contract }) => contract)
  const [{ compiler, language, settings } = { compiler: '', language: 'Solidity', settings: readSettings(undefined) }] =
    group
  return { id: buildId(contracts), compiler, language, settings, sources: [...sources.values()], contracts }
}

/** Sources on which all compilations agree that the artifacts may come from. */
function othersOf(
  group: readonly FoundryArtifact[],
  compilations: readonly ReadonlyMap<number, string>[],
): ReadonlyMap<number, string> {
  const possible = compilations.filter((paths) =>
    group.every(({ sourceId, contract }) => sourceId === undefined || paths.get(sourceId) === contract.path),
  )
  const agreed = new Map(possible[0])
  for (const paths of possible) for (const [id, path] of agreed) if (paths.get(id) !== path) agreed.delete(id)
  return agreed
}

/** Reads `source_id_to_path` of a build-info without compiler output; `undefined` if it has none. */
export function readSourceIds(value: unknown): ReadonlyMap<number, string> | undefined {
  if (!isObject(value) || !isObject(value['source_id_to_path'])) return undefined
  const paths = new Map<number, string>()
  for (const [id, path] of entriesAt(value['source_id_to_path'], 'source_id_to_path', SOURCE_LIMIT)) {
    if (/^\d{1,9}$/.test(id) && typeof path === 'string') paths.set(Number(id), path)
  }
  return paths
}

/** A source that has changed since it was compiled counts as missing: its lines would be wrong. */
function verified(content: string | undefined, hash: string | undefined): string | undefined {
  return content === undefined || hash === undefined || keccakOfText(content) === hash ? content : undefined
}
