import { importsOf } from './imports.ts'
import type { Diagnostic, Files } from './messages.ts'
import { adviceFor, PackageError, packagedSource, type ReadPackage, type SolidityPackage } from './packages.ts'
import { placeIn } from './place.ts'
import { type Remapping, resolveImport } from './project/resolve-import.ts'

/** Characters of all sources of one compilation, imported ones included. */
export const MAX_SOURCE_CHARACTERS = 16_000_000
/** Sources of one compilation, imported ones included. */
export const MAX_SOURCES = 2_000

/** All sources of a compilation. */
export interface GatheredSources {
  readonly sources: Files
  /** What to do about sources that are imported and are not there, by their names. */
  readonly advice: ReadonlyMap<string, string>
  /** What cannot be left to solc: packages that did not come, and limits. */
  readonly problems: readonly Diagnostic[]
}

/** Where sources come from besides the project. */
export interface PackageSources {
  readonly packages: readonly SolidityPackage[]
  readonly readPackage: ReadPackage
  /** Sources that the compiler has by itself: the consoles, wherever remappings lead to them. */
  readonly builtIn?: (name: string) => string | undefined
}

/** A project's files by path; a `Blob` is read only if it is needed. */
export type ProjectFiles = Readonly<Record<string, string | Blob>>

/**
 * Collects a project's sources and everything that they import.
 *
 * @param roots - Paths of the files to start with.
 */
export async function gatherSources(
  files: ProjectFiles,
  remappings: readonly Remapping[],
  { packages, readPackage, builtIn }: PackageSources,
  roots: readonly string[],
): Promise<GatheredSources> {
  const sources = new Map<string, string>()
  const advice = new Map<string, string>()
  const problems: Diagnostic[] = []
  const contents = new Map<string, Files>()
  const refused = new Set<string>()
  const queue: { name: string; importer?: { name: string; from: number; to: number } }[] = roots.map((name) => ({
    name,
  }))
  let characters = 0

  const complain = (message: string, hint: string, importer: (typeof queue)[number]['importer']) =>
    problems.push({
      severity: 'error',
      message,
      code: undefined,
      advice: hint,
      place: importer && placeIn(importer.name, sources.get(importer.name) ?? '', importer.from, importer.to),
    })

  const read = async ({ name, importer }: (typeof queue)[number]): Promise<string | undefined> => {
    const own = Object.hasOwn(files, name) ? files[name] : builtIn?.(name)
    if (own !== undefined) return typeof own === 'string' ? own : readStart(own)
    const found = packagedSource(name, packages)
    if (found && refused.has(found.name)) return undefined
    if (found && !contents.has(found.name)) {
      try {
        contents.set(found.name, await readPackage(found.name))
      } catch (error) {
        if (!(error instanceof PackageError)) throw error
        refused.add(found.name)
        complain(
          `${found.name} could not be downloaded: ${error.message}.`,
          'It comes from the same server as this page, the first time that a source imports it. Check the connection, then compile again.',
          importer,
        )
        return undefined
      }
    }
    const content = found && contents.get(found.name)
    return content && Object.hasOwn(content, found.path) ? content[found.path] : undefined
  }

  // The queue grows during the loop.
  for (const each of queue) {
    if (sources.has(each.name) || advice.has(each.name)) continue
    const content = await read(each)
    if (content === undefined) {
      advice.set(each.name, adviceFor(each.name, Object.keys(files), packages, contents))
      continue
    }
    characters += content.length
    if (characters > MAX_SOURCE_CHARACTERS || sources.size >= MAX_SOURCES) {
      complain(
        `The sources, with all that they import, are too much to compile: at most ${MAX_SOURCES} files with ${MAX_SOURCE_CHARACTERS} characters.`,
        'Remove imports that are not needed.',
        each.importer,
      )
      break
    }
    sources.set(each.name, content)
    for (const { path, from, to } of importsOf(content)) {
      queue.push({ name: resolveImport(path, each.name, remappings), importer: { name: each.name, from, to } })
    }
  }
  return { sources: Object.fromEntries(sources), advice, problems }
}

/** A file's text. Of one that is certainly too long, only enough to exceed the limit: a character takes up to four bytes. */
function readStart(file: Blob): Promise<string> {
  return file.slice(0, 4 * (MAX_SOURCE_CHARACTERS + 1)).text()
}
