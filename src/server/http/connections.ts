import type { Socket } from 'node:net'

/** What decides about a server's connections besides their number. */
export interface ConnectionRules {
  /** Whether a new one may stay; nothing has been read from it yet. */
  readonly admit: (socket: Socket) => boolean
  /** Closes those that have been answered and wait for the next request. */
  readonly closeIdle: () => void
}

/**
 * The open TCP connections of a server, including WebSockets. When there are as many as it may have, the one that has
 * been silent for longest has to go, not the one who comes next: silent is who has not asked for anything yet.
 */
export class Connections {
  readonly #most: number
  readonly #rules: ConnectionRules
  readonly #open = new Set<Socket>()
  /** Those that have not sent a whole request yet, the oldest first. */
  readonly #silent = new Set<Socket>()

  /** @param most - How many there may be. */
  constructor(most: number, rules: ConnectionRules) {
    this.#most = most
    this.#rules = rules
  }

  /** A new connection. It is kept, or destroyed. */
  add(socket: Socket): void {
    // Node.js hands a connection over more than once.
    if (this.#open.has(socket)) return
    if (this.#open.size < this.#most) return this.#keep(socket)
    const [longestSilent] = this.#silent
    if (!longestSilent) {
      // The next ones may find room.
      this.#rules.closeIdle()
      socket.destroy()
      return
    }
    this.#silent.delete(longestSilent)
    // Its place is free once it is closed, which is before anything is read.
    longestSilent.once('close', () => this.#keep(socket))
    longestSilent.destroy()
  }

  #keep(socket: Socket): void {
    if (socket.destroyed) return
    if (!this.#rules.admit(socket)) return void socket.destroy()
    this.#open.add(socket)
    this.#silent.add(socket)
    socket.once('close', () => this.#forget(socket))
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
