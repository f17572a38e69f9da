import type { Hex } from '#primitives/hex.ts'
import type { NodeContext } from '../context.ts'
import type { RpcLog } from '../dispatcher.ts'
import { acceptedTexts, partialTexts, sealTexts } from './event-texts.ts'
import type { Feed } from './feeds.ts'
import { Subscription } from './subscription.ts'

/** All subscriptions of the node, fed by its events in the order in which they began. */
export class SubscriptionHub {
  readonly #subscriptions = new Set<Subscription>()
  readonly #idPrefix: string
  readonly #log: RpcLog
  #lastId = 0

  constructor({ events, clock }: Pick<NodeContext, 'events' | 'clock'>, log: RpcLog) {
    this.#log = log
    // An id that a client kept from the node before this one must not meet a new subscription.
    this.#idPrefix = `0x${Math.floor(clock.now()).toString(16)}`
    events.on('partial', ({ partial }) => this.#publish(partialTexts(partial), (feed, texts) => feed.partial?.(texts)))
    events.on('seal', ({ block }) => this.#publish(sealTexts(block), (feed, texts) => feed.seal?.(texts)))
    events.on('accepted', ({ tx }) => this.#publish(acceptedTexts(tx), (feed, texts) => feed.accepted?.(texts)))
  }

  /** Starts a subscription; it sees every event from here on, and sends them once activated. */
  add(feed: Feed, push: (body: string) => void): Subscription {
    const id: Hex = `${this.#idPrefix}${(++this.#lastId).toString(16).padStart(8, '0')}` as Hex
    const subscription = new Subscription(id, feed, push)
    this.#subscriptions.add(subscription)
    return subscription
  }

  remove(subscription: Subscription): void {
    subscription.end()
    this.#subscriptions.delete(subscription)
  }

  /** Lets a subscription send what has waited. */
  activate(subscription: Subscription): void {
    this.#guard(subscription, () => subscription.activate())
  }

  #publish<Texts>(texts: Texts, select: (feed: Feed, texts: Texts) => readonly string[] | undefined): void {
    for (const subscription of [...this.#subscriptions]) {
      this.#guard(subscription, () => subscription.deliver(select(subscription.feed, texts) ?? []))
    }
  }

  /** Whoever cut the block must not stumble over one broken connection: only its subscription ends. */
  #guard(subscription: Subscription, deliver: () => void): void {
    try {
      deliver()
    } catch (error) {
      this.remove(subscription)
      this.#log(`subscription ${subscription.id} ended: its notification could not be sent`, error)
    }
  }
}
