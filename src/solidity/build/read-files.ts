import { isObject, type JsonObject } from '#primitives/json-object.ts'
import type { Build } from './build.ts'
import { BuildError, optionalText } from './json.ts'
import {
  type FoundryArtifact,
  isFoundryArtifact,
  joinFoundryArtifacts,
  readFoundryArtifact,
  readSourceIds,
} from './read-foundry.ts'
import { readContent, readStandardJson } from './read-standard-json.ts'
import type { WrittenJson } from './write-standard-json.ts'

/** Longest file of compiler output, in characters. */
export const BUILD_FILE_LIMIT = 256 << 20

/** A file of a project, by its path from the project's folder. */
export interface ProjectFile {
  readonly path: string
  readonly text: string
}

export interface ReadFiles {
  readonly builds: readonly Build[]
  /** Files that are broken or too large. Files of other kinds are ignored. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[]
}

/** Takes the files of a project one by one, so that a caller with many can yield in between. */
export interface FilesReader {
  /** Adds a file. Never throws. @returns Whether it has compiler output or is a source. */
  add(file: ProjectFile): boolean
  /** Paths of the sources that the artifacts added so far were compiled from but do not include. */
  readonly sources: ReadonlySet<string>
  /** Whether a file is one of {@link sources}; its path may have further folders in front. */
  wants(path: string): boolean
  /** Joins what was compiled together. Never throws. */
  finish(): ReadFiles
}

/**
 * Reads the compiler output among the files of a project: Hardhat's build-info (version 3 keeps input and output in two
 * files), Foundry's artifacts and build-info, and files with standard JSON `{ input, output }`. An artifact is ignored if a
 * build-info has the same contract. Never throws.
 *
 * @param files - In any order. Sources may be among them, as Foundry's artifacts do not include them.
 */
export function readFiles(files: Iterable<ProjectFile>): ReadFiles {
  const reader = createFilesReader()
  for (const file of files) reader.add(file)
  return reader.finish()
}

/**
 * {@link readFiles} in steps.
 *
 * @param onStandardJson - Called with each build that was read from standard JSON, and with that JSON.
 */
export function createFilesReader(onStandardJson: (build: Build, json: WrittenJson) => void = () => {}): FilesReader {
  const refused: { path: string; reason: string }[] = []
  const contents = new Map<string, string>()
  const halves = new Map<string, { info?: JsonObject; output?: JsonObject }>()
  const builds: Build[] = []
  const artifacts: FoundryArtifact[] = []
  const compilations: ReadonlyMap<number, string>[] = []
  const sources = new Set<string>()
  const guarded = (path: string, read: () => boolean): boolean => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof BuildError)) throw error
      refused.push({ path, reason: error.message })
      return true
    }
  }
  const addBuild = (info: JsonObject) => {
    const build = readBuildInfo(info)
    builds.push(build)
    const { input, output } = info
    if (isObject(input) && isObject(output)) onStandardJson(build, { input, output })
    return true
  }
  const addArtifact = (artifact: FoundryArtifact) => {
    artifacts.push(artifact)
    for (const source of [artifact.contract.path, ...artifact.sources.keys()]) sources.add(source)
    return true
  }
  return {
    sources,
    add: ({ path, text }) =>
      guarded(path, () => {
        if (!path.endsWith('.json')) {
          contents.set(path.replaceAll('\\', '/'), readContent(text, path))
          return true
        }
        const value = parse(text)
        if (!isObject(value)) return false
        const id = optionalText(value['id'])
        const paths = readSourceIds(value)
        if (paths) {
          compilations.push(paths)
          for (const source of paths.values()) sources.add(source)
        }
        if (isObject(value['output']) && isObject(value['input'])) return addBuild(value)
        if (id !== undefined && isObject(value['output'])) halves.set(id, { ...halves.get(id), output: value })
        else if (id !== undefined && isObject(value['input'])) halves.set(id, { ...halves.get(id), info: value })
        else if (!paths && isFoundryArtifact(value)) return addArtifact(readFoundryArtifact(value, namesOf(path)))
        else return paths !== undefined
        return true
      }),
    wants(path) {
      const parts = path.replaceAll('\\', '/').split('/')
      return parts.some((_, i) => sources.has(parts.slice(i).join('/')))
    },
    finish() {
      for (const [id, { info, output }] of halves) {
        if (output) guarded(id, () => addBuild({ ...info, output: output['output'], id }))
      }
      const known = new Set(builds.flatMap(({ contracts }) => contracts.map(codeKey)))
      const others = artifacts.filter(({ contract }) => !known.has(codeKey(contract)))
      return { builds: [...builds, ...joinFoundryArtifacts(others, contentFinder(contents), compilations)], refused }
    },
  }
}

/**
 * Reads a build-info file of Hardhat or Foundry, or any object with `input` and `output` of standard JSON.
 *
 * @throws {BuildError}
 */
export function readBuildInfo(value: JsonObject): Build {
  const build = readStandardJson({
    input: value['input'],
    output: value['output'],
    compiler: optionalText(value['solcLongVersion']) ?? optionalText(value['solcVersion']),
    id: optionalText(value['id']),
  })
  return isObject(value['userSourceNameMap']) ? renamed(build, value['userSourceNameMap']) : build
}

/** Version 3 of Hardhat compiles `project/contracts/Token.sol` and shows it as `contracts/Token.sol`. */
function renamed(build: Build, names: JsonObject): Build {
  const shown = new Map<unknown, string>(Object.entries(names).map(([name, compiled]) => [compiled, name]))
  const rename = <Item extends { readonly path: string }>(item: Item): Item => ({
    ...item,
    path: shown.get(item.path) ?? item.path,
  })
  return { ...build, sources: build.sources.map(rename), contracts: build.contracts.map(rename) }
}

function parse(text: string): unknown {
  if (text.length > BUILD_FILE_LIMIT) throw new BuildError(`the file has more than ${BUILD_FILE_LIMIT} characters`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new BuildError('the file is not JSON', { cause })
  }
}

function codeKey({ path, name, deployed, creation }: Build['contracts'][number]): string {
  return `${path}:${name}:${(deployed ?? creation)?.bytes.length}`
}

/** `out/Token.sol/Token.json` is the contract `Token` of a file `Token.sol`. */
function namesOf(path: string): { path: string; name: string } {
  const parts = path.replaceAll('\\', '/').split('/')
  return { path: parts.at(-2) ?? path, name: (parts.at(-1) ?? path).replace(/(\.\d+\.\d+\.\d+)?\.json$/, '') }
}

/** Texts by the path that a compiler knows: dropped folders have the project's name before each. */
function contentFinder(contents: ReadonlyMap<string, string>): (path: string) => string | undefined {
  const byName = new Map<string, string[]>()
  for (const path of contents.keys()) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const others = byName.get(name)
    if (others) others.push(path)
    else byName.set(name, [path])
  }
  return (path) => {
    const exact = contents.get(path)
    if (exact !== undefined) return exact
    const alike = byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? []
    const ends = alike.filter((each) => each.endsWith(`/${path}`))
    return ends.length === 1 ? contents.get(ends[0] ?? '') : undefined
  }
}
