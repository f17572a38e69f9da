import type { Socket } from 'node:net'
import type { Clock } from '#primitives/clock.ts'
import { Allowance, takeFromAll } from './allowance.ts'
import {
  type Action,
  ADDRESS_RATES,
  CONNECTION_RATES,
  CONNECTIONS_PER_ADDRESS,
  MAX_SILENT,
  ROOM_LIMITS,
  ROOM_RATES,
  type SharedAction,
} from './limits.ts'
import { sourceOf } from './roles.ts'

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
}

/** What a guest's TCP connection counts against. */
interface Line {
  readonly own: Allowance<Action>
  /** The allowances of its address, unless that is loopback, and of the room. */
  readonly shared: readonly Allowance<SharedAction>[]
}

/** Limits the TCP connections of guests, and the requests on them. */
export class Entrance {
  readonly #clock: Pick<Clock, 'now'>
  readonly #allowance = new Allowance(ROOM_RATES)
  readonly #sources = new Map<string, Source>()
  readonly #lines = new WeakMap<Socket, Line>()
  /** Connections from this machine on which no request has come yet, oldest first. */
  readonly #silent = new Set<Socket>()
  /** Open TCP connections of guests. */
  #open = 0

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Whether a new TCP connection may stay open; nothing has been read from it yet. */
  admit(socket: Socket): boolean {
    const name = sourceOf(socket.remoteAddress)
    if (name === undefined) {
      this.#awaitRequest(socket)
      return true
    }
    const source = this.#sources.get(name) ?? { connections: 0, leftAt: 0, allowance: new Allowance(ADDRESS_RATES) }
    if (source.connections >= CONNECTIONS_PER_ADDRESS || this.#open >= ROOM_LIMITS.connections) return false
    const shared = [source.allowance, this.#allowance]
    if (takeFromAll(shared, 'open', this.#clock.now()) > 0) return false
    source.connections++
    this.#sources.set(name, source)
    socket.once('close', () => {
      source.connections--
      source.leftAt = this.#clock.now()
      this.#forgetSources()
    })
    this.#enter(socket, shared)
    return true
  }

  /**
   * Keeps a connection from this machine until its first request tells whose it is. A tunnel may bring any number that
   * send none, and the speaker still gets in: the oldest makes room.
   */
  #awaitRequest(socket: Socket): void {
    this.#silent.add(socket)
    socket.once('close', () => this.#silent.delete(socket))
    const [oldest] = this.#silent
    if (this.#silent.size > MAX_SILENT && oldest) {
      this.#silent.delete(oldest)
      oldest.destroy()
    }
  }

  /** Takes note that a connection has brought a request. */
  hear(socket: Socket): void {
    this.#silent.delete(socket)
  }

  /** Counts a guest's request over HTTP or for a WebSocket; `false`: it is one too many. */
  takeRequest(socket: Socket): boolean {
    if (!this.#lines.has(socket) && this.#open >= ROOM_LIMITS.connections) return false
    return takeFromAll(this.#lineOf(socket).shared, 'request', this.#clock.now()) === 0
  }

  /** What the calls on a connection count against. */
  allowancesOf(socket: Socket): readonly Allowance<Action>[] {
    const { own, shared } = this.#lineOf(socket)
    return [own, ...shared]
  }

  #lineOf(socket: Socket): Line {
    return this.#lines.get(socket) ?? this.#enter(socket, [this.#allowance])
  }

  /** Counts a connection while it is open. */
  #enter(socket: Socket, shared: Line['shared']): Line {
    const line = { own: new Allowance(CONNECTION_RATES), shared }
    this.#lines.set(socket, line)
    this.#open++
    socket.once('close', () => this.#open--)
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
