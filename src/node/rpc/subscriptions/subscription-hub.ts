import type { Push } from '#rpc-types/connection.ts'
import type { ConsoleEvent } from '../../sequencer/events.ts'
import type { DeveloperLog, NodeContext } from '../context.ts'
import { formatConsole } from '../format/console.ts'
import { IdSequence } from '../ids.ts'
import { acceptedTexts, partialTexts, reorgTexts, sealTexts, unconfirmedTexts } from './event-texts.ts'
import type { Publisher } from './publishers.ts'
import { Subscription } from './subscription.ts'

/** Most subscriptions of all connections; every event is checked against each. */
export const MAX_SUBSCRIPTIONS_IN_ALL = 10_000
/** Most addresses and topics of all subscriptions: 100 MB. */
const MAX_CRITERIA_IN_ALL = 1_000_000

const EVENTS = ['partial', 'seal', 'unconfirmed', 'reorg', 'accepted', 'console'] as const
type Event = (typeof EVENTS)[number]

/** All subscriptions of the node, which receive its events in the order in which they were started. */
export class SubscriptionHub {
  readonly #subscriptions = new Set<Subscription>()
  readonly #ids: IdSequence
  readonly #log: DeveloperLog
  /** Subscriptions that want to be told of an event. */
  readonly #of = Object.fromEntries(EVENTS.map((event) => [event, new Set()])) as Record<Event, Set<Subscription>>
  #criteria = 0
  #told: Promise<void> = Promise.resolve()

  constructor({ events, clock }: Pick<NodeContext, 'events' | 'clock'>, log: DeveloperLog) {
    this.#log = log
    this.#ids = new IdSequence(clock)
    events.on('partial', ({ partial }) =>
      this.#publish(
        'partial',
        () => partialTexts(partial),
        (publisher, texts) => publisher.partial?.(texts),
      ),
    )
    events.on('seal', ({ block, restored = false }) =>
      this.#publish(
        'seal',
        () => sealTexts(block, restored),
        (publisher, texts) => publisher.seal?.(texts),
      ),
    )
    events.on('unconfirmed', ({ block, transactions }) =>
      this.#publish(
        'unconfirmed',
        () => unconfirmedTexts(block, transactions),
        (publisher, texts) => publisher.unconfirmed?.(texts),
      ),
    )
    events.on('reorg', ({ removed }) =>
      this.#publish(
        'reorg',
        () => reorgTexts(removed),
        (publisher, texts) => publisher.reorg?.(texts),
      ),
    )
    events.on('accepted', ({ tx }) =>
      this.#publish(
        'accepted',
        () => acceptedTexts(tx),
        (publisher, texts) => publisher.accepted?.(texts),
      ),
    )
    events.on('console', (event) => {
      if (this.#of.console.size > 0) this.#tellConsole(event)
    })
  }

  /** In order, although the decoder may have to be loaded first. */
  #tellConsole(event: ConsoleEvent): void {
    this.#told = this.#told
      .then(() => formatConsole(event))
      .then(
        (logs) =>
          this.#publish(
            'console',
            () => JSON.stringify(logs),
            (publisher, text) => publisher.console?.(text),
          ),
        (error: unknown) => this.#log('lines of the console could not be told', error),
      )
  }

  get isFull(): boolean {
    return this.#subscriptions.size >= MAX_SUBSCRIPTIONS_IN_ALL
  }

  /** Whether there is room for a publisher's addresses and topics. */
  hasRoomFor({ criteria = 0 }: Publisher): boolean {
    return this.#criteria + criteria <= MAX_CRITERIA_IN_ALL
  }

  /** Starts a subscription. It collects every event from here on, and sends them once activated. */
  add(publisher: Publisher, push: Push): Subscription {
    const subscription = new Subscription(this.#ids.next(), publisher, push)
    this.#subscriptions.add(subscription)
    this.#criteria += publisher.criteria ?? 0
    for (const event of EVENTS) if (publisher[event]) this.#of[event].add(subscription)
    return subscription
  }

  remove(subscription: Subscription): void {
    subscription.end()
    this.#delete(subscription)
  }

  /** Lets a subscription send its waiting notifications. */
  activate(subscription: Subscription): void {
    this.#guard(subscription, () => subscription.activate())
  }

  /** @param describe - Called once, if anyone wants to be told. */
  #publish<Texts>(
    event: Event,
    describe: () => Texts,
    select: (publisher: Publisher, texts: Texts) => readonly string[] | undefined,
  ): void {
    if (this.#of[event].size === 0) return
    const texts = describe()
    for (const subscription of [...this.#of[event]]) {
      this.#guard(subscription, () => subscription.deliver(select(subscription.publisher, texts) ?? []))
    }
  }

  #delete(subscription: Subscription): void {
    if (!this.#subscriptions.delete(subscription)) return
    this.#criteria -= subscription.publisher.criteria ?? 0
    for (const event of EVENTS) this.#of[event].delete(subscription)
  }

  /** A broken connection must not affect whoever cut the block: only its subscription ends. */
  #guard(subscription: Subscription, deliver: () => void): void {
    try {
      deliver()
      if (subscription.ended) this.#delete(subscription)
    } catch (error) {
      this.remove(subscription)
      this.#log(`subscription ${subscription.id} ended: its notification could not be sent`, error)
    }
  }
}
