import type { Abi } from 'viem'
import { type EnumsByName, enumsIn, withEnumNames } from '#solidity/build/enum-names.ts'
import type { CompiledContract, CompileOutput, CompilerSettings, Diagnostic, Files } from './messages.ts'
import { placeIn } from './place.ts'
import { type Remapping, remappingText } from './project/resolve-import.ts'
import { utf16Offsets } from './utf16-offsets.ts'

/** @see {@link https://docs.soliditylang.org/en/latest/using-the-compiler.html#compiler-api | Compiler input and output} */
interface StandardOutput {
  readonly errors?: readonly {
    readonly severity: Diagnostic['severity']
    readonly message: string
    readonly errorCode?: string
    /** Offsets in bytes of UTF-8; negative where there is no place. */
    readonly sourceLocation?: { readonly file: string; readonly start: number; readonly end: number }
  }[]
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, StandardContract>>>>
  readonly sources?: Readonly<Record<string, { readonly ast?: unknown }>>
}

interface StandardContract {
  readonly abi: Abi
  readonly evm: {
    readonly bytecode: {
      readonly object: string
      readonly linkReferences: Readonly<Record<string, Readonly<Record<string, readonly { readonly start: number }[]>>>>
    }
    readonly deployedBytecode: { readonly object: string }
  }
}

const CODE = ['object', 'sourceMap', 'linkReferences', 'generatedSources', 'functionDebugData']

/** What the page and a debugger need of each contract. */
const OUTPUTS = [
  'abi',
  'metadata',
  'storageLayout',
  ...CODE.map((part) => `evm.bytecode.${part}`),
  ...[...CODE, 'immutableReferences'].map((part) => `evm.deployedBytecode.${part}`),
]

/** The compiler's input for a project. */
export function toStandardJson(sources: Files, settings: CompilerSettings, remappings: readonly Remapping[]): string {
  return inputWith(sources, {
    remappings: remappings.map(remappingText),
    optimizer: { enabled: settings.optimizer, runs: settings.runs },
    evmVersion: settings.evmVersion,
    viaIR: settings.viaIR,
    ...(settings.metadata && { metadata: settings.metadata }),
  })
}

/**
 * The compiler's input with given settings.
 *
 * @param settings - In the form of standard JSON. The selection of outputs is replaced by what the page needs.
 */
export function inputWith(sources: Files, settings: object): string {
  return JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings: { ...settings, outputSelection: { '*': { '*': OUTPUTS, '': ['ast'] } } },
  })
}

/** What is known about the sources besides the compiler's output. */
export interface SourceKnowledge {
  readonly sources: Files
  readonly isOwn: (file: string) => boolean
  /** About sources that are not there, by their names. */
  readonly advice: ReadonlyMap<string, string>
}

/** What to do about errors of the compiler, by their numbers, if the page knows more than solc. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  [
    '5333',
    'The page has this compiler alone. Change the pragma if the source also compiles with it; otherwise compile with Foundry or Hardhat, and give the page what they write: “Add artifacts…”.',
  ],
])

/** Reads the compiler's output. */
export function readStandardJson(
  json: string,
  { sources, isOwn, advice }: SourceKnowledge,
): Omit<CompileOutput, 'build'> {
  const { errors = [], contracts = {}, sources: compiled = {} } = JSON.parse(json) as StandardOutput
  const offsets = new Map<string, (byteOffset: number) => number>()
  const placeOf = (file: string, start: number, end: number) => {
    const text = sources[file]
    if (text === undefined || start < 0) return undefined
    const toUtf16 = offsets.get(file) ?? utf16Offsets(text)
    offsets.set(file, toUtf16)
    return placeIn(file, text, toUtf16(start), toUtf16(end))
  }
  const diagnostics = errors.map(
    ({ severity, message, errorCode, sourceLocation }): Diagnostic => ({
      severity,
      message,
      code: errorCode,
      place: sourceLocation && placeOf(sourceLocation.file, sourceLocation.start, sourceLocation.end),
      advice: advice.get(/^Source "(.*?)" not found/.exec(message)?.[1] ?? '') ?? ADVICE.get(errorCode ?? ''),
    }),
  )
  const named = diagnostics.flatMap(({ place }) => (place && !isOwn(place.file) ? [place.file] : []))
  const failed = diagnostics.some(({ severity }) => severity === 'error')
  const enums = enumsIn(Object.values(compiled).map(({ ast }) => ast))
  const files = Object.keys(contracts).toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
  return {
    // Nobody can fix a library's warnings here; Hardhat and Foundry leave them out, too.
    diagnostics: diagnostics
      .filter(({ severity, place }) => severity === 'error' || !place || isOwn(place.file))
      .toSorted(byWeight),
    libraries: Object.fromEntries(named.map((file) => [file, sources[file] ?? ''])),
    contracts: failed
      ? []
      : files.flatMap((file) =>
          inOrderOf(
            sources[file] ?? '',
            Object.entries(contracts[file] ?? {}).map(([name, contract]) =>
              readContract(file, name, isOwn(file), contract, enums),
            ),
          ),
        ),
  }
}

const WEIGHTS: Readonly<Record<Diagnostic['severity'], number>> = { error: 0, warning: 1, info: 2 }

/** Errors first, then by file and place. */
export function byWeight(a: Diagnostic, b: Diagnostic): number {
  return (
    WEIGHTS[a.severity] - WEIGHTS[b.severity] ||
    (a.place?.file ?? '').localeCompare(b.place?.file ?? '') ||
    (a.place?.from ?? 0) - (b.place?.from ?? 0)
  )
}

function readContract(
  file: string,
  name: string,
  isOwn: boolean,
  { abi, evm }: StandardContract,
  enums: EnumsByName,
): CompiledContract {
  const { object, linkReferences } = evm.bytecode
  const links = Object.entries(linkReferences).flatMap(([library, places]) =>
    Object.entries(places).map(([each, at]) => ({ file: library, name: each, offsets: at.map(({ start }) => start) })),
  )
  return {
    file,
    name,
    isOwn,
    abi: withEnumNames(abi, enums),
    // The compiler writes `__$…$__` where an address goes.
    bytecode: object === '' ? undefined : `0x${object.replaceAll(/__.{38}/g, '0'.repeat(40))}`,
    links,
    codeBytes: evm.deployedBytecode.object.length / 2,
  }
}

/** In the order of the source; solc sorts them by name. */
function inOrderOf(source: string, contracts: readonly CompiledContract[]): readonly CompiledContract[] {
  const placeOf = (name: string) =>
    source.search(new RegExp(`\\b(contract|interface|library)\\s+${name.replaceAll('$', '\\$')}(?![\\w$])`))
  const places = new Map(contracts.map(({ name }) => [name, placeOf(name)]))
  return contracts.toSorted((a, b) => (places.get(a.name) ?? 0) - (places.get(b.name) ?? 0))
}
