import type { JsonRpcRequest } from '#rpc-types/envelope.ts'

/** A room lets each guest have a few costly calls under way: fewer than a screen of the page asks at once. */
const AT_ONCE = 3

/** Calls that do not count: they wait long, follow from a press, or cost the room little. */
const UNCOUNTED = /^(?:room_|eth_send|eth_subscribe|eth_unsubscribe)/

/** Keeps the calls of a room's guest within what the room allows at a time: the others wait for their turn. */
export class GuestCalls {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** @param body - The request, as the page's provider wrote it. */
  async run<Answer>(body: string, ask: () => Promise<Answer>): Promise<Answer> {
    const { method } = JSON.parse(body) as JsonRpcRequest
    if (UNCOUNTED.test(method)) return ask()
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await ask()
    } finally {
      // The place of a call that has ended goes to the next one.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
