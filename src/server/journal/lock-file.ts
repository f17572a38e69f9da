// Longer than most files: the steps of taking, keeping and giving back one lock are only safe together.
import { constants } from 'node:fs'
import { type FileHandle, link, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { JournalError } from '#node/storage/journal.ts'
import { writeFully } from './file-io.ts'
import { changedAt, isLink, isSystemError, openIfThere, readRecord } from './lock-io.ts'
import {
  describeHolder,
  digestOf,
  fateOf,
  type Holder,
  holderOf,
  isSamePlace,
  type LockState,
  recordEnd,
  recordStart,
  thisProcess,
} from './lock-record.ts'

// Why a lock is never held twice: `link` creates a holder's complete record under the lock's name, and fails if there
// is one. A stale record is replaced by `rename`, and only by the process that has claimed that very record. A claim is
// itself a lock, named after the record, so a dead claimer's claim is taken over in the same way.
//
// A process may stand still between any two of its steps, for longer than any time limit, and then go on. So nothing
// here deletes a name that another process may meanwhile have made its own. A holder that ends writes that into its own
// record, through an open file: if somebody else has taken the lock over, that file has no name any more. And a holder
// asks before and after each write whether the lock is still its own: `requireOwn`.

/** The locks that this process holds. */
const held = new Set<string>()

/** Milliseconds between a holder's heartbeats, for processes that cannot see it. */
const HEARTBEAT_MS = 1_000
/** Milliseconds without a heartbeat before the lock is taken over: far longer than a busy node pauses. */
const WATCH_MS = 15_000
/** Attempts to take a lock that others are about to release or restore, and to read it where files are short. */
const TRIES = 100
const TRY_AGAIN_MS = 20
/** Age in milliseconds at which a draft counts as abandoned. */
const OLD_DRAFT_MS = 60_000
/** What `link` says where the file system has no hard links. */
const NO_LINKS = new Set(['EPERM', 'EACCES', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL'])
/** The process or the machine has too many files open at the moment. */
const TOO_MANY = new Set(['EMFILE', 'ENFILE', 'ENOMEM'])

/**
 * What became of the processes that had the lock before.
 * - `ended`: they write nothing any more.
 * - `may-return`: one of them may go on at any time. It showed no sign of life, or somebody has deleted its lock.
 */
export type Former = 'ended' | 'may-return'

/** Whose the file is that a lock protects, if there is one. */
export type Protected = 'own' | 'others' | 'gone'

/** A lock that this process has taken. */
export interface HeldLock {
  readonly token: string
  readonly former: Former
  /**
   * Tells what to do when somebody has deleted the lock.
   *
   * @param look - Whether what the lock protects is still this process' own, which then puts the lock back, somebody
   *   else's, or gone: then there is nothing to protect.
   */
  restoreIf(look: () => Promise<Protected>): void
  /**
   * Resolves if this process holds the lock at this moment.
   *
   * @throws {JournalError} `taken-over`, and then always; the message says by whom. `unavailable`.
   */
  requireOwn(): Promise<void>
  /** From now on no process that had the lock before can write what this one reads. */
  markOpened(): Promise<void>
  /** Leaves the lock to the next process, which then need not wait. */
  giveBack(): Promise<void>
}

export interface LockOptions {
  /** Milliseconds to wait for a heartbeat. */
  readonly watchMs?: number
  /** Called once when somebody else has taken the lock over. */
  readonly onLost?: (error: JournalError) => void
}

/**
 * Takes a lock file that names its process. The lock of a process that is gone is taken over: at once if that is
 * visible, or after a time without heartbeats if the process is on another machine or in another container.
 *
 * @param what - What the lock is for, for the error.
 * @throws {JournalError} `unavailable` if somebody holds it.
 */
export async function takeLock(name: string, what: string, options: LockOptions = {}): Promise<HeldLock> {
  const file = path.resolve(name)
  // This comes before any await, so that two calls in this process cannot both continue.
  if (held.has(file)) throw new JournalError('unavailable', `${what} is open in this process already.`)
  held.add(file)
  try {
    const lock = new LockFile(file, what, await thisProcess(process.pid), options)
    await lock.take()
    return lock
  } catch (error) {
    held.delete(file)
    throw error
  }
}

class LockFile implements HeldLock {
  readonly #file: string
  readonly #what: string
  readonly #watchMs: number
  readonly #self: Holder
  /** How this process' record begins, in any state. */
  readonly #start: string
  #state: LockState = 'taking'
  /** Since when, in ISO format. */
  #since = new Date().toISOString()
  readonly #onLost: (error: JournalError) => void
  #former: Former = 'may-return'
  #look: () => Promise<Protected> = () => Promise.resolve('others')
  #lost: JournalError | undefined
  #heartbeat: NodeJS.Timeout | undefined

  constructor(file: string, what: string, self: Holder, { watchMs = WATCH_MS, onLost = () => {} }: LockOptions) {
    this.#file = file
    this.#what = what
    this.#watchMs = watchMs
    this.#self = self
    this.#start = recordStart(self)
    this.#onLost = onLost
  }

  get token(): string {
    return this.#self.token
  }

  get #record(): string {
    return this.#start + recordEnd(this.#state, this.#since)
  }

  get former(): Former {
    return this.#former
  }

  restoreIf(look: () => Promise<Protected>): void {
    this.#look = look
  }

  async take(): Promise<void> {
    const draft = `${this.#file}.${this.token}.new`
    await writeFile(draft, this.#record, { mode: 0o600, flag: 'wx' })
    try {
      this.#former = await this.#put(draft, this.#file)
    } finally {
      await rm(draft, { force: true })
    }
    await this.#clearAway()
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  async requireOwn(): Promise<void> {
    for (let tries = 0; ; tries++) {
      if (this.#lost) throw this.#lost
      if (tries >= TRIES) throw new JournalError('unavailable', `${this.#file} does not stay where it is put.`)
      try {
        if (await this.#isOwn()) return
        const record = await this.#read(this.#file)
        if (this.#isMine(record)) continue
        const protectedIs = record === undefined ? await this.#look() : 'others'
        if (protectedIs === 'gone') return
        if (protectedIs === 'own') await this.#restore()
        else this.#lose(record)
      } catch (error) {
        if (!isSystemError(error) || !TOO_MANY.has(error.code ?? '') || tries >= TRIES - 1) throw error
        await wait(TRY_AGAIN_MS)
      }
    }
  }

  async markOpened(): Promise<void> {
    await this.#write('opened')
    await this.requireOwn()
  }

  async giveBack(): Promise<void> {
    clearInterval(this.#heartbeat)
    try {
      await this.#write(this.#state === 'opened' ? 'closed' : 'undone')
    } finally {
      held.delete(this.#file)
    }
  }

  async #write(state: LockState): Promise<void> {
    this.#state = state
    this.#since = new Date().toISOString()
    const end = Buffer.from(recordEnd(state, this.#since))
    await this.#withOwn((handle) => writeFully(handle, end, this.#start.length))
  }

  /** Acts on the file of this process' record, even if another file gets its name meanwhile. */
  async #withOwn(act: (handle: FileHandle) => Promise<void>): Promise<void> {
    const handle = await openIfThere(this.#file, constants.O_RDWR)
    if (!handle) return
    try {
      if (this.#isMine(await readRecord(handle))) await act(handle)
    } finally {
      await handle.close()
    }
  }

  #isMine(record: string | undefined): boolean {
    return record?.startsWith(this.#start) === true
  }

  /** Whether the name has this process' record. Each write asks, so it takes as few steps as possible. */
  async #isOwn(): Promise<boolean> {
    const handle = await openIfThere(this.#file, constants.O_RDONLY)
    if (!handle) return false
    try {
      const bytes = Buffer.alloc(this.#start.length)
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0)
      return this.#isMine(bytes.toString('latin1', 0, bytesRead))
    } catch (error) {
      // For example a folder; whoever reads it next says so.
      if (isSystemError(error)) return false
      throw error
    } finally {
      // Not awaited, so that writes do not wait for it.
      void handle.close()
    }
  }

  /** @param record - What is there instead of this process' record. */
  #lose(record: string | undefined): void {
    // A heartbeat and a write may find it at the same time.
    if (this.#lost) return
    const other = record === undefined ? undefined : holderOf(record)
    const who = other ? describeHolder(other, this.#self) : 'a process that has left it since'
    const problem = `${this.#what} was taken over by ${who}: this process had shown no sign of life, and writes nothing any more.`
    this.#lost = new JournalError('taken-over', problem)
    clearInterval(this.#heartbeat)
    this.#onLost(this.#lost)
  }

  /** Puts the record back under its name, unless somebody else's is there. */
  async #restore(): Promise<void> {
    const draft = `${this.#file}.${this.token}.new`
    await writeFile(draft, this.#record, { mode: 0o600 })
    try {
      await this.#create(draft, this.#file)
    } finally {
      await rm(draft, { force: true })
    }
  }

  async #beat(): Promise<void> {
    try {
      await this.requireOwn()
      const now = new Date()
      await this.#withOwn((handle) => handle.utimes(now, now))
    } catch (error) {
      // The disk is gone, which the journal will report, or the lock is, which was told already.
      if (!isSystemError(error) && !(error instanceof JournalError)) throw error
    }
  }

  /**
   * Puts the record of `draft` under a name, if there is none or a stale one.
   *
   * @throws {JournalError} `unavailable` if the holder is alive, or others interfere for too long.
   */
  async #put(draft: string, name: string): Promise<Former> {
    for (let tries = 0; tries < TRIES; tries++) {
      if (await this.#create(draft, name)) return 'may-return'
      const record = await this.#read(name)
      if (record === undefined) continue
      const former = await this.#refuseIfAlive(record, name)
      const claim = `${this.#file}.${digestOf(record)}.claim`
      const isClaimed = await this.#tryClaim(draft, claim)
      if (isClaimed) {
        // The record may have been replaced before the claim. From here on nobody else replaces this record.
        const isStale = (await this.#read(name)) === record
        if (isStale) {
          const copy = `${draft}.copy`
          await writeFile(copy, this.#record, { mode: 0o600, flag: 'wx' })
          await rename(copy, name)
        }
        // If this process has stood still, somebody may have taken over the claim, and then the lock.
        const isAlone = this.#isMine(await this.#read(claim))
        if (isAlone) await rm(claim, { force: true })
        if (isStale && this.#isMine(await this.#read(name))) return isAlone ? former : 'may-return'
      }
      await wait(TRY_AGAIN_MS)
    }
    throw new JournalError('unavailable', `${this.#what} is being opened by another process.`)
  }

  /** Creates the record of `draft` under a name. `false` if there is a file of that name. */
  async #create(draft: string, name: string): Promise<boolean> {
    try {
      await link(draft, name)
      return true
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') return false
      if (!NO_LINKS.has(code)) throw error
    }
    // For a moment the record is empty. Whoever sees that waits for it to change, as for a heartbeat.
    try {
      await writeFile(name, this.#record, { mode: 0o600, flag: 'wx', flush: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
    return this.#isMine(await this.#read(name))
  }

  /**
   * The record under a name; `undefined` if there is none.
   *
   * @throws {JournalError} `unavailable` if something is there that no node has put there.
   */
  async #read(name: string): Promise<string | undefined> {
    const handle = await openIfThere(name, constants.O_RDONLY)
    if (!handle) {
      if (await isLink(name))
        throw this.#refusal('is locked by a link that leads nowhere. If no node has it open,', name)
      return undefined
    }
    try {
      const record = await readRecord(handle)
      if (record === undefined) {
        throw this.#refusal('is locked by something that no node writes. If no node has it open,', name)
      }
      return record
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

  /**
   * Removes claims on records of earlier holders, and old drafts, both left by processes that died half-way. What is
   * listed while this process holds the lock is nothing that a later holder needs, whenever it is removed.
   */
  async #clearAway(): Promise<void> {
    const directory = path.dirname(this.#file)
    const begin = `${path.basename(this.#file)}.`
    const own = `${begin}${digestOf(this.#record)}.claim`
    const names = (await readdir(directory)).filter((name) => name.startsWith(begin) && name !== own)
    await this.requireOwn()
    for (const name of names) {
      const file = path.join(directory, name)
      const isOld = async () => Date.now() - ((await changedAt(file)) ?? Date.now()) > OLD_DRAFT_MS
      if (name.endsWith('.claim') || (/\.(new|copy)$/.test(name) && (await isOld()))) await rm(file, { force: true })
    }
  }

  /** @throws {JournalError} `unavailable` if the holder is alive. */
  async #refuseIfAlive(record: string, file: string): Promise<Former> {
    const holder = holderOf(record)
    if (!holder) {
      // Truncated by a crash, or written in two steps.
      if (await this.#showsLife(file)) throw this.#refusal('is locked by an unknown process. If no node has it open,')
      return 'may-return'
    }
    const { pid, state } = holder
    if (state === 'closed') return 'ended'
    if (state === 'undone') return 'may-return'
    if (!isSamePlace(holder, this.#self)) {
      if (!(await this.#showsLife(file))) return 'may-return'
      throw this.#refusal(
        `is open in process ${pid} of another machine or container. Stop that node first; if it is none,`,
      )
    }
    const fate = await fateOf(holder, this.#self)
    if (fate === 'running') throw this.#refusal(`is open in process ${pid}. Stop that node first; if it is none,`)
    return fate === 'ended' && state === 'opened' ? 'ended' : 'may-return'
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
