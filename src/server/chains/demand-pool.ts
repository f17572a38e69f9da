import type { Node } from '#node/node.ts'
import { RpcRefusedError, toErrorObject } from '#node/rpc/errors.ts'
import type { Cancel, Clock } from '#primitives/clock.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Caller, ConnectOptions, LatestReading, Push, RpcConnection } from '#rpc-types/connection.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { UsageError } from '#server/cli/usage-error.ts'
import { type ChainAtPath, reachable } from '#server/http/chain-paths.ts'
import { failedAnswer } from '#transport/relay/call-again.ts'

/** A chain that was made on demand, and runs. */
export interface MadeChain {
  readonly node: Node
  close(): Promise<void>
}

export interface DemandPoolOptions {
  readonly clock: Clock
  /** Chains that there may be, those that are ending among them. */
  readonly size: number
  /** Time without use after which one is gone. */
  readonly idleMs: number
  readonly log: (level: 'info' | 'warn' | 'error', message: string, details?: unknown) => void
}

/** A chain of the pool while somebody may use it. */
interface Entry {
  readonly name: string
  readonly opening: Promise<Opened>
  /** Calls over HTTP that are under way, and WebSockets that have called it. */
  users: number
  /** When the last of them left. */
  leftAt: number
  /** End the WebSockets that use it. */
  readonly cutOff: Set<() => void>
}

interface Opened {
  readonly made: MadeChain
  readonly reached: ReturnType<typeof reachable>
}

/** Who lets go of an entry, at most once. */
type Leave = () => void

/**
 * Chains that callers make by calling them, each by its name. They are bounded in number, and one that nobody has used for a
 * while is gone: its name then stands for a new one.
 */
export class DemandPool {
  readonly #options: DemandPoolOptions
  readonly #entries = new Map<string, Entry>()
  /** Chains that are ending, whose memory is not free yet. */
  readonly #ending = new Set<Promise<void>>()
  /** One is made at a time, and the others have their turn in between. */
  #made: Promise<unknown> = Promise.resolve()
  #cancelSweep: Cancel | undefined
  #isClosed = false

  constructor(options: DemandPoolOptions) {
    this.#options = options
  }

  /** Names of the chains that are there. */
  names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /**
   * The chain with a name, which its first call makes. If it cannot be made, the call is answered by why.
   *
   * @param make - Makes it, running.
   */
  at(name: string, make: () => Promise<MadeChain>): ChainAtPath {
    const callerOf = (latest: LatestReading): RpcConnection => ({
      handle: (body, caller) => this.#handleOnce(name, make, latest, body, caller),
      close() {},
    })
    return {
      callers: { sealed: callerOf('sealed'), preconfirmed: callerOf('preconfirmed') },
      connect: (push, options, cutOff) =>
        new PoolConnection(() => this.#enter(name, make, cutOff), { push, options, answerTo: this.#answerTo }),
    }
  }

  /** Ends a chain with all connections to it. @returns Whether it was there. */
  async end(name: string): Promise<boolean> {
    const entry = this.#entries.get(name)
    if (!entry) return false
    await this.#end(entry)
    return true
  }

  /** Ends all chains, and waits for those that are ending. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelSweep?.()
    for (const entry of [...this.#entries.values()]) void this.#end(entry)
    await Promise.all(this.#ending)
  }

  async #handleOnce(
    name: string,
    make: () => Promise<MadeChain>,
    latest: LatestReading,
    body: string,
    caller: Caller | undefined,
  ): Promise<string | undefined> {
    try {
      const [entry, leave] = this.#enter(name, make)
      try {
        const { reached } = await entry.opening
        return await reached.callers[latest].handle(body, caller)
      } finally {
        leave()
      }
    } catch (error) {
      return this.#answerTo(body, error)
    }
  }

  /** Why there is no chain, as an answer. */
  readonly #answerTo = (body: string, error: unknown): string | undefined => {
    const { code, message } = refusalOf(error)
    return failedAnswer(body, message, code)
  }

  /**
   * Counts one more user of a chain.
   *
   * @throws {RpcRefusedError} If it is not there, and there is no room for it.
   */
  #enter(name: string, make: () => Promise<MadeChain>, cutOff?: () => void): readonly [Entry, Leave] {
    const entry = this.#entries.get(name) ?? this.#add(name, make)
    entry.users++
    if (cutOff) entry.cutOff.add(cutOff)
    let isLeft = false
    return [
      entry,
      () => {
        if (isLeft) return
        isLeft = true
        entry.users--
        if (cutOff) entry.cutOff.delete(cutOff)
        entry.leftAt = this.#options.clock.now()
        if (entry.users === 0 && this.#entries.get(entry.name) === entry) this.#sweepLater(this.#options.idleMs)
      },
    ]
  }

  #add(name: string, make: () => Promise<MadeChain>): Entry {
    const { size, clock, log } = this.#options
    if (this.#isClosed) throw new RpcRefusedError('server', 'the server is stopping')
    if (this.#entries.size + this.#ending.size >= size) {
      const advice =
        'end one by DELETE, wait until one was idle for long enough (--pool-idle), or allow more (--pool-size)'
      throw new RpcRefusedError('limit-exceeded', `the pool is full: it has ${size} chains; ${advice}`)
    }
    const opening = this.#made.then(async () => {
      await clock.yield()
      if (this.#entries.get(name) !== entry) throw new RpcRefusedError('server', `the chain ${name} was ended`)
      const made = await make()
      return { made, reached: reachable(made.node) }
    })
    this.#made = opening.catch(() => {})
    const entry: Entry = { name, opening, users: 0, leftAt: clock.now(), cutOff: new Set() }
    this.#entries.set(name, entry)
    opening.catch((error: unknown) => {
      // The next call tries again.
      if (this.#entries.get(name) === entry) this.#entries.delete(name)
      const { code, message } = refusalOf(error)
      if (code === ERROR_CODES.internal) log('error', `no chain could be made for ${name}`, error)
      else log('warn', `no chain could be made for ${name}: ${message}`)
    })
    return entry
  }

  async #end(entry: Entry): Promise<void> {
    this.#entries.delete(entry.name)
    const ending = this.#close(entry).finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
    await ending
  }

  async #close({ name, opening, cutOff }: Entry): Promise<void> {
    const opened = await opening.catch(() => undefined)
    for (const end of cutOff) end()
    if (!opened) return
    try {
      opened.reached.close()
      await opened.made.close()
    } catch (error) {
      this.#options.log('error', `the chain ${name} could not be closed`, error)
    }
  }

  #sweepLater(delayMs: number): void {
    if (this.#isClosed) return
    this.#cancelSweep ??= this.#options.clock.schedule(() => {
      this.#cancelSweep = undefined
      this.#sweep()
    }, delayMs)
  }

  /** Ends what was idle for long enough, and looks again when the next one may have been. */
  #sweep(): void {
    const { clock, idleMs } = this.#options
    const now = clock.now()
    let next = Number.POSITIVE_INFINITY
    for (const entry of [...this.#entries.values()]) {
      if (entry.users > 0) continue
      const left = entry.leftAt + idleMs - now
      if (left <= 0) void this.#end(entry)
      else next = Math.min(next, left)
    }
    if (next !== Number.POSITIVE_INFINITY) this.#sweepLater(next)
  }
}

interface PoolConnectionOptions {
  readonly push: Push
  readonly options: ConnectOptions
  readonly answerTo: (body: string, error: unknown) => string | undefined
}

/** A WebSocket to a chain of a pool. Its first message makes the chain, or finds it; from then on the chain is in use. */
class PoolConnection implements RpcConnection {
  readonly #enter: () => readonly [Entry, Leave]
  readonly #options: PoolConnectionOptions
  #inner: Promise<RpcConnection> | undefined
  #leave: Leave | undefined
  #isClosed = false

  constructor(enter: () => readonly [Entry, Leave], options: PoolConnectionOptions) {
    this.#enter = enter
    this.#options = options
  }

  async handle(body: string, caller?: Caller): Promise<string | undefined> {
    let inner: RpcConnection
    try {
      this.#inner ??= this.#open()
      inner = await this.#inner
    } catch (error) {
      return this.#options.answerTo(body, error)
    }
    return inner.handle(body, caller)
  }

  close(): void {
    this.#isClosed = true
    this.#leave?.()
    // One that could not be opened has told its caller.
    this.#inner?.then((inner) => inner.close()).catch(() => {})
  }

  async #open(): Promise<RpcConnection> {
    invariant(!this.#isClosed, 'a WebSocket that is closed sends nothing')
    try {
      const [entry, leave] = this.#enter()
      this.#leave = leave
      const { reached } = await entry.opening
      const { push, options } = this.#options
      return reached.connect(push, options, () => {})
    } catch (error) {
      this.#leave?.()
      this.#inner = undefined
      throw error
    }
  }
}

/** Why a chain could not be made; of a bug no more than that. */
function refusalOf(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof UsageError) return { code: ERROR_CODES.server, message: error.message }
  return toErrorObject(error) ?? { code: ERROR_CODES.internal, message: 'internal error: no chain could be made' }
}
