import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { linkTarget, readIfThere } from './lock-io.ts'

/** The holder of a lock, as its file says. */
export interface Holder {
  readonly token: string
  readonly pid: number
  /** Identifies the machine, its boot and the container: within it a process number is unique at any time. */
  readonly place: string
  /** When the process started, as its machine counts; `null` if unknown. Process numbers are reused. */
  readonly startedAt: string | null
  /** When it came to this state, in ISO format; left out by earlier versions. */
  readonly takenAt?: string
  /** Left out by earlier versions. */
  readonly state?: LockState
}

/**
 * How far a holder is.
 * - `taking`: a process that had the lock before may still write.
 * - `opened`: only this holder can write.
 * - `closed`: it has left, and nobody writes any more.
 * - `undone`: it has left, and a process that had the lock before it may still write.
 */
const LOCK_STATES = ['taking', 'opened', 'closed', 'undone'] as const

export type LockState = (typeof LOCK_STATES)[number]

/** Words of {@link Holder.place}: the machine's name, its boot, and the container's space of process numbers. */
const PLACE_WORDS = 3

/** This process as the holder of a lock that it takes now. */
export async function thisProcess(pid: number): Promise<Holder> {
  const machine = await Promise.all([readIfThere('/proc/sys/kernel/random/boot_id'), linkTarget('/proc/self/ns/pid')])
  const place = [hostname(), ...machine.map((text) => text?.trim() ?? '')].join(' ')
  return { token: randomUUID(), pid, place, startedAt: await startOf(pid) }
}

/** The beginning of a lock's text, which stays as it is; ASCII. The end is {@link recordEnd}. */
export function recordStart({ state: _state, takenAt: _takenAt, ...holder }: Holder): string {
  return JSON.stringify(holder)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replace(/\}$/, ',')
}

/** The end of a lock's text; always of the same length, so that one takes the place of another in one step. */
export function recordEnd(state: LockState, takenAt: string): string {
  return `"takenAt":"${takenAt}","state":"${state}"}\n`
}

/** Reads a lock. Earlier versions wrote only the process number. `undefined` if it is unreadable. */
export function holderOf(record: string): Holder | undefined {
  const alone = /^\d+\n?$/.test(record) ? Number(record) : undefined
  if (alone !== undefined) return isPid(alone) ? { token: '', pid: alone, place: '', startedAt: null } : undefined
  let value: unknown
  try {
    value = JSON.parse(record)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
  const { token, pid, place, startedAt, takenAt, state } = (value ?? {}) as Partial<Record<keyof Holder, unknown>>
  const isHolder = typeof token === 'string' && isPid(pid) && typeof place === 'string'
  if (!isHolder) return undefined
  return {
    token,
    pid,
    place,
    startedAt: typeof startedAt === 'string' ? startedAt : null,
    ...(typeof takenAt === 'string' && { takenAt }),
    ...(isLockState(state) && { state }),
  }
}

function isLockState(value: unknown): value is LockState {
  return LOCK_STATES.some((state) => state === value)
}

/** Who that is, for a person: process, machine and time. */
export function describeHolder({ pid, place, takenAt }: Holder, self: Holder): string {
  const [host = ''] = place.split(' ')
  const where = host === '' ? '' : place === self.place ? ` on ${host}` : ` of another machine or container (${host})`
  const when = takenAt === undefined ? '' : `, at ${takenAt}`
  return `process ${pid}${where}${when}`.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 300)
}

/** Identifies a record in a file name. */
export function digestOf(record: string): string {
  return createHash('sha256').update(record).digest('hex').slice(0, 16)
}

/** Whether two processes are on the same machine, in the same boot and container. Earlier versions did not say where. */
export function isSamePlace(holder: Holder, self: Holder): boolean {
  return holder.place === self.place || holder.place === ''
}

/** What can be said of the process that holds a lock, from a process of the same place. */
export type Fate =
  | 'running'
  /** The holder cannot write any more. */
  | 'ended'
  /** No such process runs here, but the place has no unique name: it may run elsewhere. */
  | 'not-here'

/** @param holder - Of the {@link isSamePlace | same place}. */
export async function fateOf(holder: Holder, self: Holder): Promise<Fate> {
  const { pid, place, startedAt } = holder
  const isOther = pid === process.pid && (startedAt === null || startedAt !== self.startedAt)
  if (!isOther && isRunning(pid) && (startedAt === null || (await startOf(pid)) === startedAt)) return 'running'
  const words = place.split(' ')
  return words.length >= PLACE_WORDS && words.every((word) => word !== '') ? 'ended' : 'not-here'
}

/** When a process started, in ticks since its machine booted; `null` if unknown. */
async function startOf(pid: number): Promise<string | null> {
  const record = await readIfThere(`/proc/${pid}/stat`)
  // The program's name is in brackets and may contain any characters.
  return record?.slice(record.lastIndexOf(')') + 2).split(' ')[19] ?? null
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
