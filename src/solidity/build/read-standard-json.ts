import { isObject, type JsonObject } from '#primitives/json-object.ts'
import { keccakOfText } from '#solidity/keccak.ts'
import type { Build, BuildContract, BuildSettings, BuildSource, Claim } from './build.ts'
import { enumsIn, withEnumNames } from './enum-names.ts'
import { BuildError, countAt, entriesAt, isCount, objectAt, optionalText } from './json.ts'
import { readAbi } from './read-abi.ts'
import { readCode } from './read-code.ts'

/** Most files of one compilation. */
export const SOURCE_LIMIT = 20_000
/** Most contracts of one compilation. */
export const CONTRACT_LIMIT = 50_000
/** Longest source, in characters. */
export const CONTENT_LIMIT = 16 << 20

export interface StandardJson {
  /** Without it the texts of the sources are unknown. */
  readonly input?: unknown
  readonly output: unknown
  /** Version of the compiler; by default that in the metadata. */
  readonly compiler?: string | undefined
  /** By default derived from the code. */
  readonly id?: string | undefined
  /** If the page itself wrote the output. A file or a server cannot say so. */
  readonly claimed?: Claim | undefined
}

/**
 * Reads the compiler's standard JSON.
 *
 * @throws {BuildError} If it is malformed or too large. Errors that the compiler reported are not a reason to throw; what it
 * left out is then missing.
 * @see {@link https://docs.soliditylang.org/en/latest/using-the-compiler.html#compiler-api | Compiler input and output}
 */
export function readStandardJson({ input, output, compiler, id, claimed }: StandardJson): Build {
  const { sources, contracts } = objectAt(output, 'output')
  const given = isObject(input) ? input : {}
  const read = readContracts(contracts)
  const files = readSources(sources, given['sources'])
  const enums = enumsIn(files.map(({ ast }) => ast))
  return {
    id: id ?? buildId(read),
    compiler: compiler ?? compilerOf(contracts) ?? '',
    language: optionalText(given['language']) ?? 'Solidity',
    settings: readSettings(given['settings']),
    sources: files,
    contracts: read.map((contract) => ({ ...contract, abi: withEnumNames(contract.abi, enums) })),
    ...(claimed && { claimed }),
  }
}

/** An id that depends only on the contracts' code. */
export function buildId(contracts: readonly BuildContract[]): string {
  const parts = contracts.map(({ path, name, creation, deployed }) => {
    const ends = (deployed ?? creation)?.bytes.subarray(-64) ?? []
    return `${path}:${name}:${Array.from(ends).join()}`
  })
  return keccakOfText(parts.join('\n')).slice(2, 34)
}

/** Settings of standard JSON that code or metadata depend on, apart from addresses of libraries. */
const DECISIVE = ['remappings', 'optimizer', 'evmVersion', 'viaIR', 'metadata', 'debug'] as const

/** @param value - `settings` of standard JSON, or those in metadata, which are nearly the same. */
export function readSettings(value: unknown): BuildSettings {
  const settings = isObject(value) ? value : {}
  const optimizer: JsonObject = isObject(settings['optimizer']) ? settings['optimizer'] : {}
  return {
    // Without settings, assume the worst: places in optimised code are not trusted.
    optimizer: !isObject(value) || optimizer['enabled'] === true || isObject(optimizer['details']),
    runs: isCount(optimizer['runs']) ? optimizer['runs'] : 200,
    viaIR: settings['viaIR'] === true,
    evmVersion: optionalText(settings['evmVersion']),
    given: isObject(value)
      ? Object.fromEntries(DECISIVE.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]])))
      : undefined,
  }
}

function readSources(output: unknown, input: unknown): BuildSource[] {
  const contents = new Map<string, string>()
  for (const [path, source] of entriesAt(input, 'input.sources', SOURCE_LIMIT)) {
    const content = isObject(source) ? optionalText(source['content']) : undefined
    if (content !== undefined) contents.set(path, readContent(content, path))
  }
  return entriesAt(output, 'output.sources', SOURCE_LIMIT).map(([path, value]) => {
    const source = objectAt(value, `output.sources[${path}]`)
    return {
      id: countAt(source['id'], `output.sources[${path}].id`),
      path,
      content: contents.get(path),
      ast: source['ast'] ?? undefined,
    }
  })
}

/** @throws {BuildError} If it is too long. */
export function readContent(content: string, path: string): string {
  if (content.length <= CONTENT_LIMIT) return content
  throw new BuildError(`${path} has more than ${CONTENT_LIMIT} characters`)
}

function readContracts(value: unknown): BuildContract[] {
  const contracts: BuildContract[] = []
  for (const [path, named] of entriesAt(value, 'output.contracts', SOURCE_LIMIT)) {
    for (const [name, contract] of entriesAt(named, `output.contracts[${path}]`, CONTRACT_LIMIT)) {
      if (contracts.length === CONTRACT_LIMIT) throw new BuildError(`there are more than ${CONTRACT_LIMIT} contracts`)
      contracts.push(readContract(path, name, objectAt(contract, `${path}:${name}`)))
    }
  }
  return contracts
}

function readContract(path: string, name: string, contract: JsonObject): BuildContract {
  const where = `${path}:${name}`
  const evm = isObject(contract['evm']) ? contract['evm'] : {}
  return {
    name,
    path,
    abi: readAbi(contract['abi'], `${where}.abi`),
    creation: readCode(evm['bytecode'], `${where}.bytecode`),
    deployed: readCode(evm['deployedBytecode'], `${where}.deployedBytecode`),
    storageLayout: contract['storageLayout'],
    userdoc: contract['userdoc'],
    devdoc: contract['devdoc'],
  }
}

/** The compiler's version from the first contract that has metadata. */
function compilerOf(contracts: unknown): string | undefined {
  for (const named of Object.values(isObject(contracts) ? contracts : {})) {
    for (const contract of Object.values(isObject(named) ? named : {})) {
      const metadata = isObject(contract) ? optionalText(contract['metadata']) : undefined
      const version = metadata === undefined ? undefined : /"compiler":\{"version":"([^"]{1,100})"/.exec(metadata)?.[1]
      if (version !== undefined) return version
    }
  }
  return undefined
}
