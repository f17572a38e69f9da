import type { Build } from '#solidity/build/build.ts'
import { createFilesReader } from '#solidity/build/read-files.ts'
import { type WrittenJson, writeStandardJson } from '#solidity/build/write-standard-json.ts'
import { type PackedBuild, packBuild } from './pack-build.ts'

/** Longest file, and most bytes of all files that are read. */
export const MAX_FILE_BYTES = 64 << 20
export const MAX_FOLDER_BYTES = 128 << 20
/** Most builds from one folder, and most names and reasons in the result. */
export const MAX_FOUND = 20
const MAX_TOLD = 20

/** A file, by its path from the folder. */
export interface FolderFile {
  readonly path: string
  readonly file: Blob
}

/** A build of a folder. */
export interface FoundBuild {
  readonly packed: PackedBuild
  /** Number of contracts with code; `names` has the first ones. */
  readonly contracts: number
  readonly names: readonly string[]
  readonly sources: number
  /** Number of sources without text, whose lines are unknown. */
  readonly missing: number
  /** Paths of the first of those. */
  readonly missingPaths: readonly string[]
}

/** The compiler output found in a folder. */
export interface FoundFolder {
  readonly builds: readonly FoundBuild[]
  /** The first files that could not be used, with the reason. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[]
  readonly refusedCount: number
  /** Number of JSON files without compiler output. */
  readonly others: number
  /** Number of builds beyond the limit; these are the smallest. */
  readonly left: number
}

/**
 * Reads the artifacts among files (Foundry's `out/`, Hardhat's `artifacts/`, or single files), and the sources that they were
 * compiled from.
 *
 * @param tell - Called before each file with the number of files read so far and in total.
 */
export async function readFolder(
  files: readonly FolderFile[],
  tell: (done: number, total: number) => void = () => {},
): Promise<FoundFolder> {
  const originals = new Map<Build, Texts | undefined>()
  const reader = createFilesReader((build, json) => originals.set(build, textsOf(json)))
  const refused: { path: string; reason: string }[] = []
  const outputs = files.filter(({ path }) => path.endsWith('.json'))
  let others = 0
  let bytes = 0
  let done = 0
  /** Reads a file. @returns Whether there was room for it. */
  const take = async ({ path, file }: FolderFile, total: number): Promise<boolean> => {
    tell(done++, total)
    if (file.size > MAX_FILE_BYTES) {
      refused.push({ path, reason: `the file has more than ${MAX_FILE_BYTES} bytes` })
      return true
    }
    bytes += file.size
    if (bytes > MAX_FOLDER_BYTES) {
      refused.push({
        path,
        reason: `there are more than ${MAX_FOLDER_BYTES} bytes; this file and those after it are left out`,
      })
      return false
    }
    try {
      if (!reader.add({ path, text: await file.text() })) others++
    } catch (error) {
      // The file was deleted or changed after it was dropped.
      if (!(error instanceof DOMException)) throw error
      refused.push({ path, reason: 'the file cannot be read' })
    }
    return true
  }
  const takeAll = async (some: readonly FolderFile[], total: number) => {
    for (const each of some) if (!(await take(each, total))) return
  }
  await takeAll(outputs, outputs.length)
  const sources = files.filter(({ path }) => !path.endsWith('.json') && reader.wants(path))
  await takeAll(sources, outputs.length + sources.length)
  const read = reader.finish()
  const known = read.builds
    .filter((build) => contractsOf(build).length > 0)
    .toSorted((a, b) => contractsOf(b).length - contractsOf(a).length)
  const builds: FoundBuild[] = []
  for (const build of known.slice(0, MAX_FOUND)) {
    const texts = originals.get(build) ?? textsOf(writeStandardJson(build))
    if (texts) builds.push(await found(build, texts))
    else refused.push({ path: build.id, reason: 'its values are nested too deeply' })
  }
  const all = [...refused, ...read.refused]
  return {
    builds,
    refused: all.slice(0, MAX_TOLD),
    refusedCount: all.length,
    others,
    left: Math.max(0, known.length - MAX_FOUND),
  }
}

function contractsOf({ contracts }: Build) {
  return contracts.filter(({ creation, deployed }) => creation ?? deployed)
}

async function found(build: Build, [input, output]: Texts): Promise<FoundBuild> {
  const contracts = contractsOf(build)
  const missing = build.sources.filter(({ content }) => content === undefined).map(({ path }) => path)
  return {
    packed: await packBuild({ compiler: build.compiler, input, output }),
    contracts: contracts.length,
    names: contracts.slice(0, MAX_TOLD).map(({ name }) => name),
    sources: build.sources.length,
    missing: missing.length,
    missingPaths: missing.slice(0, MAX_TOLD),
  }
}

type Texts = readonly [input: string, output: string]

/** `undefined` if the values are nested too deeply for the stack, for which each browser throws another error. */
function textsOf({ input, output }: WrittenJson): Texts | undefined {
  try {
    return [JSON.stringify(input), JSON.stringify(output)]
  } catch {
    return undefined
  }
}
