import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  type FileHandle,
  link,
  lstat,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { JournalError } from '#node/storage/journal.ts'

// Why a lock is never held twice: `link` creates a holder's complete record under the lock's name, and fails if there
// is one. A stale record is replaced by `rename`, and only by the process that has claimed that very record. A claim is
// itself a lock, named after the record, so a dead claimer's claim is taken over in the same way.

/** The locks that this process holds. */
const held = new Set<string>()

/** Milliseconds between a holder's heartbeats, for processes that cannot see it. */
const HEARTBEAT_MS = 1_000
/** Milliseconds without a heartbeat before the lock is taken over: far longer than a busy node pauses. */
const WATCH_MS = 15_000
/** Longest record that is read; a node writes some hundred bytes. */
const MAX_RECORD_BYTES = 65_536
/** Attempts to take a lock that others are about to release or restore. */
const TRIES = 100
const TRY_AGAIN_MS = 20

/** The holder of a lock. */
interface Holder {
  readonly token: string
  readonly pid: number
  /** Identifies the machine, its boot and the container: within it a process number is unique at any time. */
  readonly place: string
  /** When the process started, as its machine counts; `null` if unknown. Process numbers are reused. */
  readonly startedAt: string | null
}

/**
 * Takes a lock file that names its process. The lock of a process that is gone is taken over: at once if that is
 * visible, or after a time without heartbeats if the process is on another machine or in another container.
 *
 * @param what - What the lock is for, for the error.
 * @param watchMs - How long to wait for a heartbeat.
 * @returns A function that releases the lock.
 * @throws {JournalError} `unavailable` if somebody holds it.
 */
export async function takeLock(name: string, what: string, watchMs = WATCH_MS): Promise<() => Promise<void>> {
  const file = path.resolve(name)
  // This comes before any await, so that two calls in this process cannot both continue.
  if (held.has(file)) throw new JournalError('unavailable', `${what} is open in this process already.`)
  held.add(file)
  try {
    const lock = new LockFile(file, what, watchMs, await thisProcess(process.pid))
    await lock.take()
    const heartbeat = setInterval(() => void lock.touch(), HEARTBEAT_MS)
    heartbeat.unref()
    return async () => {
      clearInterval(heartbeat)
      held.delete(file)
      await lock.giveBack()
    }
  } catch (error) {
    held.delete(file)
    throw error
  }
}

class LockFile {
  readonly #file: string
  readonly #what: string
  readonly #watchMs: number
  readonly #self: Holder

  constructor(file: string, what: string, watchMs: number, self: Holder) {
    this.#file = file
    this.#what = what
    this.#watchMs = watchMs
    this.#self = self
  }

  async take(): Promise<void> {
    const draft = `${this.#file}.${this.#self.token}.new`
    await writeFile(draft, `${JSON.stringify(this.#self)}\n`, { mode: 0o600, flag: 'wx' })
    try {
      await this.#put(draft, this.#file)
    } finally {
      await rm(draft, { force: true })
    }
    await this.#clearAway()
  }

  /**
   * Puts the record of `draft` under a name, if there is none or a stale one.
   *
   * @throws {JournalError} `unavailable` if the holder is alive, or others interfere for too long.
   */
  async #put(draft: string, name: string): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      if (await linked(draft, name)) return
      const record = await this.#read(name)
      if (record === undefined) continue
      await this.#refuseIfAlive(record, name)
      const claim = `${this.#file}.${digestOf(record)}.claim`
      const isClaimed = await this.#tryClaim(draft, claim)
      if (isClaimed) {
        // It may have been replaced before the claim. From here on nobody else replaces this record.
        const isStale = (await this.#read(name)) === record
        if (isStale) {
          const copy = `${draft}.copy`
          await link(draft, copy)
          await rename(copy, name)
        }
        await rm(claim, { force: true })
        if (isStale) return
      }
      await wait(TRY_AGAIN_MS)
    }
    throw new JournalError('unavailable', `${this.#what} is being opened by another process.`)
  }

  /**
   * The record under a name; `undefined` if there is none.
   *
   * @throws {JournalError} `unavailable` if something is there that no node has put there.
   */
  async #read(name: string): Promise<string | undefined> {
    const handle = await openIfThere(name)
    if (!handle) {
      if (await isLink(name))
        throw this.#refusal('is locked by a link that leads nowhere. If no node has it open,', name)
      return undefined
    }
    try {
      const found = await handle.stat()
      if (!found.isFile() || found.size > MAX_RECORD_BYTES) {
        throw this.#refusal('is locked by something that no node writes. If no node has it open,', name)
      }
      return await handle.readFile('utf8')
    } finally {
      await handle.close()
    }
  }

  /** @returns `false` if another live process has claimed the record. */
  async #tryClaim(draft: string, claim: string): Promise<boolean> {
    try {
      await this.#put(draft, claim)
      return true
    } catch (error) {
      if (error instanceof JournalError) return false
      throw error
    }
  }

  /** Removes claims on records that no longer exist, left by processes that died half-way. */
  async #clearAway(): Promise<void> {
    const directory = path.dirname(this.#file)
    const begin = `${path.basename(this.#file)}.`
    for (const name of await readdir(directory)) {
      if (name.startsWith(begin) && name.endsWith('.claim')) await rm(path.join(directory, name), { force: true })
    }
  }

  /** The heartbeat. */
  async touch(): Promise<void> {
    const now = new Date()
    try {
      await utimes(this.#file, now, now)
    } catch (error) {
      // It is being moved away right now, or the disk is gone, which the journal will report.
      if (!isSystemError(error)) throw error
    }
  }

  async giveBack(): Promise<void> {
    const record = await this.#read(this.#file)
    // Somebody may have taken it over from a holder without heartbeats.
    if (record !== undefined && holderOf(record)?.token === this.#self.token) await rm(this.#file, { force: true })
  }

  /** @throws {JournalError} `unavailable` if the holder is alive. */
  async #refuseIfAlive(record: string, file: string): Promise<void> {
    const holder = holderOf(record)
    if (!holder) {
      // Truncated by a crash, or written by a version that used two steps.
      if (await this.#showsLife(file)) throw this.#refusal('is locked by an unknown process. If no node has it open,')
      return
    }
    const { pid, place, startedAt } = holder
    if (place !== this.#self.place && place !== '') {
      if (!(await this.#showsLife(file))) return
      throw this.#refusal(
        `is open in process ${pid} of another machine or container. Stop that node first; if it is none,`,
      )
    }
    if (pid === process.pid && (startedAt === null || startedAt !== this.#self.startedAt)) return
    if (!isRunning(pid) || (startedAt !== null && (await startOf(pid)) !== startedAt)) return
    throw this.#refusal(`is open in process ${pid}. Stop that node first; if it is none,`)
  }

  /** Whether the file changes while it is looked at. */
  async #showsLife(file: string): Promise<boolean> {
    const before = await changedAt(file)
    for (let waited = 0; waited < this.#watchMs; waited += HEARTBEAT_MS) {
      await wait(Math.min(HEARTBEAT_MS, this.#watchMs))
      if ((await changedAt(file)) !== before) return true
    }
    return false
  }

  #refusal(problem: string, file = this.#file): JournalError {
    return new JournalError('unavailable', `${this.#what} ${problem} delete ${file}.`)
  }
}

/** Identifies a record in a file name. */
function digestOf(record: string): string {
  return createHash('sha256').update(record).digest('hex').slice(0, 16)
}

/** Identity of a process. */
async function thisProcess(pid: number): Promise<Holder> {
  const machine = await Promise.all([readIfThere('/proc/sys/kernel/random/boot_id'), linkTarget('/proc/self/ns/pid')])
  const place = [hostname(), ...machine.map((text) => text?.trim() ?? '')].join(' ')
  return { token: randomUUID(), pid, place, startedAt: await startOf(pid) }
}

/** When a process started, in ticks since its machine booted; `null` if unknown. */
async function startOf(pid: number): Promise<string | null> {
  const record = await readIfThere(`/proc/${pid}/stat`)
  // The program's name is in brackets and may contain any characters.
  return record?.slice(record.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

/** Reads a lock. Earlier versions wrote only the process number. `undefined` if it is unreadable. */
function holderOf(record: string): Holder | undefined {
  const alone = /^\d+\n?$/.test(record) ? Number(record) : undefined
  if (alone !== undefined) return isPid(alone) ? { token: '', pid: alone, place: '', startedAt: null } : undefined
  let value: unknown
  try {
    value = JSON.parse(record)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
  const { token, pid, place, startedAt } = (value ?? {}) as Partial<Record<keyof Holder, unknown>>
  const isHolder = typeof token === 'string' && isPid(pid) && typeof place === 'string'
  if (!isHolder) return undefined
  return { token, pid, place, startedAt: typeof startedAt === 'string' ? startedAt : null }
}

/** Whether a process can have that number; 0 and numbers below it mean groups of processes. */
function isPid(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < 2 ** 31
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // EPERM: it exists, but belongs to another user.
    if (code === 'ESRCH') return false
    if (code === 'EPERM') return true
    throw error
  }
}

/** `false` if there is a file of that name. */
async function linked(existing: string, name: string): Promise<boolean> {
  try {
    await link(existing, name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Opens a file, but waits for nobody who would write into a pipe. `undefined` if there is none. */
async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Whether there is a symbolic link of that name, wherever it leads. */
async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** `undefined` if there is none, or it is unreadable. */
async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function linkTarget(file: string): Promise<string | undefined> {
  try {
    return await readlink(file)
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

async function changedAt(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT'
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
