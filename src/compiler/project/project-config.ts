import { FOUNDRY_FILE, isHardhatName } from './config-names.ts'
import { inferRemappings, remappingsOfLibraries } from './infer-remappings.ts'
import { type Literal, literalOf } from './literals.ts'
import { parseRemappings, REMAPPINGS_FILE, type Remapping } from './resolve-import.ts'
import { readToml, type TomlValue } from './toml.ts'

/** What a tool's settings say of the compiler, with the tool's defaults; `undefined` where the compiler decides. */
export interface ToolSettings {
  readonly optimizer: boolean
  readonly runs: number | undefined
  readonly evmVersion: string | undefined
  readonly viaIR: boolean
  /** Not checked. */
  readonly metadata: { readonly bytecodeHash?: string | undefined; readonly appendCBOR?: boolean | undefined }
}

/** What the files of Foundry or Hardhat say of a project. */
export interface ProjectConfig {
  /** `undefined` without a file of settings: then the page's own defaults count. */
  readonly tool: 'Foundry' | 'Hardhat' | undefined
  readonly settings: ToolSettings | undefined
  /** Version of solc that the project asks for. */
  readonly compiler: string | undefined
  /** The folder of its sources; `undefined` if nothing says. */
  readonly sources: string | undefined
  /** Folders of tests and scripts. */
  readonly tests: readonly string[]
  /** Folders of libraries. */
  readonly libs: readonly string[]
  /** Sources that are compiled only if others import them, as patterns with `*`. */
  readonly skip: readonly string[]
  readonly remappings: readonly string[]
  /** Whether remappings for the libraries are inferred. */
  readonly infersRemappings: boolean
}

const TEST_FOLDERS = ['test', 'tests', 'script', 'scripts', 'certora', 'echidna', 'fv', 'fuzz', 'invariants']
const LIBRARY_FOLDERS = ['lib', 'node_modules']

const NOTHING: ProjectConfig = {
  tool: undefined,
  settings: undefined,
  compiler: undefined,
  sources: undefined,
  tests: TEST_FOLDERS,
  libs: LIBRARY_FOLDERS,
  skip: [],
  remappings: [],
  infersRemappings: true,
}

/**
 * Reads the settings of Foundry, or else of Hardhat.
 *
 * @param files - Texts of the project's files, by path; at least those with settings, and `package.json`.
 * @param profile - Of Foundry.
 */
export function readConfig(files: Readonly<Record<string, string>>, profile = 'default'): ProjectConfig {
  const toml = Object.hasOwn(files, FOUNDRY_FILE) ? files[FOUNDRY_FILE] : undefined
  if (toml !== undefined) return readFoundry(toml, profile)
  const hardhat = Object.keys(files).find(isHardhatName)
  return hardhat === undefined ? NOTHING : readHardhat(files[hardhat] ?? '', files['package.json'] ?? '')
}

function readFoundry(toml: string, profile: string): ProjectConfig {
  const tables = readToml(toml)
  const chosen = new Map<string, TomlValue>()
  for (const name of ['default', 'profile.default', `profile.${profile}`]) {
    // A key means the same in both ways to write it.
    for (const [key, value] of tables.get(name) ?? []) chosen.set(key.replaceAll('-', '_'), value)
  }
  const textAt = (key: string) => asText(chosen.get(key))
  const textsAt = (key: string) => textsOf(chosen.get(key))
  const flagAt = (key: string) => flagOf(chosen.get(key))
  const runs = numberOf(chosen.get('optimizer_runs'))
  const [test, script] = [textAt('test') ?? 'test', textAt('script') ?? 'script']
  return {
    tool: 'Foundry',
    settings: {
      // Off since forge 1.0, but on if only its runs are given.
      optimizer: flagAt('optimizer') ?? (runs !== undefined && runs > 0),
      runs,
      evmVersion: textAt('evm_version')?.toLowerCase(),
      viaIR: flagAt('via_ir') ?? false,
      metadata: { bytecodeHash: textAt('bytecode_hash'), appendCBOR: flagAt('cbor_metadata') },
    },
    compiler: versionIn(textAt('solc') ?? textAt('solc_version')),
    sources: folderOf(textAt('src')),
    tests: [...TEST_FOLDERS, ...[test, script].flatMap((folder) => folderOf(folder) ?? [])],
    libs: [...new Set([...(textsAt('libs') ?? ['lib']).flatMap((lib) => folderOf(lib) ?? []), ...LIBRARY_FOLDERS])],
    skip: textsAt('skip') ?? [],
    remappings: textsAt('remappings') ?? [],
    infersRemappings: flagAt('auto_detect_remappings') ?? true,
  }
}

function readHardhat(script: string, packageJson: string): ProjectConfig {
  const compilers = compilersOf(literalOf(script, 'solidity'))
  const [{ version, settings } = {}] = compilers
  const optimizer = fieldsOf(fieldsOf(settings)['optimizer'])
  const runs = numberOf(optimizer['runs'])
  const evmVersion = asText(fieldsOf(settings)['evmVersion'])
  const metadata = fieldsOf(fieldsOf(settings)['metadata'])
  const wanted = versionIn(asText(version))
  return {
    ...NOTHING,
    tool: 'Hardhat',
    settings: {
      optimizer: flagOf(optimizer['enabled']) ?? false,
      runs,
      evmVersion: evmVersion ?? (isHardhat3(script, packageJson) ? undefined : defaultOfHardhat2(wanted)),
      viaIR: flagOf(fieldsOf(settings)['viaIR']) ?? false,
      metadata: { bytecodeHash: asText(metadata['bytecodeHash']), appendCBOR: flagOf(metadata['appendCBOR']) },
    },
    compiler: wanted,
    sources: folderOf(asText(fieldsOf(literalOf(script, 'paths'))['sources'])) ?? 'contracts',
  }
}

/** The compilers that Hardhat's settings name, in their order: a version, one of a list, or those of the default profile. */
function compilersOf(solidity: Literal): readonly { readonly version?: Literal; readonly settings?: Literal }[] {
  if (typeof solidity === 'string') return [{ version: solidity }]
  if (Array.isArray(solidity)) return solidity.flatMap(compilersOf)
  const { profiles, compilers, version, settings } = fieldsOf(solidity)
  if (profiles !== undefined) return compilersOf(fieldsOf(profiles)['default'])
  if (compilers !== undefined) return compilersOf(compilers)
  return [{ version, settings }]
}

/** Whether it is of Hardhat 3, by the package, or else by a function that only its settings use. */
function isHardhat3(script: string, packageJson: string): boolean {
  const version = /"hardhat"\s{0,20}:\s{0,20}"[^\d"]{0,20}(\d+)/.exec(packageJson)?.[1]
  return version === undefined ? script.includes('defineConfig') : Number(version) >= 3
}

/** Hardhat 2 compiles for `paris` from solc 0.8.20 on. */
function defaultOfHardhat2(version: string | undefined): string | undefined {
  const [, minor = 0, patch = 0] = (version ?? '').split('.').map(Number)
  return minor > 8 || (minor === 8 && patch >= 20) ? 'paris' : undefined
}

/** Which sources of a project a compilation begins with. */
export interface Roots {
  /** Folders of contracts. */
  readonly sources: readonly string[]
  /** Folders of tests and scripts, which are compiled on request. */
  readonly tests: readonly string[]
}

/**
 * A project's own sources. If its settings name a folder that has some, or there is a folder that tools use, those in it are
 * its contracts.
 *
 * @param paths - Of all files.
 */
export function rootsOf(paths: readonly string[], config: ProjectConfig): Roots {
  const own = paths.filter((path) => path.endsWith('.sol') && !isOfLibrary(path, config))
  const folder = sourceFolder(own, config)
  const isSkipped = skipped(config.skip)
  const isTest = (path: string) =>
    /\.[ts]\.sol$/.test(path) ||
    (folder !== undefined && !path.startsWith(`${folder}/`)) ||
    isInTests(path, folder, config)
  const sources = own.filter((path) => !isTest(path) && !isSkipped(path))
  const tests = own.filter((path) => isTest(path) && !isSkipped(path))
  return sources.length > 0 ? { sources, tests } : { sources: tests, tests: [] }
}

/** Whether a file is of a library. */
export function isOfLibrary(path: string, { libs, sources }: ProjectConfig): boolean {
  return libs.some((lib) => path.startsWith(`${lib}/`)) && (sources === undefined || !path.startsWith(`${sources}/`))
}

/** The folder that has the contracts; `undefined` if all that is no test counts. */
function sourceFolder(own: readonly string[], { tool, sources }: ProjectConfig): string | undefined {
  if (tool === undefined) return undefined
  const folders = sources === undefined ? ['src', 'contracts'] : [sources]
  return folders.find((folder) => own.some((path) => path.startsWith(`${folder}/`)))
}

function isInTests(path: string, folder: string | undefined, { tests }: ProjectConfig): boolean {
  // Within the contracts' folder only tests are set apart: a folder `scripts` there may be part of the product.
  const names = path.split('/').slice(0, -1)
  const inside = folder === undefined ? names : names.slice(folder.split('/').length)
  if (inside.some((name) => name === 'test' || name === 'tests')) return true
  return folder === undefined && tests.some((each) => path.startsWith(`${each}/`))
}

/** Foundry's `skip`: `test` and `script` mean the files of that kind, anything else is a pattern for paths. */
function skipped(patterns: readonly string[]): (path: string) => boolean {
  const parts = patterns.slice(0, MAX_PATTERNS).map((pattern) => {
    if (pattern === 'test' || pattern === 'tests') return ['*.t.sol']
    if (pattern === 'script' || pattern === 'scripts') return ['*.s.sol']
    return pattern.includes('*') ? [pattern, `./${pattern}`.replace(/^\.\/\.\//, './')] : [`*${pattern}*`]
  })
  const all = parts.flat().map((pattern) => pattern.slice(0, MAX_PATTERN_CHARACTERS).split(/\*+/))
  return (path) => all.some((pieces) => fits(path, pieces) || fits(`./${path}`, pieces))
}

const MAX_PATTERNS = 200
const MAX_PATTERN_CHARACTERS = 200

/** Whether a path consists of the pieces, with anything between them. Not by a regular expression, which may take long. */
function fits(path: string, pieces: readonly string[]): boolean {
  const [first = '', ...others] = pieces
  if (others.length === 0) return path === first
  const last = others.at(-1) ?? ''
  if (!path.startsWith(first) || !path.endsWith(last)) return false
  let at = first.length
  for (const piece of others.slice(0, -1)) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at + last.length <= path.length
}

/**
 * All remappings of a project. Of two with the same prefix the last counts: its own in `remappings.txt`, then those in its
 * settings, those of its libraries, and those inferred from its libraries' folders, as in Foundry.
 *
 * @param paths - Of all files.
 * @param textOf - The text of a file of these.
 */
export async function remappingsOf(
  paths: readonly string[],
  config: ProjectConfig,
  textOf: (path: string) => string | Promise<string> | undefined,
): Promise<readonly Remapping[]> {
  const { libs, infersRemappings } = config
  const own = parseRemappings((paths.includes(REMAPPINGS_FILE) && (await textOf(REMAPPINGS_FILE))) || '')
  const set = parseRemappings(config.remappings.join('\n'))
  if (!infersRemappings) return unique([...set, ...own])
  const inferred = inferRemappings(paths, libs)
  const packaged = inferred.flatMap((each) => packagedAs(each, paths))
  return unique([...packaged, ...inferred, ...(await remappingsOfLibraries(paths, libs, textOf)), ...set, ...own])
}

/** The last of several with the same context and prefix the last, without those that lead to the same place. */
function unique(remappings: readonly Remapping[]): readonly Remapping[] {
  const byPrefix = new Map(remappings.map((each) => [`${each.context}:${each.prefix.replace(/\/$/, '')}`, each]))
  return [...byPrefix.values()]
}

/** Names of OpenZeppelin's packages, by their repositories: without its file of remappings they are known all the same. */
const OPENZEPPELIN: ReadonlyMap<string, string> = new Map([
  ['openzeppelin-contracts', '@openzeppelin/contracts'],
  ['openzeppelin-contracts-upgradeable', '@openzeppelin/contracts-upgradeable'],
])

function packagedAs({ prefix, target }: Remapping, paths: readonly string[]): Remapping[] {
  const name = OPENZEPPELIN.get(prefix.slice(0, -1))
  if (name === undefined) return []
  const folder = target.endsWith('/contracts/') ? target : `${target}contracts/`
  return paths.some((path) => path.startsWith(folder)) ? [{ context: '', prefix: `${name}/`, target: folder }] : []
}

function asText(value: TomlValue | Literal): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function textsOf(value: TomlValue | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : undefined
}

function flagOf(value: TomlValue | Literal): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function numberOf(value: TomlValue | Literal): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function fieldsOf(value: Literal): { readonly [key: string]: Literal } {
  return typeof value === 'object' && !Array.isArray(value) ? (value as { readonly [key: string]: Literal }) : {}
}

/** A folder within the project, without `./` and the slash at its end. */
function folderOf(text: string | undefined): string | undefined {
  const folder = text?.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
  return folder === undefined || folder === '' || folder === '.' || folder.split('/').includes('..')
    ? undefined
    : folder
}

function versionIn(text: string | undefined): string | undefined {
  return /\b\d+\.\d+\.\d+\b/.exec(text ?? '')?.[0]
}
