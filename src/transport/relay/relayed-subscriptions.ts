import type { NotificationParts, Push } from '#rpc-types/connection.ts'
import type { JsonRpcErrorObject, JsonRpcResponse, JsonRpcSubscriptionError } from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { callsOf, mapMembers } from './bodies.ts'

interface RelayedSubscription {
  /** The caller's id, which never changes. */
  readonly id: string
  /** The parameters of `eth_subscribe`. */
  readonly params: unknown
}

/** Matches bodies that may concern subscriptions; a method's name may contain escapes. */
const CONCERNED = /_(un)?subscribe|\\u/
/** How many ids that a caller received are remembered. */
const MAX_GIVEN = 10_000
/** The start of every notification. The rest may be long, and is not parsed. */
const HEAD = /^(\{"jsonrpc":"2\.0","method":"eth_subscription","params":\{"subscription":")([^"]*)"(,"error")?/

type Ask = (body: string) => Promise<string | undefined>

/**
 * The subscriptions of one caller across all nodes. A subscription keeps the id that its first node gave it, or a
 * changed one if that was already used; it maps to the current node's id.
 */
export class RelayedSubscriptions {
  readonly #push: Push | undefined
  readonly #byId = new Map<string, RelayedSubscription>()
  readonly #byNodeId = new Map<string, RelayedSubscription>()
  /** The newest ids that the caller received. */
  readonly #given = new Set<string>()

  constructor(push: Push | undefined) {
    this.#push = push
  }

  /** Whether the caller can be notified at all. */
  get wanted(): boolean {
    return this.#push !== undefined
  }

  /**
   * Subscribes to everything again at a new node. A subscription that it refuses ends with an error as its last
   * notification.
   *
   * @param ask - Sends a body to the node; without an answer the subscription waits for the next node.
   */
  async beginAgain(ask: Ask): Promise<void> {
    this.#byNodeId.clear()
    const begin = async (subscription: RelayedSubscription) => {
      const { params } = subscription
      const answer = await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
      const response = JSON.parse(answer ?? 'null') as JsonRpcResponse | null
      if (!response) return
      if (!('result' in response)) return this.#fail(subscription, response.error)
      const nodeId = String(response.result)
      if (this.#byId.has(subscription.id)) this.#byNodeId.set(nodeId, subscription)
      // The caller has ended it meanwhile.
      else await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_unsubscribe', params: [nodeId] }))
    }
    await Promise.all([...this.#byId.values()].map(begin))
  }

  /** A body for the node: with the node's ids in `eth_unsubscribe`. */
  toNode(body: string): string {
    if (!this.#isConcerned(body) || !callsOf(body).some(({ method }) => method === 'eth_unsubscribe')) return body
    return mapMembers(body, (member) => {
      const { method, params } = member as { method?: unknown; params?: unknown }
      if (method !== 'eth_unsubscribe' || !Array.isArray(params)) return member
      const [id, ...rest] = params as unknown[]
      return { ...(member as object), params: [this.#nodeIdOf(id), ...rest] }
    })
  }

  /**
   * Makes the subscriptions of a body at another node, since the one that has answered it is gone.
   *
   * @param ask - Sends a body to the other node.
   * @returns The answer with the results of the other node, for {@link toCaller}.
   */
  async subscribeAgain(body: string, answer: string | undefined, ask: Ask): Promise<string | undefined> {
    if (answer === undefined || !this.#isConcerned(body)) return answer
    const subscribing = new Map(
      callsOf(body).flatMap((call) => (call.method === 'eth_subscribe' ? [[call.id, call]] : [])),
    )
    const again = new Map<unknown, JsonRpcResponse>()
    const responses: JsonRpcResponse[] = []
    mapMembers(answer, (member) => {
      responses.push(member as JsonRpcResponse)
      return member
    })
    for (const response of responses) {
      const call = subscribing.get(response.id)
      if (!call || !('result' in response)) continue
      const { params } = call
      const other = await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }))
      if (other !== undefined) again.set(response.id, { ...(JSON.parse(other) as JsonRpcResponse), id: response.id })
    }
    if (again.size === 0) return answer
    return mapMembers(answer, (member) => again.get((member as JsonRpcResponse).id) ?? member)
  }

  /** Records which subscriptions the answer to a body started and ended; returns the answer with the caller's ids. */
  toCaller(body: string, answer: string | undefined): string | undefined {
    if (answer === undefined || !this.#isConcerned(body)) return answer
    const calls = new Map(callsOf(body).map((call) => [call.id, call]))
    let changed = false
    const named = mapMembers(answer, (member) => {
      const response = member as JsonRpcResponse
      const call = calls.get(response.id)
      if (!call || !('result' in response)) return member
      if (call.method === 'eth_unsubscribe' && response.result === true) this.#forget(call.params)
      if (call.method !== 'eth_subscribe') return member
      const id = this.#add(String(response.result), call.params)
      changed ||= id !== response.result
      return { ...response, result: id }
    })
    return changed ? named : answer
  }

  /**
   * Passes on a notification of the node. A caller that reads too slowly loses the subscription, and is told.
   *
   * @param parts - The parts of the body, if the node knows them.
   * @param unsubscribe - Sends a body to the node.
   */
  deliver(body: string, parts: NotificationParts | undefined, unsubscribe: (body: string) => void): void {
    if (parts && this.#byNodeId.get(parts.subscription)?.id === parts.subscription) {
      if (this.#push?.(body, parts) === false) this.#endSlow(parts.subscription, unsubscribe)
      return
    }
    const head = HEAD.exec(body)
    const [all = '', before = '', nodeId = '', error] = head ?? []
    const subscription = this.#byNodeId.get(nodeId)
    // The subscription has ended, here or at an earlier node.
    if (!subscription) return
    const { id } = subscription
    if (error) this.#end(nodeId, subscription)
    const text = id === nodeId ? body : `${before}${id}"${error ?? ''}${body.slice(all.length)}`
    if (this.#push?.(text) === false && !error) this.#endSlow(nodeId, unsubscribe)
  }

  /** The caller reads too slowly. */
  #endSlow(nodeId: string, unsubscribe: (body: string) => void): void {
    const subscription = this.#byNodeId.get(nodeId)
    if (!subscription) return
    this.#end(nodeId, subscription)
    unsubscribe(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_unsubscribe', params: [nodeId] }))
    this.#fail(subscription, {
      code: ERROR_CODES.server,
      message: 'subscription closed: its notifications are read too slowly',
    })
  }

  #isConcerned(body: string): boolean {
    return this.wanted && CONCERNED.test(body)
  }

  #add(nodeId: string, params: unknown): string {
    let id = nodeId
    // Add a digit: a node's ids all have one length, so it will never issue this one itself.
    while (this.#given.has(id) || this.#byId.has(id)) id = `${id}0`
    const subscription: RelayedSubscription = { id, params }
    this.#given.add(id)
    if (this.#given.size > MAX_GIVEN) this.#given.delete(this.#given.values().next().value as string)
    this.#byId.set(id, subscription)
    this.#byNodeId.set(nodeId, subscription)
    return id
  }

  #nodeIdOf(id: unknown): unknown {
    for (const [nodeId, subscription] of this.#byNodeId) if (subscription.id === id) return nodeId
    return id
  }

  #forget(params: unknown): void {
    const [id] = Array.isArray(params) ? (params as unknown[]) : []
    const nodeId = this.#nodeIdOf(id)
    const subscription = this.#byNodeId.get(String(nodeId))
    if (subscription) this.#end(String(nodeId), subscription)
    // The subscription may not have begun again yet at a new node.
    else this.#byId.delete(String(id))
  }

  #end(nodeId: string, { id }: RelayedSubscription): void {
    this.#byNodeId.delete(nodeId)
    this.#byId.delete(id)
  }

  #fail({ id }: RelayedSubscription, error: JsonRpcErrorObject): void {
    this.#byId.delete(id)
    this.#push?.(
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'eth_subscription',
        params: { subscription: id, error },
      } satisfies JsonRpcSubscriptionError),
    )
  }
}
