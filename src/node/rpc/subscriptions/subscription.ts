import type { Hex } from '#primitives/hex.ts'
import type { Push } from '#rpc-types/connection.ts'
import type { JsonRpcSubscriptionError } from '#rpc-types/envelope.ts'
import { refusal } from '../errors.ts'
import type { Publisher } from './publishers.ts'

/** Most characters of notifications that wait until their subscription is activated. */
export const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024

/**
 * A running subscription of one connection. It holds back its notifications until it is activated. If its reader is too
 * slow, it ends with an error as its last notification.
 */
export class Subscription {
  readonly id: Hex
  readonly publisher: Publisher
  readonly #push: Push
  /** Notifications from before the caller knew the id; `undefined` afterwards. */
  #waiting: string[] | undefined = []
  #waitingCharacters = 0
  #ended = false

  constructor(id: Hex, publisher: Publisher, push: Push) {
    this.id = id
    this.publisher = publisher
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
      else if (this.#send(text) === false) this.#fail()
    }
  }

  /** Sends the waiting notifications; later ones are sent at once. */
  activate(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (!waiting) return
    if (this.#waitingCharacters > MAX_WAITING_CHARACTERS) this.#fail()
    else this.deliver(waiting)
  }

  /** Stops the notifications. */
  end(): void {
    this.#ended = true
    this.#waiting = undefined
  }

  #send(result: string): unknown {
    return this.#push(notification(this.id, result), { subscription: this.id, result })
  }

  /** An overflow is reported only after the subscription's id; until then this only frees the memory. */
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

/** The text of a `JsonRpcNotification` around a result that is already text. */
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
