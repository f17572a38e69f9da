import { isObject, type JsonObject } from '#primitives/json-object.ts'
import type { AbiEntry } from './build.ts'
import { BuildError, entriesAt, objectAt, optionalText, textAt } from './json.ts'
import { readAbi } from './read-abi.ts'
import { SOURCE_LIMIT } from './read-standard-json.ts'

/** What a compiler's metadata says of a contract. The deployed code names it by its hash. */
export interface ContractMetadata {
  readonly name: string
  /** Path of its source. */
  readonly path: string
  /** `0.8.30+commit.73712a01`. */
  readonly compiler: string
  readonly language: string
  /** As standard JSON input has them. */
  readonly settings: JsonObject
  readonly abi: readonly AbiEntry[]
  readonly sources: readonly NamedSource[]
}

/** A source, by its path and the hash of its text. */
export interface NamedSource {
  readonly path: string
  /** keccak-256; `undefined` if whoever gave the text is trusted with it. */
  readonly hash: string | undefined
  /** `undefined` if it is not part of the metadata. */
  readonly content: string | undefined
}

/** Whether a value seems to be a compiler's metadata. */
export function isMetadata(value: unknown): value is JsonObject {
  return isObject(value) && isObject(value['output']) && isObject(value['compiler']) && isObject(value['sources'])
}

/**
 * Reads a compiler's metadata, as Sourcify keeps it in `metadata.json`.
 *
 * @throws {BuildError} If it is malformed.
 * @see {@link https://docs.soliditylang.org/en/latest/metadata.html | Contract metadata}
 */
export function readMetadata(value: JsonObject): ContractMetadata {
  const { compilationTarget, libraries, ...settings } = objectAt(value['settings'], 'settings')
  const [target, ...others] = entriesAt(compilationTarget, 'settings.compilationTarget', SOURCE_LIMIT)
  if (!target || others.length > 0) throw new BuildError('settings.compilationTarget does not name one contract')
  const [path, name] = target
  return {
    name: textAt(name, 'the name of the contract'),
    path,
    compiler: textAt(objectAt(value['compiler'], 'compiler')['version'], 'compiler.version'),
    language: optionalText(value['language']) ?? 'Solidity',
    settings: { ...settings, ...(libraries !== undefined && { libraries: readLibraries(libraries) }) },
    abi: readAbi(objectAt(value['output'], 'output')['abi'], 'output.abi'),
    sources: entriesAt(value['sources'], 'sources', SOURCE_LIMIT).map(([each, source]) => {
      const { keccak256: hash, content } = objectAt(source, `sources[${each}]`)
      return { path: each, hash: textAt(hash, `sources[${each}].keccak256`), content: optionalText(content) }
    }),
  }
}

/** Metadata has `path:Name`, where standard JSON has the names of each path. */
function readLibraries(value: unknown): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const libraries = new Map<string, Record<string, string>>()
  for (const [qualified, address] of entriesAt(value, 'settings.libraries', SOURCE_LIMIT)) {
    const end = qualified.lastIndexOf(':')
    const path = qualified.slice(0, Math.max(end, 0))
    const named = libraries.get(path) ?? {}
    named[qualified.slice(end + 1)] = textAt(address, `settings.libraries[${qualified}]`)
    libraries.set(path, named)
  }
  return Object.fromEntries(libraries)
}

/** Whether a value seems to be an answer of Sourcify's API, version 2, with the compiler's input. */
export function isSourcifyAnswer(value: unknown): value is JsonObject {
  return isObject(value) && isObject(value['compilation']) && isObject(value['stdJsonInput'])
}

/**
 * Reads an answer of Sourcify's API: `GET /v2/contract/{chainId}/{address}?fields=abi,compilation,stdJsonInput`.
 *
 * @throws {BuildError} If it is malformed.
 * @see {@link https://docs.sourcify.dev/docs/api/ | Sourcify's API}
 */
export function readSourcifyAnswer(value: JsonObject): ContractMetadata {
  const compilation = objectAt(value['compilation'], 'compilation')
  const input = objectAt(value['stdJsonInput'], 'stdJsonInput')
  const qualified = textAt(compilation['fullyQualifiedName'], 'compilation.fullyQualifiedName')
  const end = qualified.lastIndexOf(':')
  if (end <= 0) throw new BuildError('compilation.fullyQualifiedName names no contract')
  return {
    name: qualified.slice(end + 1),
    path: qualified.slice(0, end),
    compiler: textAt(compilation['compilerVersion'], 'compilation.compilerVersion').replace(/^v/, ''),
    language: optionalText(compilation['language']) ?? 'Solidity',
    settings: isObject(input['settings']) ? input['settings'] : {},
    abi: readAbi(value['abi'], 'abi'),
    sources: entriesAt(input['sources'], 'stdJsonInput.sources', SOURCE_LIMIT).map(([path, source]) => ({
      path,
      hash: undefined,
      content: optionalText(objectAt(source, `stdJsonInput.sources[${path}]`)['content']),
    })),
  }
}

/**
 * The sources whose texts are known, by path: those that have the hash that the metadata names, and all without a hash.
 *
 * @param byHash - Texts by the keccak-256 of their UTF-8 bytes.
 */
export function sourcesOf(
  { sources }: ContractMetadata,
  byHash: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map(
    sources.flatMap(({ path, hash, content }): [string, string][] => {
      const text = hash === undefined ? content : byHash.get(hash)
      return text === undefined ? [] : [[path, text]]
    }),
  )
}

/** The compiler's standard JSON input that the metadata stands for. */
export function inputOf({ language, settings }: ContractMetadata, sources: ReadonlyMap<string, string>): object {
  const written = [...sources].map(([path, content]) => [path, { content }] as const)
  return { language, settings, sources: Object.fromEntries(written) }
}

/** The compiler's output of a contract that nobody compiled here: its ABI beside the code of the chain. */
export function claimedOutput(
  { path, name, abi }: ContractMetadata,
  sources: ReadonlyMap<string, string>,
  code: string,
): object {
  return {
    sources: Object.fromEntries([...sources.keys()].map((each, id) => [each, { id }])),
    contracts: { [path]: { [name]: { abi, evm: { deployedBytecode: { object: code.replace(/^0x/, '') } } } } },
  }
}
