import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ChainOptions } from '#library/chain.ts'
import { describeError } from '#primitives/describe-error.ts'
import { VERSION } from '#rpc-types/version.ts'
import { hashOfFile, hashOfFiles } from './depended-files.ts'

/** Preparations that are kept, bytes of all, and of one. */
const MAX_KEPT = 8
const MAX_BYTES = 256 << 20
const MAX_OWN_BYTES = 64 << 20
/** Characters of what a preparation has returned, as JSON. */
const MAX_VALUE = 1 << 20
/** Changes when older ones must not be read any more. */
const FORMAT = 1
const ABOUT = 'prepared.json'

/** Options of each chain of a set, by its name. */
type SetOptions = Readonly<Record<string, ChainOptions>>

/** What a preparation depends on besides the options of its chains. */
interface Depending {
  readonly run: (...given: never[]) => unknown
  readonly dependsOn: readonly string[]
  readonly name?: string | undefined
}

/** Where preparations are kept. */
export interface PreparationKeeping {
  /** The folder that patterns are relative to, and in which, or above which, there is node_modules; default: this process's. */
  readonly at?: string
  /** Told why a preparation is not kept, or is made anew; default: the console. */
  readonly warn?: (line: string) => void
  /** The function of each preparation that was looked for. */
  readonly owners?: Map<string, unknown>
}

/** What a preparation has left. */
export interface KeptOutcome {
  /** The chain file of each chain, by its name. */
  readonly files: ReadonlyMap<string, string>
  /** What it has returned. */
  readonly value: unknown
}

/** Where the outcome of one preparation is kept between runs, by all that it depends on. */
export class KeptPreparation {
  readonly #folder: string
  readonly #names: readonly string[]
  readonly #warn: (line: string) => void

  private constructor(folder: string, names: readonly string[], warn: (line: string) => void) {
    this.#folder = folder
    this.#names = names
    this.#warn = warn
  }

  /**
   * The place of a preparation.
   *
   * @returns `undefined` if it cannot be kept.
   * @throws {Error} If `dependsOn` makes no sense.
   */
  static async of(
    options: SetOptions,
    preparation: Depending,
    { at = process.cwd(), warn = toConsole, owners = new Map() }: PreparationKeeping = {},
  ): Promise<KeptPreparation | undefined> {
    const { dependsOn, name = '' } = preparation
    if (!Array.isArray(dependsOn) || !dependsOn.every((pattern) => typeof pattern === 'string' && pattern !== '')) {
      throw new TypeError("dependsOn takes a list of patterns, such as ['contracts/**', 'scripts/deploy.ts']")
    }
    const why = Object.values(options)
      .map(whyNot)
      .find((reason) => reason !== undefined)
    const modules = await modulesAbove(at)
    if (why !== undefined || modules === undefined) {
      warn(`the preparation is not kept: ${why ?? `there is no node_modules at ${at} or above it`}`)
      return undefined
    }
    const key = createHash('sha256')
    key.update(JSON.stringify([FORMAT, VERSION, name, String(preparation.run), await hashOfFiles(dependsOn, at)]))
    for (const [chain, { log: _, ...each }] of Object.entries(options)) {
      const files = [each.loadState, typeof each.fork === 'string' ? each.fork : undefined]
      const hashes = await Promise.all(
        files.map((file) => (file === undefined ? Promise.resolve('') : hashIfThere(path.resolve(at, file)))),
      )
      const text = JSON.stringify([chain, each, hashes], (_name, value: unknown) =>
        typeof value === 'bigint' ? `${value}n` : value,
      )
      key.update(text)
    }
    const folder = path.join(modules, '.cache', 'blinknet', 'prepared', key.digest('hex'))
    const owner = owners.get(folder) ?? preparation.run
    owners.set(folder, owner)
    if (owner !== preparation.run) {
      throw new Error(
        'two preparations with dependsOn have the same text, and are told apart by nothing: give each a name of its own',
      )
    }
    return new KeptPreparation(folder, Object.keys(options), warn)
  }

  /** What was kept; `undefined` if nothing was, or it is damaged, which is then said. */
  async read(): Promise<KeptOutcome | undefined> {
    try {
      const about = JSON.parse(await readBounded(path.join(this.#folder, ABOUT))) as {
        readonly value?: unknown
        readonly hashes?: readonly unknown[]
      }
      const files = new Map(this.#names.map((name, i) => [name, path.join(this.#folder, `${i}.blinknet`)]))
      for (const [i, file] of [...files.values()].entries()) {
        if ((await hashOfFile(file)) !== about.hashes?.[i]) throw new Error(`${file} was changed`)
      }
      // The least recently used goes first.
      const now = new Date()
      await utimes(this.#folder, now, now)
      return { files, value: about.value }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !(await isThere(this.#folder))) return undefined
      await this.discard(describeError(error))
      return undefined
    }
  }

  /** Says why a preparation is not kept. */
  tellUnkept(why: string): void {
    this.#warn(`the preparation is not kept: ${why}`)
  }

  /** Removes what is kept, and says why. */
  async discard(why: string): Promise<void> {
    this.#warn(`the kept preparation cannot be used, and is made anew: ${why}`)
    await rm(this.#folder, { recursive: true, force: true })
  }

  /**
   * Keeps what a preparation has left; if that cannot be, this is said.
   *
   * @param chains - Chain files, in the order of the options.
   * @returns What it has returned, as those will have it who find it.
   * @throws {TypeError} If that is no JSON.
   */
  async write(chains: readonly Uint8Array[], value: unknown): Promise<unknown> {
    const text = asJson(value)
    const hashes = chains.map((chain) => createHash('sha256').update(chain).digest('hex'))
    const bytes = chains.reduce((sum, chain) => sum + chain.length, 0)
    const own = `${this.#folder}.${randomBytes(6).toString('hex')}.tmp`
    try {
      if (bytes > MAX_OWN_BYTES) throw new Error(`its chains have ${bytes} bytes, more than ${MAX_OWN_BYTES}`)
      await mkdir(own, { recursive: true, mode: 0o700 })
      for (const [i, chain] of chains.entries())
        await writeFile(path.join(own, `${i}.blinknet`), chain, { mode: 0o600 })
      await writeFile(
        path.join(own, ABOUT),
        `{"hashes":${JSON.stringify(hashes)}${text === undefined ? '' : `,"value":${text}`}}`,
      )
      await rename(own, this.#folder)
      await this.#makeRoom()
    } catch (error) {
      await rm(own, { recursive: true, force: true })
      // Another worker process was sooner.
      if (!(await isThere(this.#folder))) this.tellUnkept(describeError(error))
    }
    return text === undefined ? undefined : JSON.parse(text)
  }

  async #makeRoom(): Promise<void> {
    const parent = path.dirname(this.#folder)
    const names = (await readdir(parent)).map((name) => path.join(parent, name))
    const all = await Promise.all(names.map(async (name) => ({ name, ...(await sizeOf(name)) })))
    let [count, bytes] = [0, 0]
    for (const each of all.sort((one, other) => other.usedMs - one.usedMs)) {
      count++
      bytes += each.bytes
      if ((count <= MAX_KEPT && bytes <= MAX_BYTES) || each.name === this.#folder) continue
      await rm(each.name, { recursive: true, force: true })
    }
  }
}

function toConsole(line: string): void {
  process.stderr.write(`blinknet: ${line}\n`)
}

/** Why the preparation of a chain with these options would not be the same the next time. */
function whyNot({ data, fork }: ChainOptions): string | undefined {
  if (data !== undefined) return 'a chain with data is in its directory'
  if (typeof fork !== 'object' || (fork.blockNumber !== undefined && fork.blockNumber >= 0)) return undefined
  return 'its fork names no block (blockNumber), and the newest is another one each time'
}

/** @throws {TypeError} If a value is no JSON. */
function asJson(value: unknown): string | undefined {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (error) {
    const why = `a preparation with dependsOn returns what JSON has: ${describeError(error)}`
    throw new TypeError(why, { cause: error })
  }
  if (text !== undefined && text.length > MAX_VALUE) {
    throw new TypeError(`a preparation returns at most ${MAX_VALUE} characters of JSON, not ${text.length}`)
  }
  return text
}

/** The chain that begins with it says why a file cannot be read. */
function hashIfThere(file: string): Promise<string> {
  return hashOfFile(file).catch(() => '')
}

async function modulesAbove(at: string): Promise<string | undefined> {
  for (let folder = path.resolve(at); ; folder = path.dirname(folder)) {
    const modules = path.join(folder, 'node_modules')
    if (await isThere(modules)) return modules
    if (folder === path.dirname(folder)) return undefined
  }
}

async function isThere(name: string): Promise<boolean> {
  return (await stat(name).catch(() => undefined))?.isDirectory() === true
}

async function readBounded(file: string): Promise<string> {
  const { size } = await stat(file)
  if (size > 2 * MAX_VALUE) throw new Error(`${file} has ${size} bytes`)
  return readFile(file, 'utf8')
}

/** Bytes of a folder's files, and when it was last used; nothing of one that another process is removing. */
async function sizeOf(folder: string): Promise<{ readonly bytes: number; readonly usedMs: number }> {
  try {
    const files = await readdir(folder)
    const sizes = await Promise.all(files.map(async (name) => (await stat(path.join(folder, name))).size))
    return { bytes: sizes.reduce((sum, size) => sum + size, 0), usedMs: (await stat(folder)).mtimeMs }
  } catch {
    return { bytes: 0, usedMs: 0 }
  }
}
