import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** Files in the folder: one for each installation and version of Node.js; the newest stay. */
const MAX_KEPT_FILES = 4
/** Most bytes of a file that is read: all scripts have 1 MB. */
const MAX_KEPT_BYTES = 64 << 20
/** Bytes before the table: its length, and the checksum of all that follows the checksum. */
const PREFIX_BYTES = 8
/** V8 copies what is not aligned to words. */
const WORD_BYTES = 8
/** Modules of Node.js of which most starts use nothing, and that take a few milliseconds to load. */
const LATE_MODULES: ReadonlySet<string> = new Set(['node:fs/promises'])
const WRAPPER = '(function (exports, require, module, __filename, __dirname) { '
/** Around the bytes of a script: V8 would copy a text that is put together once more. */
const BEFORE = Buffer.from(WRAPPER)
const AFTER = Buffer.from('\n})')

/** Where the code of a script is in the file, and the checksum of the script that it was compiled from. */
interface Place {
  readonly source: number
  readonly at: number
  readonly bytes: number
}

interface Kept {
  readonly table: ReadonlyMap<string, Place>
  readonly code: Buffer
}

/**
 * Loads the CommonJS scripts of one folder, as `require` does, and keeps the code that V8 compiles of them: the next start
 * takes a fifth less processor time (Node.js 22: a quarter). V8 trusts such code, so it is only read from files that nobody
 * but the user can write.
 */
export class ScriptLoader {
  readonly #folder: string
  readonly #file: string | undefined
  readonly #modules = new Map<string, { exports: unknown }>()
  readonly #require: (id: string) => unknown
  #kept: Kept | undefined
  /** Scripts of this start, until their code is kept. */
  #scripts: Map<string, { readonly script: Script; readonly source: number }> | undefined = new Map()
  #isComplete = true

  /**
   * @param folder - The scripts' folder.
   * @param keptIn - Where code is kept: see {@link ownFolder}. None is without it.
   */
  constructor(folder: string, keptIn: string | undefined) {
    this.#folder = folder
    const inNode = createRequire(join(folder, 'any.js'))
    this.#require = (id) => {
      if (id.startsWith('./')) return this.load(id.slice(2))
      return LATE_MODULES.has(id) ? lateModule(() => inNode(id) as object) : inNode(id)
    }
    if (keptIn === undefined) return
    const { version, versions, arch, execArgv, env } = process
    const key = crc32(JSON.stringify([folder, versions.v8, execArgv, env['NODE_OPTIONS']]))
    this.#file = join(keptIn, `${version}-${arch}-${key.toString(16)}`)
    this.#kept = readKept(this.#file)
  }

  /** @throws {Error} If there is no such script, or it throws. */
  load(name: string): unknown {
    const known = this.#modules.get(name)
    if (known) return known.exports
    const file = join(this.#folder, name)
    const run = this.#compile(name, file)
    const module = { exports: {} }
    this.#modules.set(name, module)
    try {
      run(module.exports, this.#require, module, file, this.#folder)
    } catch (error) {
      this.#modules.delete(name)
      throw error
    }
    return module.exports
  }

  #compile(name: string, filename: string): (...values: unknown[]) => void {
    const bytes = readFileSync(filename)
    const source = crc32(bytes)
    const place = this.#kept?.table.get(name)
    const cachedData =
      place?.source === source ? this.#kept?.code.subarray(place.at, place.at + place.bytes) : undefined
    const script = new Script(Buffer.concat([BEFORE, bytes, AFTER]).toString(), {
      filename,
      columnOffset: -WRAPPER.length,
      ...(cachedData && { cachedData }),
    })
    if (!cachedData || script.cachedDataRejected) this.#isComplete = false
    this.#scripts?.set(name, { script, source })
    return script.runInThisContext() as (...values: unknown[]) => void
  }

  /**
   * Keeps the code of all scripts so far, with every function that has run; what is kept already stays. Takes a turn for
   * each script. Where it cannot be written, nothing is lost but time.
   */
  async keep(): Promise<void> {
    for (const _ of this.#keepInSteps()) await new Promise((resolve) => void setImmediate(resolve))
  }

  /** As {@link keep}, without turns: for a process that ends. */
  keepAtOnce(): void {
    for (const _ of this.#keepInSteps());
  }

  *#keepInSteps(): Generator<void> {
    const scripts = this.#scripts
    const kept = this.#kept
    this.#scripts = undefined
    this.#kept = undefined
    if (this.#file === undefined || this.#isComplete || !scripts) return
    const parts: Buffer[] = []
    const table = new Map<string, Place>()
    let at = 0
    const add = (name: string, source: number, code: Buffer) => {
      table.set(name, { source, at, bytes: code.length })
      parts.push(code, Buffer.alloc(-code.length & (WORD_BYTES - 1)))
      at += code.length + (-code.length & (WORD_BYTES - 1))
    }
    for (const [name, { script, source }] of scripts) {
      add(name, source, script.createCachedData())
      yield
    }
    try {
      const present = new Set(readdirSync(this.#folder))
      for (const [name, { source, at: from, bytes }] of kept?.table ?? []) {
        if (present.has(name) && !scripts.has(name))
          add(name, source, Buffer.from(kept!.code.subarray(from, from + bytes)))
      }
      writeKept(this.#file, table, parts)
    } catch {
      // A full disk, or a folder that has gone.
    }
  }
}

/** A module of functions that is loaded when the first of them is asked for. */
function lateModule(load: () => object): object {
  let loaded: object | undefined
  return new Proxy({}, { get: (_, name): unknown => Reflect.get((loaded ??= load()), name) })
}

/** @returns `undefined` if there is none, it is not the user's own, or it is damaged. */
function readKept(file: string): Kept | undefined {
  try {
    const open = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      const found = fstatSync(open)
      const isUsed = found.isFile() && isOwn(found) && found.size <= MAX_KEPT_BYTES
      return isUsed ? parseKept(readFileSync(open)) : undefined
    } finally {
      closeSync(open)
    }
  } catch {
    return undefined
  }
}

/** @throws {Error} If it has the right checksum, but another version of this script wrote it. */
function parseKept(all: Buffer): Kept | undefined {
  // V8 compares only the length of the script, and takes the code as it is.
  if (all.length < PREFIX_BYTES || crc32(all.subarray(4)) !== all.readUInt32LE(0)) return undefined
  const codeAt = PREFIX_BYTES + all.readUInt32LE(4)
  const table = JSON.parse(all.toString('utf8', PREFIX_BYTES, codeAt)) as Record<string, Place>
  const places = Object.entries(table).map(([name, { source, at, bytes }]) => [name, { source, at, bytes }] as const)
  return { table: new Map(places), code: all.subarray(codeAt) }
}

/** Replaces the file at once, and deletes the oldest in its folder. */
function writeKept(file: string, table: Kept['table'], parts: readonly Buffer[]): void {
  const text = JSON.stringify(Object.fromEntries(table))
  const header = Buffer.from(text.padEnd(text.length + (-text.length & (WORD_BYTES - 1))))
  const rest = Buffer.concat([Buffer.alloc(4), header, ...parts])
  rest.writeUInt32LE(header.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(rest))
  const partial = `${file}.${process.pid}`
  try {
    writeFileSync(partial, Buffer.concat([sum, rest]), { mode: 0o600 })
    renameSync(partial, file)
  } finally {
    // What a full disk took of it.
    rmSync(partial, { force: true })
  }
  const folder = dirname(file)
  const entries = readdirSync(folder).map((name) => join(folder, name))
  const byAge = entries
    .map((entry) => ({ entry, at: statSync(entry, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => other.at - one.at)
  for (const { entry } of byAge.slice(MAX_KEPT_FILES)) rmSync(entry, { recursive: true, force: true })
}

/**
 * The user's folder for compiled code, which is made if it is not there. What is in it is run: where others could have put
 * something there, it is not used.
 *
 * @param parent - The folder that it is in.
 */
export function ownFolder(parent: string): string | undefined {
  const user = process.getuid?.()
  const folder = join(parent, user === undefined ? 'blinknet-code' : `blinknet-code-${user}`)
  try {
    // Not `recursive`: that makes missing parents, and never ends where the system answers ENOENT, as in /proc.
    if (!lstatSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { mode: 0o700 })
    const found = lstatSync(folder)
    return found.isDirectory() && isOwn(found) ? folder : undefined
  } catch {
    // Nothing is lost but time.
    return undefined
  }
}

/** Whether only the user can write it. On Windows each user has a folder for temporary files. */
function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  const user = process.getuid?.()
  return user === undefined || (uid === user && (mode & 0o022) === 0)
}
