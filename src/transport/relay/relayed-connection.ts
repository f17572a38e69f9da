import type { ConnectOptions, Push, RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import { failedAnswer, mayCallAgain, underWay } from './call-again.ts'
import { RelayedSubscriptions } from './relayed-subscriptions.ts'
import { settleRepeated } from './settle-repeated.ts'

interface PendingCall {
  readonly body: string
  /** How many nodes it was sent to. */
  sent: number
  resolve(answer: string | undefined): void
}

/** One caller's connection across changing nodes. Each call ends once. */
export class RelayedConnection implements RpcConnection {
  readonly #pending = new Set<PendingCall>()
  readonly #subscriptions: RelayedSubscriptions
  readonly #options: ConnectOptions
  readonly #onClose: () => void
  /** Connection to the current node. */
  #link: RpcConnection | undefined
  /** Whether calls may be sent: the subscriptions are restored. */
  #open = false
  /** Whether the node gets no more calls. */
  #held = false
  #refusal: string | undefined

  constructor(push: Push | undefined, options: ConnectOptions, onClose: () => void) {
    this.#subscriptions = new RelayedSubscriptions(push)
    this.#options = options
    this.#onClose = onClose
  }

  handle(body: string): Promise<string | undefined> {
    if (this.#refusal !== undefined) return Promise.resolve(failedAnswer(body, this.#refusal))
    return new Promise((resolve) => {
      const call: PendingCall = { body, sent: 0, resolve }
      this.#pending.add(call)
      if (this.#link && this.#open && !this.#held) this.#send(call, this.#link)
    })
  }

  moveTo(node: RpcEndpoint): void {
    this.leave()
    const link: RpcConnection = this.#subscriptions.wanted
      ? node.connect((body, parts) => {
          if (this.#link === link) this.#subscriptions.deliver(body, parts, (unwanted) => void link.handle(unwanted))
        }, this.#options)
      : node.connect(undefined, this.#options)
    this.#link = link
    void this.#begin(link)
  }

  /** Makes later calls wait for the next node. */
  hold(): void {
    this.#held = true
  }

  leave(): void {
    this.#refusal = undefined
    this.#held = false
    this.#unlink()
    for (const call of this.#pending) {
      if (call.sent === 0 || mayCallAgain(call.body)) continue
      this.#end(call, failedAnswer(call.body, underWay(call.body)))
    }
  }

  refuse(message: string): void {
    this.leave()
    this.#refusal = message
    for (const call of this.#pending) this.#end(call, failedAnswer(call.body, message))
  }

  close(): void {
    this.#onClose()
    this.refuse('the connection was closed')
  }

  #unlink(): void {
    const link = this.#link
    this.#link = undefined
    this.#open = false
    link?.close()
  }

  async #begin(link: RpcConnection): Promise<void> {
    await this.#subscriptions.beginAgain(async (body) => {
      const answer = await link.handle(body)
      // The next node may grant what a node refused that was left meanwhile.
      return link === this.#link ? answer : undefined
    })
    if (link !== this.#link || this.#held) return
    this.#open = true
    for (const call of this.#pending) this.#send(call, link)
  }

  /** The call stays pending until its answer is complete, so it ends whatever happens to the node. */
  #send(call: PendingCall, link: RpcConnection): void {
    call.sent++
    const isCurrent = () => link === this.#link && this.#pending.has(call)
    const finish = async () => {
      const answer = await link.handle(this.#subscriptions.toNode(call.body))
      if (!isCurrent()) return
      const named = this.#subscriptions.toCaller(call.body, answer)
      if (call.sent === 1 || named === undefined) return this.#end(call, named)
      const settled = await settleRepeated(call.body, named, (body) => link.handle(body))
      if (isCurrent()) this.#end(call, settled)
    }
    void finish()
  }

  #end(call: PendingCall, answer: string | undefined): void {
    this.#pending.delete(call)
    call.resolve(answer)
  }
}
