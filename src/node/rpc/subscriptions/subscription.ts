import type { Hex } from '#primitives/hex.ts'
import type { JsonRpcSubscriptionError } from '#rpc-types/envelope.ts'
import { refusal } from '../errors.ts'
import type { Feed } from './feeds.ts'

/** Characters of notifications that wait until their subscription is activated. */
export const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024

/**
 * Passes a notification on.
 *
 * @returns `false` if too much waits to be read: then this subscription is to end.
 */
export type Push = (body: string) => unknown

/**
 * A running subscription of one connection. Until it is activated it keeps its notifications to itself. It ends by
 * itself, with an error for its last notification, where its reader is too slow.
 */
export class Subscription {
  readonly id: Hex
  readonly feed: Feed
  readonly #push: Push
  /** Notifications from before the caller knew the id; `undefined` since it does. */
  #waiting: string[] | undefined = []
  #waitingCharacters = 0
  #ended = false

  constructor(id: Hex, feed: Feed, push: Push) {
    this.id = id
    this.feed = feed
    this.#push = push
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Sends a notification for each text, in order. */
  deliver(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.#ended) return
      if (this.#waiting) this.#keep(this.#waiting, text)
      else if (this.#push(notification(this.id, text)) === false) this.#fail()
    }
  }

  /** Sends what has waited; from here on nothing waits. */
  activate(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (!waiting) return
    if (this.#waitingCharacters > MAX_WAITING_CHARACTERS) this.#fail()
    else this.deliver(waiting)
  }

  /** No more notifications. */
  end(): void {
    this.#ended = true
    this.#waiting = undefined
  }

  /** An overflow is reported only after the subscription's id: until then only the memory is freed. */
  #keep(waiting: string[], text: string): void {
    this.#waitingCharacters += text.length
    if (this.#waitingCharacters <= MAX_WAITING_CHARACTERS) waiting.push(text)
    else waiting.length = 0
  }

  #fail(): void {
    this.end()
    this.#push(overflow(this.id))
  }
}

/** The text of a `JsonRpcNotification` around a result that is text already. */
function notification(id: Hex, result: string): string {
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${result}}}`
}

function overflow(subscription: Hex): string {
  const error = refusal('server', 'subscription closed: its notifications are read too slowly')
  return JSON.stringify({
    jsonrpc: '2.0',
    method: 'eth_subscription',
    params: { subscription, error },
  } satisfies JsonRpcSubscriptionError)
}
