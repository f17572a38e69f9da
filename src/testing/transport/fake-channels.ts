import type { BroadcastChannelLike, OpenChannel } from '#transport/channel/channel-messages.ts'
import type { PortEvent } from '#transport/port/messages.ts'

/** The broadcast channels of an origin, and their traffic. */
export class FakeChannels {
  readonly #open = new Set<FakeChannel>()
  /** All messages posted, in order. */
  readonly posted: { readonly name: string; readonly message: unknown }[] = []

  /** Messages of the channels that are held back; `undefined` if none is. */
  #late: { readonly name: string; readonly deliveries: (() => void)[] } | undefined

  /** Holds back the messages of one channel: only those of the same channel keep their order. */
  hold(name: string): () => void {
    const late = { name, deliveries: [] as (() => void)[] }
    this.#late = late
    return () => {
      this.#late = undefined
      for (const deliver of late.deliveries) deliver()
    }
  }

  /** One participant: a worker with all its channels. */
  participant(): FakeParticipant {
    return new FakeParticipant((name, owner) => {
      const channel = new FakeChannel(name, owner, this)
      this.#open.add(channel)
      return channel
    })
  }

  /** Names of the channels that are open. */
  get names(): readonly string[] {
    return [...this.#open].map(({ name }) => name)
  }

  post(sender: FakeChannel, message: unknown): void {
    this.posted.push({ name: sender.name, message })
    for (const channel of this.#open) {
      if (channel === sender || channel.name !== sender.name) continue
      const text = JSON.stringify(message)
      const deliver = () => channel.owner.receive(() => channel.deliver(JSON.parse(text)))
      if (this.#late?.name === sender.name) this.#late.deliveries.push(deliver)
      else void Promise.resolve().then(deliver)
    }
  }

  close(channel: FakeChannel): void {
    this.#open.delete(channel)
  }
}

/** A worker from its channels' view: it can be frozen, and it can die. */
export class FakeParticipant {
  readonly #openChannel: (name: string, owner: FakeParticipant) => FakeChannel
  readonly #channels: FakeChannel[] = []
  /** Messages that arrived while frozen. */
  #held: (() => void)[] = []
  frozen = false
  dead = false

  constructor(openChannel: (name: string, owner: FakeParticipant) => FakeChannel) {
    this.#openChannel = openChannel
  }

  readonly open: OpenChannel = (name) => {
    const channel = this.#openChannel(name, this)
    this.#channels.push(channel)
    return channel
  }

  /** Runs `handle` as soon as the worker is not frozen. */
  receive(handle: () => void): void {
    if (this.dead) return
    if (this.frozen) this.#held.push(handle)
    else handle()
  }

  thaw(): void {
    this.frozen = false
    for (const handle of this.#held.splice(0)) handle()
  }

  die(): void {
    this.dead = true
    for (const channel of this.#channels) channel.close()
  }
}

class FakeChannel implements BroadcastChannelLike {
  readonly name: string
  readonly owner: FakeParticipant
  readonly #hub: FakeChannels
  #closed = false
  onmessage: ((event: never) => void) | null = null
  onmessageerror: ((event: never) => void) | null = null

  constructor(name: string, owner: FakeParticipant, hub: FakeChannels) {
    this.name = name
    this.owner = owner
    this.#hub = hub
  }

  postMessage(message: unknown): void {
    if (this.owner.dead) return
    if (this.#closed) throw new Error(`the channel ${this.name} is closed`)
    this.#hub.post(this, message)
  }

  deliver(data: unknown): void {
    const event: PortEvent<unknown> = { data }
    if (!this.#closed) this.onmessage?.(event as never)
  }

  close(): void {
    this.#closed = true
    this.#hub.close(this)
  }
}
