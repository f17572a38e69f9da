import type { Socket } from 'node:net'
import type { Clock } from '#primitives/clock.ts'
import { invariant } from '#primitives/invariant.ts'
import { Allowance, takeFromAll } from './allowance.ts'
import { type GuestBudgets, TimeBudget } from './guest-time.ts'
import {
  type Action,
  ADDRESS_RATES,
  CONNECTION_RATES,
  CONNECTIONS_PER_ADDRESS,
  ROOM_LIMITS,
  ROOM_RATES,
  type SharedAction,
  TIME_RATES,
} from './limits.ts'
import { sourceOf } from './source-address.ts'

/** Addresses that are remembered. Once there are more, old ones without a connection are forgotten; of twice as many, new ones too. */
const MAX_SOURCES = 5_000
/** Milliseconds; by then an address has its full allowance again. */
const SOURCE_KEPT_MS = 60_000

/** What is counted for a network address. */
interface Source {
  connections: number
  /** When the last of them ended. */
  leftAt: number
  readonly allowance: Allowance<SharedAction>
  readonly time: TimeBudget
}

/** What a guest's TCP connection counts against. */
interface Line {
  readonly own: Allowance<Action>
  /** The allowances of its address, unless that is loopback, and of the room. */
  readonly shared: readonly Allowance<SharedAction>[]
  readonly time: GuestBudgets
}

/** Limits the TCP connections of guests, and the requests on them. */
export class Entrance {
  readonly #clock: Pick<Clock, 'now'>
  readonly #allowance = new Allowance(ROOM_RATES)
  readonly #sources = new Map<string, Source>()
  readonly #lines = new WeakMap<Socket, Line>()
  /** Open TCP connections of guests. */
  #open = 0

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /**
   * Whether a new TCP connection may stay open; nothing has been read from it yet.
   *
   * @param leaving - How many of the connections that were admitted are about to close.
   */
  admit(socket: Socket, leaving: number): boolean {
    if (this.#open - leaving >= ROOM_LIMITS.connections) return false
    const name = sourceOf(socket.remoteAddress)
    const source = name === undefined ? undefined : (this.#sources.get(name) ?? newSource())
    if (source && source.connections >= CONNECTIONS_PER_ADDRESS) return false
    const shared = source ? [source.allowance, this.#allowance] : [this.#allowance]
    if (takeFromAll(shared, 'open', this.#clock.now()) > 0) return false
    if (source && name !== undefined) this.#count(socket, source, name)
    const time = { own: new TimeBudget(TIME_RATES.connection), source: source?.time }
    this.#lines.set(socket, { own: new Allowance(CONNECTION_RATES), shared, time })
    this.#open++
    socket.once('close', () => this.#open--)
    return true
  }

  /** Counts a connection of a source while it is open. */
  #count(socket: Socket, source: Source, name: string): void {
    source.connections++
    this.#sources.set(name, source)
    socket.once('close', () => {
      source.connections--
      source.leftAt = this.#clock.now()
      this.#forgetSources()
    })
  }

  /** Counts a request over HTTP or for a WebSocket; `false`: it is one too many. */
  takeRequest(socket: Socket): boolean {
    const line = this.#lines.get(socket)
    return line !== undefined && takeFromAll(line.shared, 'request', this.#clock.now()) === 0
  }

  /** What the calls on a connection that was admitted count against. */
  allowancesOf(socket: Socket): readonly Allowance<Action>[] {
    const { own, shared } = this.#lineOf(socket)
    return [own, ...shared]
  }

  /** What the time of transactions counts against, of a guest who joins by a connection that was admitted. */
  timeOf(socket: Socket): GuestBudgets {
    return this.#lineOf(socket).time
  }

  #lineOf(socket: Socket): Line {
    const line = this.#lines.get(socket)
    invariant(line, 'the connection was admitted')
    return line
  }

  /** Addresses are remembered for a while, so that nobody gets a new allowance by connecting again. */
  #forgetSources(): void {
    if (this.#sources.size <= MAX_SOURCES) return
    for (const [name, { connections, leftAt }] of this.#sources) {
      const isOld = this.#clock.now() - leftAt > SOURCE_KEPT_MS
      if (connections === 0 && (isOld || this.#sources.size > 2 * MAX_SOURCES)) this.#sources.delete(name)
    }
  }
}

function newSource(): Source {
  const [allowance, time] = [new Allowance(ADDRESS_RATES), new TimeBudget(TIME_RATES.address)]
  return { connections: 0, leftAt: 0, allowance, time }
}
