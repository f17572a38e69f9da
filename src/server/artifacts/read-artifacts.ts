import { constants } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { BuildJson, KnownBuild } from '#node/rpc/builds/known-builds.ts'

/** Most files that are read, deepest folder, and the most bytes of one file and of all of them. */
const MAX_FILES = 20_000
const MAX_DEPTH = 16
const MAX_FILE_BYTES = 64 << 20
const MAX_BYTES = 256 << 20
/** Folders that have no artifacts. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', 'cache'])
/** Paths that are read as sources: an artifact may name any file of the project. */
const SOURCE = /^[^"\\]{1,1000}\.(?:sol|vy|yul)$/
/** A link is not followed, and a pipe is not waited for. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

interface Refused {
  readonly path: string
  readonly reason: string
}

/** The compiler output of a project. */
export interface Artifacts {
  readonly builds: readonly KnownBuild[]
  /** Files that could not be used, with the reason. */
  readonly refused: readonly Refused[]
}

/**
 * Reads the artifacts of a project: Foundry's `out/`, Hardhat's `artifacts/`. Symbolic links are not followed. Sources of
 * Foundry's artifacts are looked for beside the folder, and nowhere above. The thread is free between any two files.
 *
 * @throws {NodeJS.ErrnoException} If the folder itself cannot be read.
 */
export async function readArtifacts(
  folder: string,
  room: Room = { files: MAX_FILES, bytes: MAX_BYTES },
): Promise<Artifacts> {
  const [{ createFilesReader }, { writeStandardJson }] = await Promise.all([
    import('#solidity/build/read-files.ts'),
    import('#solidity/build/write-standard-json.ts'),
  ])
  const reader = createFilesReader()
  const refused: Refused[] = []
  const take = async (name: string, shown: string): Promise<void> => {
    const read = await readBounded(name, room)
    if (typeof read === 'string') reader.add({ path: shown, text: read })
    else if (read) refused.push({ path: shown, reason: read.reason })
  }
  for await (const name of jsonFiles(folder, folder, refused)) {
    await take(name, path.relative(folder, name))
    if (isUsedUp(room)) break
  }
  const project = path.dirname(path.resolve(folder))
  for (const source of [...reader.sources].filter((each) => SOURCE.test(each)).slice(0, MAX_FILES)) {
    if (isUsedUp(room)) break
    const name = await within(project, source)
    if (name !== undefined) await take(name, source)
  }
  const { builds, refused: broken } = reader.finish()
  return {
    builds: builds.map((build) => ({
      build,
      characters: 0,
      json: async () => (await standardJson(folder, build.id)) ?? writeStandardJson(build),
    })),
    refused: [...refused, ...broken],
  }
}

/** What is left of the budget; below 0 once something was refused for it. */
interface Room {
  files: number
  bytes: number
}

function isUsedUp({ files, bytes }: Room): boolean {
  return files < 0 || bytes < 0
}

/** @throws {NodeJS.ErrnoException} If the root cannot be read; folders in it are refused then. */
async function* jsonFiles(root: string, folder: string, refused: Refused[], depth = 0): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (depth === 0) throw error
    // The folder has gone meanwhile.
    if (error.code !== 'ENOENT') refused.push({ path: path.relative(root, folder), reason: error.message })
    return []
  })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = path.join(folder, entry.name)
    // Neither is true of a symbolic link.
    if (entry.isDirectory() && depth < MAX_DEPTH && !PASSED_OVER.has(entry.name))
      yield* jsonFiles(root, name, refused, depth + 1)
    else if (entry.isFile() && entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json')) yield name
  }
}

/** The text of a file; why not, or `undefined` if it has gone meanwhile. */
async function readBounded(name: string, room: Room): Promise<string | { readonly reason: string } | undefined> {
  try {
    const file = await open(name, READ_ONLY)
    try {
      const stats = await file.stat()
      if (!stats.isFile()) return { reason: 'it is not a file' }
      if (stats.size > MAX_FILE_BYTES) return { reason: `the file has more than ${MAX_FILE_BYTES} bytes` }
      room.files--
      room.bytes -= stats.size
      if (isUsedUp(room)) return { reason: `there are more than ${MAX_FILES} files, or ${MAX_BYTES} bytes in them` }
      // A file that grows while it is read is read again when it has changed.
      const bytes = Buffer.alloc(stats.size)
      const { bytesRead } = await file.read(bytes, 0, stats.size, 0)
      return bytes.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return { reason: (error as Error).message }
  }
}

/** A file by its path from a folder, if it is in there, also when every symbolic link on the way is followed. */
async function within(folder: string, file: string): Promise<string | undefined> {
  if (file.includes('\0')) return undefined
  try {
    const [root, name] = await Promise.all([realpath(folder), realpath(path.resolve(folder, file))])
    return name.startsWith(root + path.sep) ? name : undefined
  } catch {
    // The file is not there: what it says is not known then.
    return undefined
  }
}

/** Standard JSON of a build-info file by its id, read again; `undefined` if there is none any more. */
async function standardJson(folder: string, id: string): Promise<BuildJson | undefined> {
  if (!/^[\w.-]{1,200}$/.test(id)) return undefined
  const read = async (ending: string) => {
    const name = await within(folder, path.join('build-info', `${id}${ending}`))
    const text = name === undefined ? undefined : await readBounded(name, { files: 1, bytes: MAX_FILE_BYTES })
    return typeof text === 'string' ? parsed(text) : undefined
  }
  // Hardhat 3 writes the output into a file of its own.
  const [info, other] = await Promise.all([read('.json'), read('.output.json')])
  const input = info?.input
  const output = info?.output ?? other?.output
  return input && output ? { input, output } : undefined
}

/** `undefined` while a compiler writes the file. */
function parsed(text: string): Partial<BuildJson> | undefined {
  try {
    return (JSON.parse(text) as Partial<BuildJson> | null) ?? undefined
  } catch {
    return undefined
  }
}
