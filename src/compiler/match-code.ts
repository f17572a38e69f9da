import { hexToBytes } from '#primitives/hex.ts'
import { isObject, type JsonObject } from '#primitives/json-object.ts'
import type { Build } from '#solidity/build/build.ts'
import { BuildError, entriesAt, listAt, optionalText, textAt } from '#solidity/build/json.ts'
import { readStandardJson as readBuild } from '#solidity/build/read-standard-json.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { compilerIn } from '#solidity/code/metadata.ts'
import type { BuildTexts } from '#solidity/worker/pack-build.ts'
import { consoleSource } from './console-source.ts'
import { gatherSources, MAX_SOURCES, type PackageSources, type ProjectFiles } from './gather-sources.ts'
import type { ClosestContract, Match, MatchRequest, ProjectSources } from './messages.ts'
import { parseRemappings, type Remapping, remappingText } from './project/resolve-import.ts'
import { type Solc, versionOf } from './soljson.ts'
import { inputWith, readStandardJson, toStandardJson } from './standard-json.ts'

/** Longest file with standard JSON input, in bytes. */
export const MAX_INPUT_BYTES = 64 << 20
/** Most errors in a result. */
const MAX_ERRORS = 20

/** A match with its build before it is packed. */
export type Matched =
  | (Omit<Extract<Match, { outcome: 'found' }>, 'build'> & { readonly build: BuildTexts })
  | Exclude<Match, { outcome: 'found' }>

/** What to compile, from a project or from standard JSON input. */
interface Task {
  readonly files: ProjectFiles
  readonly roots: readonly string[]
  readonly remappings: readonly Remapping[]
  readonly inputOf: (sources: Readonly<Record<string, string>>) => string
}

/**
 * Compiles sources and looks for the contract that some code belongs to. As in `recompile`, values of immutable variables
 * and addresses of libraries may differ.
 *
 * @param onGathered - Called when every source is there, before the compiler runs.
 */
export async function matchCode(
  solc: Solc,
  { sources: given, code }: MatchRequest,
  origin: PackageSources,
  onGathered: () => void = () => {},
): Promise<Matched> {
  return reading(async () => {
    if (given.kind !== 'project') return compileTask(inputTask(await readInput(given.file)))
    const { sources, tests } = given.roots
    const matched = await compileTask(projectTask(given, sources))
    if (matched.outcome !== 'none' || tests.length === 0) return matched
    const withTests = await compileTask(projectTask(given, [...sources, ...tests]))
    return withTests.outcome === 'found' ? withTests : matched
  })

  async function compileTask(task: Task): Promise<Matched> {
    const { sources, advice, problems } = await gatherSources(
      task.files,
      task.remappings,
      { ...origin, builtIn: consoleSource },
      task.roots,
    )
    if (problems.length > 0) return { outcome: 'errors', diagnostics: problems.slice(0, MAX_ERRORS) }
    onGathered()
    const input = task.inputOf(sources)
    const output = solc.compile(input)
    const { diagnostics, contracts } = readStandardJson(output, { sources, isOwn: () => true, advice })
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    if (errors.length > 0) return { outcome: 'errors', diagnostics: errors.slice(0, MAX_ERRORS) }
    const compiler = versionOf(solc)
    const build = readBuild({ input: JSON.parse(input), output: JSON.parse(output), compiler })
    const bytes = hexToBytes(code)
    const found = createCodeIndex([build]).deployed(bytes)
    if (!found) {
      return { outcome: 'none', compiledBy: compilerIn(bytes), here: compiler, closest: closest(build, bytes) }
    }
    const { path, name } = found.contract
    const { abi = [] } = contracts.find((each) => each.file === path && each.name === name) ?? {}
    return {
      outcome: 'found',
      ...{ path, name, abi, verification: { outcome: found.isExact ? 'same' : 'same but metadata', compiler } },
      build: { compiler, input, output },
    }
  }
}

async function reading(match: () => Promise<Matched>): Promise<Matched> {
  try {
    return await match()
  } catch (error) {
    if (error instanceof BuildError || error instanceof SyntaxError)
      return { outcome: 'unreadable', reason: error.message }
    // Each browser says it in other words, some with a wrong cause.
    if (error instanceof DOMException)
      return { outcome: 'unreadable', reason: 'a file was changed or deleted after it was chosen; choose it again' }
    throw error
  }
}

function projectTask({ files, remappings: text, settings }: ProjectSources, roots: readonly string[]): Task {
  if (roots.length === 0) throw new BuildError('it has no Solidity file outside its libraries')
  const remappings = parseRemappings(text)
  return { files, roots, remappings, inputOf: (sources) => toStandardJson(sources, settings, remappings) }
}

async function readInput(file: Blob): Promise<JsonObject> {
  if (file.size > MAX_INPUT_BYTES) throw new BuildError(`the file has more than ${MAX_INPUT_BYTES} bytes`)
  const text = (await file.text()).trim()
  // Etherscan wraps the input in a second pair of braces.
  const value: unknown = JSON.parse(text.startsWith('{{') ? text.slice(1, -1) : text)
  // A build-info of Hardhat or Foundry contains the input.
  const input = isObject(value) && isObject(value['input']) ? value['input'] : value
  if (!isObject(input) || !isObject(input['sources']))
    throw new BuildError('it is not the compiler’s standard JSON input')
  return input
}

function inputTask({ language, sources, settings: given }: JsonObject): Task {
  if (language !== 'Solidity')
    throw new BuildError(`its language is ${optionalText(language) ?? 'unknown'}, not Solidity`)
  const files = Object.fromEntries(
    entriesAt(sources, 'sources', MAX_SOURCES).map(([path, source]) => {
      if (!isObject(source) || source['content'] === undefined)
        throw new BuildError(`${path} has no content, and the page does not fetch sources from elsewhere`)
      return [path, textAt(source['content'], `the content of ${path}`)]
    }),
  )
  const settings = isObject(given) ? given : {}
  const remappings = parseRemappings(
    listAt(settings['remappings'], 'settings.remappings', MAX_SOURCES)
      .map((each) => textAt(each, 'a remapping'))
      .join('\n'),
  )
  // Other settings, such as optimizer details, the metadata's hash and addresses of libraries, are kept.
  const { stopAfter: _, modelChecker: __, ...kept } = settings
  const inputOf = (all: Readonly<Record<string, string>>) =>
    inputWith(all, { ...kept, remappings: remappings.map(remappingText) })
  return { files, roots: Object.keys(files), remappings, inputOf }
}

/** The contract that has most of the code's functions; among several the one whose code is nearest in length. */
function closest({ contracts }: Build, code: Uint8Array): ClosestContract | undefined {
  const wanted = selectorsIn(code)
  const candidates = contracts.flatMap(({ path, name, deployed }) => {
    if (!deployed || deployed.bytes.length === 0) return []
    const own = selectorsIn(deployed.bytes)
    const shared = [...own].filter((selector) => wanted.has(selector)).length
    const all = own.size + wanted.size - shared
    return [{ path, name, bytes: deployed.bytes.length, likeness: all === 0 ? 0 : shared / all }]
  })
  const distance = ({ bytes }: (typeof candidates)[number]) => Math.abs(bytes - code.length)
  const [nearest] = candidates.toSorted((a, b) => b.likeness - a.likeness || distance(a) - distance(b))
  if (!nearest) return undefined
  const { likeness, ...contract } = nearest
  return { ...contract, hasSameFunctions: likeness === 1 }
}

const PUSH1 = 0x60
const PUSH4 = 0x63
const PUSH32 = 0x7f
/** An instruction that compares, behind a selector that is pushed. */
const COMPARISONS: ReadonlySet<number> = new Set([0x10, 0x11, 0x14])

/** The selectors that some code compares with, whatever the optimizer made of it. */
function selectorsIn(code: Uint8Array): ReadonlySet<number> {
  const view = new DataView(code.buffer, code.byteOffset, code.byteLength)
  const found = new Set<number>()
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at] ?? 0
    if (opcode === PUSH4 && at + 6 < code.length) {
      // Behind it may stand a DUP of the selector called.
      const next = code[at + 5] ?? 0
      const isCompared = COMPARISONS.has(next) || (next >= 0x80 && next <= 0x8f && COMPARISONS.has(code[at + 6] ?? 0))
      if (isCompared) found.add(view.getUint32(at + 1))
    }
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1
  }
  return found
}
