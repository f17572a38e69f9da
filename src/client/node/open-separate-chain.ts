import { isObject, parsedJson } from '#primitives/json-object.ts'
import type { RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { connectPort, DisconnectedError } from '#transport/port/connect-port.ts'
import { gatherPort } from '#transport/port/gather-port.ts'
import { errorText } from '#transport/port/messages.ts'
import type { WorkerLike } from '#transport/port/worker-handle.ts'

/** A chain beside the page's own. */
export interface SeparateChain {
  /** The node, for any number of connections. */
  readonly node: RpcEndpoint
  /** Ends the worker, and every call that waits. */
  readonly close: () => void
}

/** Most notifications that wait for the answer which names their subscription. */
const MAX_EARLY = 1_000

/**
 * Starts a chain in memory in a worker of its own. It has nothing to do with the page's chain.
 *
 * @param startWorker - Starts a worker that runs `src/worker/node-worker.ts`.
 * @throws {DisconnectedError} If the worker or the node cannot start; the message says why.
 */
export function openSeparateChain(options: NodeOptions, startWorker: () => WorkerLike): Promise<SeparateChain> {
  return new Promise((resolve, reject) => {
    let worker: WorkerLike
    try {
      worker = startWorker()
    } catch (error) {
      reject(new DisconnectedError(`the worker could not be started: ${errorText(error)}`))
      return
    }
    const subscribers = new Subscribers()
    const port = connectPort(gatherPort(worker), {
      boot: { options, chainName: undefined },
      onNotification: (body) => subscribers.tell(body),
      onBooted: () => resolve({ node, close: () => port.fail(new DisconnectedError('the chain was closed')) }),
      onDisconnected(error) {
        worker.onerror = null
        worker.terminate()
        // Without effect once the chain has started.
        reject(error)
      },
    })
    worker.onerror = (event: { readonly message?: string }) =>
      port.fail(new DisconnectedError(event.message || 'the worker could not be loaded'))
    const node: RpcEndpoint = { connect: (push) => connectBy((body) => port.request(body), subscribers, push) }
  })
}

/** Who is told of which subscription: all share one port. */
class Subscribers {
  readonly #pushes = new Map<string, (body: string) => unknown>()
  /** Notifications that have overtaken the answer which names their subscription. */
  #early: { readonly id: string; readonly body: string }[] = []

  add(id: string, push: (body: string) => unknown): void {
    this.#pushes.set(id, push)
    const mine = this.#early.filter((each) => each.id === id)
    this.#early = this.#early.filter((each) => each.id !== id)
    for (const { body } of mine) push(body)
  }

  remove(id: string): void {
    this.#pushes.delete(id)
  }

  tell(body: string): void {
    const message = parsedJson(body)
    const params = isObject(message) && isObject(message['params']) ? message['params'] : {}
    const id = String(params['subscription'])
    const push = this.#pushes.get(id)
    if (push) push(body)
    else if (this.#early.length < MAX_EARLY) this.#early.push({ id, body })
  }
}

function connectBy(
  request: (body: string) => Promise<string | undefined>,
  subscribers: Subscribers,
  push: ((body: string) => unknown) | undefined,
): RpcConnection {
  const own = new Set<string>()
  let closed = false
  return {
    async handle(body) {
      const text = await request(body)
      for (const [method, params, result] of answered(body, text)) {
        if (method === 'eth_unsubscribe') forget(String(params[0]))
        if (method !== 'eth_subscribe' || typeof result !== 'string') continue
        own.add(result)
        if (push && !closed) subscribers.add(result, push)
      }
      return text
    },
    close() {
      closed = true
      const calls = [...own].map((id) => ({ jsonrpc: '2.0', method: 'eth_unsubscribe', params: [id] }))
      for (const id of own) forget(id)
      // A chain that is gone has no subscriptions.
      if (calls.length > 0) request(JSON.stringify(calls)).catch(() => {})
    },
  }

  function forget(id: string): void {
    own.delete(id)
    subscribers.remove(id)
  }
}

/** The calls of a body about subscriptions, with their results. */
function* answered(body: string, text: string | undefined): Iterable<[string, readonly unknown[], unknown]> {
  if (!body.includes('subscribe') || text === undefined) return
  const calls = [parsedJson(body)].flat()
  const answers = [parsedJson(text)].flat()
  for (const call of calls) {
    if (!isObject(call) || !Array.isArray(call['params'])) continue
    const answer = answers.find((each) => isObject(each) && each['id'] === call['id'])
    if (isObject(answer)) yield [String(call['method']), call['params'] as readonly unknown[], answer['result']]
  }
}
