import type { Hex } from '#primitives/hex.ts'
import type { Feed } from './feeds.ts'

/** A running subscription of one connection. Until it is activated it keeps its notifications to itself. */
export class Subscription {
  readonly id: Hex
  readonly feed: Feed
  readonly #push: (body: string) => void
  /** What came before the caller knew the id; `undefined` since it does. */
  #waiting: string[] | undefined = []
  #ended = false

  constructor(id: Hex, feed: Feed, push: (body: string) => void) {
    this.id = id
    this.feed = feed
    this.#push = push
  }

  /** Sends a notification for each text, in order. */
  deliver(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.#ended) return
      if (this.#waiting) this.#waiting.push(text)
      else this.#push(notification(this.id, text))
    }
  }

  /** Sends what has waited; from here on nothing waits. */
  activate(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) this.deliver(waiting)
  }

  /** No more notifications. */
  end(): void {
    this.#ended = true
    this.#waiting = undefined
  }
}

/** The text of a `JsonRpcNotification` around a result that is text already. */
function notification(id: Hex, result: string): string {
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${result}}}`
}
