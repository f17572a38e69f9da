import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Folders that no pattern looks into, unless it names them: what an installation makes. */
const LEFT_OUT: readonly string[] = ['node_modules', '.git']
/** Files that patterns look at, and files and bytes that they name. */
const MAX_LOOKED_AT = 100_000
const MAX_FILES = 10_000
const MAX_BYTES = 512 << 20

/**
 * A hash of all files that patterns name, and of their names. `*` stands for any part of a name, `**` for any folders; a
 * folder stands for all that is in it.
 *
 * @param folder - What the patterns are relative to.
 * @throws {Error} If a pattern names no file, or they name too much.
 */
export async function hashOfFiles(patterns: readonly string[], folder: string): Promise<string> {
  const files = new Map<string, string>()
  for (const pattern of patterns) {
    let count = 0
    for await (const [name, file] of filesOf(pattern, folder)) {
      files.set(name, file)
      count++
    }
    if (count === 0) throw new Error(`dependsOn: ${pattern} names no file in ${folder}`)
    if (files.size > MAX_FILES) throw new Error(`dependsOn names more than ${MAX_FILES} files`)
  }
  const hash = createHash('sha256')
  let bytes = 0
  for (const name of [...files.keys()].sort()) {
    const file = files.get(name) ?? ''
    bytes += (await stat(file)).size
    if (bytes > MAX_BYTES) throw new Error(`dependsOn names more than ${MAX_BYTES >> 20} MiB of files`)
    hash.update(`${JSON.stringify(name)} ${await hashOfFile(file)}\n`)
  }
  return hash.digest('hex')
}

/** A hash of a file's bytes. */
export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Names as the pattern has them, with `/`, and where the files are. */
async function* filesOf(pattern: string, folder: string): AsyncGenerator<readonly [name: string, file: string]> {
  const parts = pattern.split(/[/\\]+/).filter((part) => part !== '.')
  const firstWild = parts.findIndex((part) => part.includes('*'))
  const [base, wild] = firstWild === -1 ? [parts, []] : [parts.slice(0, firstWild), parts.slice(firstWild)]
  const root = path.resolve(folder, base.join('/') || (pattern.startsWith('/') ? '/' : '.'))
  const found = await stat(root).catch(() => undefined)
  if (found?.isFile() && wild.length === 0) yield [base.join('/'), root]
  if (!found?.isDirectory()) return
  const matcher = wild.length === 0 ? /^/ : matcherOf(wild)
  let left = MAX_LOOKED_AT
  const below = async function* (at: string): AsyncGenerator<string> {
    for (const entry of await readdir(path.join(root, at), { withFileTypes: true })) {
      if (left-- <= 0) throw new Error(`dependsOn: ${pattern} looks at more than ${MAX_LOOKED_AT} files`)
      const name = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory() && !LEFT_OUT.includes(entry.name)) yield* below(name)
      // A link may lead in a circle; where it leads to a file, that file counts.
      else if (entry.isFile()) yield name
      else if (entry.isSymbolicLink() && (await isFile(path.join(root, name)))) yield name
    }
  }
  for await (const name of below('')) {
    if (matcher.test(name)) yield [[...base, name].join('/'), path.join(root, name)]
  }
}

async function isFile(name: string): Promise<boolean> {
  return (await stat(name).catch(() => undefined))?.isFile() === true
}

/** Matches the names that parts of a pattern stand for. */
function matcherOf(parts: readonly string[]): RegExp {
  const source = parts.map((part, i) => {
    const isLast = i === parts.length - 1
    if (part === '**') return isLast ? '.*' : '(?:[^/]+/)*'
    // Stars that stand side by side would be tried in all ways.
    const text = part
      .replace(/\*+/g, '*')
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^/]*')
    return isLast ? text : `${text}/`
  })
  return new RegExp(`^${source.join('')}$`)
}
