import type { Node } from '#node/node.ts'
import type { NodeConnectOptions } from '#node/rpc/endpoint.ts'
import type { Clock } from '#primitives/clock.ts'
import { endsWithin } from '#primitives/ends-within.ts'
import { type Listed, NOWHERE, UnorderedList } from '#primitives/unordered-list.ts'
import type { Caller, Push, RpcConnection } from '#rpc-types/connection.ts'
import { failedAnswer } from '#transport/relay/call-again.ts'
import { RelayedSubscriptions } from '#transport/relay/relayed-subscriptions.ts'

/** Milliseconds that calls of a node have to end once another has taken its place. */
const GRACE_MS = 5_000
const REPLACED = 'another chain has taken the place of the one that was asked: anvil_reset'

/** A node in whose place another can be put. Its connections stay, and subscriptions go on under their ids. */
export class ReplaceableNode implements Node {
  readonly #clock: Clock
  #node: Node
  readonly #connections = new Set<ReplaceableConnection>()
  /** Nodes that end, once their calls are answered. */
  readonly #ending = new Set<Promise<void>>()

  constructor(node: Node, clock: Clock) {
    this.#node = node
    this.#clock = clock
  }

  connect(push?: Push, options?: NodeConnectOptions): RpcConnection {
    const connection = new ReplaceableConnection(this.#node, push, options, () => this.#connections.delete(connection))
    this.#connections.add(connection)
    return connection
  }

  start(): void {
    this.#node.start()
  }

  /**
   * Puts another node in the place of the present one, which still answers what it was asked.
   *
   * @param end - Ends the present one. Called once its calls are answered, or after five seconds.
   */
  replaceWith(next: Node, end: () => Promise<void>): void {
    this.#node = next
    const left = [...this.#connections].map((connection) => connection.moveTo(next))
    const ending = this.#endsOnceIdle(left, end).finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  /** Waits for the nodes that another took the place of. The present one is its owner's to close. */
  async close(): Promise<void> {
    await Promise.all(this.#ending)
  }

  async #endsOnceIdle(links: readonly Link[], end: () => Promise<void>): Promise<void> {
    await endsWithin(this.#clock, GRACE_MS, Promise.all(links.map((link) => link.idle())))
    for (const link of links) link.end()
    await end()
  }
}

/** A caller's connection, to whichever node is there. */
class ReplaceableConnection implements RpcConnection {
  readonly #subscriptions: RelayedSubscriptions
  readonly #options: NodeConnectOptions | undefined
  readonly #onClose: () => void
  #link: Link

  constructor(node: Node, push: Push | undefined, options: NodeConnectOptions | undefined, onClose: () => void) {
    this.#subscriptions = new RelayedSubscriptions(push)
    this.#options = options
    this.#onClose = onClose
    this.#link = this.#linkTo(node)
  }

  async handle(body: string, caller?: Caller): Promise<string | undefined> {
    let link = this.#link
    let answer = await link.handle(this.#subscriptions.toNode(body), caller)
    while (link !== this.#link) {
      const next = this.#link
      answer = await this.#subscriptions.subscribeAgain(body, answer, (again) => next.handle(again))
      link = next
    }
    return this.#subscriptions.toCaller(body, answer)
  }

  /** @returns The link to the node before. */
  moveTo(node: Node): Link {
    const before = this.#link
    this.#link = this.#linkTo(node)
    void this.#subscriptions.beginAgain((body) => this.#link.handle(body))
    return before
  }

  close(): void {
    this.#onClose()
    this.#link.close()
  }

  #linkTo(node: Node): Link {
    if (!this.#subscriptions.wanted) return new Link(node.connect(undefined, this.#options))
    const link: Link = new Link(
      node.connect((body, parts) => {
        if (link === this.#link) this.#subscriptions.deliver(body, parts, (unwanted) => void link.handle(unwanted))
      }, this.#options),
    )
    return link
  }
}

interface PendingCall extends Listed {
  readonly body: string
  readonly resolve: (answer: string | undefined) => void
}

/** A connection to one node. Each call ends, also if the node does not answer it any more. */
class Link {
  readonly #connection: RpcConnection
  readonly #pending = new UnorderedList<PendingCall>()
  #onIdle: (() => void) | undefined

  constructor(connection: RpcConnection) {
    this.#connection = connection
  }

  handle(body: string, caller?: Caller): Promise<string | undefined> {
    return new Promise((resolve) => {
      const call = { body, resolve, place: NOWHERE }
      this.#pending.add(call)
      const finish = (answer: string | undefined) => {
        this.#pending.delete(call)
        if (this.#pending.size === 0) this.#onIdle?.()
        resolve(answer)
      }
      // A connection's answer never rejects.
      void this.#connection.handle(body, caller).then(finish)
    })
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    if (this.#pending.size === 0) return
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
  }

  close(): void {
    this.#connection.close()
  }

  /** Closes it, and ends what is under way. */
  end(): void {
    for (const call of this.#pending.all()) {
      this.#pending.delete(call)
      call.resolve(failedAnswer(call.body, REPLACED))
    }
    this.close()
  }
}
