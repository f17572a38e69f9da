import type { Socket } from 'node:net'

/** What decides about a server's connections besides their number. */
export interface ConnectionRules {
  /**
   * Whether a new one may stay; nothing has been read from it yet.
   *
   * @param leaving - How many of those that may stay are being closed, or will be if this one stays.
   */
  readonly admit: (socket: Socket, leaving: number) => boolean
  /** Closes connections that have been answered and wait for the next request. */
  readonly closeIdle: () => void
}

/**
 * The open TCP connections of a server, including WebSockets. When there are too many, the one that has been silent the
 * longest is closed, not the newcomer. A connection is silent until its first request.
 */
export class Connections {
  readonly #most: number
  readonly #rules: ConnectionRules
  readonly #open = new Set<Socket>()
  /** Connections that have not sent a whole request yet, oldest first. */
  readonly #silent = new Set<Socket>()
  /** How many were destroyed to make room, and are not closed yet. */
  #leaving = 0

  /** @param most - How many there may be. */
  constructor(most: number, rules: ConnectionRules) {
    this.#most = most
    this.#rules = rules
  }

  /** A new connection. It is kept, or destroyed. */
  add(socket: Socket): void {
    // Node.js hands a connection over more than once.
    if (this.#open.has(socket)) return
    const isFull = this.#open.size >= this.#most
    const longestSilent = isFull ? this.#silent.values().next().value : undefined
    if (isFull && !longestSilent) {
      // The next ones may find room.
      this.#rules.closeIdle()
      socket.destroy()
      return
    }
    // This comes first: whoever is not admitted must not drive others away.
    if (!this.#rules.admit(socket, this.#leaving + (longestSilent ? 1 : 0))) return void socket.destroy()
    if (longestSilent) this.#makeLeave(longestSilent)
    this.#open.add(socket)
    this.#silent.add(socket)
    socket.once('close', () => this.#forget(socket))
  }

  #makeLeave(socket: Socket): void {
    this.#forget(socket)
    this.#leaving++
    socket.once('close', () => this.#leaving--)
    socket.destroy()
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket)
    this.#silent.delete(socket)
  }

  /** A request or an upgrade has come over a connection. */
  hasAsked(socket: Socket): void {
    this.#silent.delete(socket)
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
