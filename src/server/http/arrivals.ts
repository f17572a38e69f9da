import type { IncomingMessage, ServerResponse } from 'node:http'

/** Milliseconds between two looks, at most. */
const LOOK_MS = 1_000

interface Arriving {
  /** As `performance.now` counts. */
  readonly since: number
  readonly response: ServerResponse
}

/**
 * The time limit for requests to arrive. Node.js has one too, but it includes the time that a request waits for earlier
 * answers, as if its client were slow. Most requests are there at once, so all share one timer: one may take a second
 * more than the limit.
 */
export class Arrivals {
  readonly #limitMs: number
  readonly #giveUp: (request: IncomingMessage, response: ServerResponse) => void
  readonly #arriving = new Map<IncomingMessage, Arriving>()
  #timer: NodeJS.Timeout | undefined

  /** @param giveUp - Ends a request that is over the limit. */
  constructor(limitMs: number, giveUp: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#limitMs = limitMs
    this.#giveUp = giveUp
  }

  /** Gives a request the full time limit. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    if (request.complete) return
    this.#arriving.set(request, { since: performance.now(), response })
    if (!this.#timer) this.#lookLater()
  }

  /** The request has arrived, or its time does not count now. */
  end(request: IncomingMessage): void {
    this.#arriving.delete(request)
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => this.#look(), Math.min(this.#limitMs, LOOK_MS)).unref()
  }

  #look(): void {
    const latest = performance.now() - this.#limitMs
    for (const [request, { since, response }] of this.#arriving) {
      const isHere = request.complete || request.closed
      if (!isHere && since > latest) continue
      this.#arriving.delete(request)
      if (!isHere) this.#giveUp(request, response)
    }
    this.#timer = undefined
    if (this.#arriving.size > 0) this.#lookLater()
  }
}
