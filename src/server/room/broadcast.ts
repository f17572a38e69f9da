import type { Clock } from '#primitives/clock.ts'
import type { Hex } from '#primitives/hex.ts'
import { type SharedTexts, shareTexts } from '#server/http/frames.ts'

/** Takes notifications, which all receivers share. */
export type Receive = (bodies: SharedTexts) => void

/** Receivers served in a row before the chain and other callers get their turn. */
const AT_ONCE = 500
/** Notifications that wait while earlier ones are sent; if more do, the oldest of them is left out. */
const MAX_WAITING = 100

/**
 * One subscription that all guests share: its notifications are made once, and sent in turns beside the chain's ticks.
 * Those of one tick are one write for each receiver: 2,000 writes are most of what 2,000 watchers cost.
 */
export class Broadcast {
  readonly id: Hex
  readonly #clock: Pick<Clock, 'yield'>
  readonly #receivers = new Set<Receive>()
  /** Receivers who have not got the answer with the id yet. */
  readonly #joining = new Set<Receive>()
  /** JSON. */
  #waiting: string[] = []
  #sending = false

  /** @param id - The id of everyone's subscription. */
  constructor(id: Hex, clock: Pick<Clock, 'yield'>) {
    this.id = id
    this.#clock = clock
  }

  /** Serves a receiver from the next turn on, when it has the answer with the id. */
  add(receive: Receive): void {
    this.#joining.add(receive)
    void this.#clock.yield().then(() => {
      if (this.#joining.delete(receive)) this.#receivers.add(receive)
    })
  }

  /** Whether it was a receiver. */
  delete(receive: Receive): boolean {
    const wasJoining = this.#joining.delete(receive)
    return this.#receivers.delete(receive) || wasJoining
  }

  /** @param result - JSON. */
  send(result: string): void {
    if (this.#receivers.size === 0) return
    if (this.#waiting.length === MAX_WAITING) this.#waiting.shift()
    const subscription = `{"subscription":"${this.id}","result":${result}}`
    this.#waiting.push(`{"jsonrpc":"2.0","method":"eth_subscription","params":${subscription}}`)
    if (!this.#sending) void this.#sendAll()
  }

  async #sendAll(): Promise<void> {
    this.#sending = true
    try {
      await this.#clock.yield()
      while (this.#waiting.length > 0) {
        const bodies = shareTexts(this.#waiting)
        this.#waiting = []
        let served = 0
        for (const receive of [...this.#receivers]) {
          // A receiver may have left meanwhile.
          if (this.#receivers.has(receive)) receive(bodies)
          if (++served % AT_ONCE === 0) await this.#clock.yield()
        }
      }
    } finally {
      this.#sending = false
    }
  }
}
