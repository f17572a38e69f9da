import type { Clock } from '#primitives/clock.ts'
import type { Hex } from '#primitives/hex.ts'
import type { Push } from '#rpc-types/connection.ts'
import { RpcRefusedError } from '../errors.ts'
import type { Publisher } from './publishers.ts'
import type { Subscription } from './subscription.ts'
import { MAX_SUBSCRIPTIONS_IN_ALL, type SubscriptionHub } from './subscription-hub.ts'

/** Most subscriptions per connection. */
export const MAX_SUBSCRIPTIONS = 1_000
/** How many subscriptions a connection may always have, however many others have. */
const ALWAYS_ALLOWED = 20

/** A connection's subscriptions, as used by the calls of one body. */
export interface CallSubscriptions {
  /** Starts a subscription that stays silent until {@link activate}. Returns its id. */
  add(publisher: Publisher): Hex
  /** Ends a subscription of the connection; `false` if the id is unknown. */
  remove(id: string): boolean
  /** Lets this body's subscriptions send, once the host has passed on the answer with their ids. */
  activate(clock: Clock): Promise<void>
}

/** The subscriptions of one connection; they end with it. */
export class ConnectionSubscriptions {
  readonly #hub: SubscriptionHub
  readonly #push: Push
  readonly #byId = new Map<string, Subscription>()
  #closed = false

  constructor(hub: SubscriptionHub, push: Push) {
    this.#hub = hub
    this.#push = push
  }

  /** The view for the calls of one body. */
  begin(): CallSubscriptions {
    const added: Subscription[] = []
    return {
      add: (publisher) => {
        if (this.#closed) throw new RpcRefusedError('server', 'the connection is closed')
        if (this.#byId.size >= MAX_SUBSCRIPTIONS) throw tooMany(`of one connection: at most ${MAX_SUBSCRIPTIONS}`)
        // Everybody keeps a few, so that nobody can take all.
        if (this.#hub.isFull && this.#byId.size >= ALWAYS_ALLOWED) {
          throw tooMany(`of all connections: at most ${MAX_SUBSCRIPTIONS_IN_ALL}`)
        }
        if (!this.#hub.hasRoomFor(publisher)) throw tooMany('with many addresses and topics')
        const subscription = this.#hub.add(publisher, this.#push)
        this.#byId.set(subscription.id, subscription)
        added.push(subscription)
        return subscription.id
      },
      remove: (id) => {
        const subscription = this.#byId.get(id)
        if (!subscription) return false
        this.#byId.delete(id)
        const running = !subscription.ended
        this.#hub.remove(subscription)
        return running
      },
      activate: async (clock) => {
        if (added.length === 0) return
        await clock.yield()
        for (const subscription of added) this.#hub.activate(subscription)
      },
    }
  }

  close(): void {
    this.#closed = true
    for (const subscription of this.#byId.values()) this.#hub.remove(subscription)
    this.#byId.clear()
  }
}

function tooMany(whose: string): RpcRefusedError {
  return new RpcRefusedError('limit-exceeded', `too many subscriptions ${whose}, unsubscribe from some first`)
}
