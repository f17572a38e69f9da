import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Listed, NOWHERE, UnorderedList } from '#primitives/unordered-list.ts'

/** Milliseconds between two looks, at most. */
const LOOK_MS = 1_000

/** A request that arrives. */
export interface Arriving extends Listed {
  readonly request: IncomingMessage
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
  readonly #arriving = new UnorderedList<Arriving>()
  #timer: NodeJS.Timeout | undefined

  /** @param giveUp - Ends a request that is over the limit. */
  constructor(limitMs: number, giveUp: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#limitMs = limitMs
    this.#giveUp = giveUp
  }

  /**
   * Gives a request the full time limit.
   *
   * @returns For {@link end}; `undefined` if it is here already.
   */
  begin(request: IncomingMessage, response: ServerResponse): Arriving | undefined {
    if (request.complete) return undefined
    const arriving = { request, response, since: performance.now(), place: NOWHERE }
    this.#arriving.add(arriving)
    if (!this.#timer) this.#lookLater()
    return arriving
  }

  /** The request has arrived, or its time does not count now. */
  end(arriving: Arriving | undefined): void {
    if (arriving) this.#arriving.delete(arriving)
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => this.#look(), Math.min(this.#limitMs, LOOK_MS)).unref()
  }

  #look(): void {
    const latest = performance.now() - this.#limitMs
    for (const arriving of this.#arriving.all()) {
      const { request, response, since } = arriving
      const isHere = request.complete || request.closed
      if (!isHere && since > latest) continue
      this.#arriving.delete(arriving)
      if (!isHere) this.#giveUp(request, response)
    }
    this.#timer = undefined
    if (this.#arriving.size > 0) this.#lookLater()
  }
}
