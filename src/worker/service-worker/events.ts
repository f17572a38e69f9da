import type { Clock } from '#primitives/clock.ts'
import { invariant } from '#primitives/invariant.ts'
import type {
  JsonRpcErrorObject,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonRpcSubscriptionError,
} from '#rpc-types/envelope.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { NoNodeError } from '#transport/channel/connect-channel.ts'
import { createEventStream } from './event-stream.ts'
import { json, NO_STORE, plain } from './route.ts'
import { type AnsweringEndpoint, unavailable } from './rpc.ts'

/** Default of {@link EventsOptions.maxBytes}: a few seconds of full blocks. */
const MAX_BYTES = 8 * 1024 * 1024

export interface EventsOptions {
  readonly endpoint: AnsweringEndpoint
  readonly clock: Pick<Clock, 'schedule'>
  /** Bytes that may wait for one reader; default 8 MiB. */
  readonly maxBytes?: number
}

/**
 * Answers `GET rpc/events`: subscribes, and sends each payload as an event named after its kind until the reader
 * disconnects. If the subscription ends for another reason, the last event is `error` with a JSON-RPC error object.
 */
export async function answerEvents(
  request: Pick<Request, 'url' | 'method'>,
  { endpoint, clock, maxBytes = MAX_BYTES }: EventsOptions,
): Promise<Response> {
  if (request.method !== 'GET') return plain(405, 'method not allowed: GET is\n', { Allow: 'GET' })
  const asked = subscriptionOf(new URL(request.url).searchParams)
  if ('problem' in asked) return refuse({ code: ERROR_CODES['invalid-params'], message: asked.problem })
  const { kind, params } = asked

  try {
    await endpoint.ready()
  } catch (error) {
    if (!(error instanceof NoNodeError)) throw error
    return unavailable(error)
  }
  const stream = createEventStream({
    clock,
    maxBytes,
    alive: () => endpoint.ready(),
    onEnd: () => connection.close(),
  })
  // The connection carries only this subscription, so every notification belongs to it.
  const connection = endpoint.connect((body) => {
    const { params: event } = JSON.parse(body) as JsonRpcNotification | JsonRpcSubscriptionError
    if ('error' in event) stream.fail(event.error)
    else stream.send(kind, JSON.stringify(event.result))
  })
  const subscribe: JsonRpcRequest = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: [kind, ...params] }
  const body = await connection.handle(JSON.stringify(subscribe))
  invariant(body !== undefined, 'the node answers a request that has an id')
  const answer = JSON.parse(body) as JsonRpcResponse
  if ('error' in answer) {
    await stream.body.cancel()
    return refuse(answer.error)
  }
  return new Response(stream.body, { headers: { ...NO_STORE, 'Content-Type': 'text/event-stream' } })
}

/** Status 400: the node refused the subscription. */
function refuse(error: JsonRpcErrorObject): Response {
  return json(400, JSON.stringify({ jsonrpc: '2.0', id: null, error }))
}

/** The query of `GET rpc/events`: the parameters of `eth_subscribe`. */
type AskedSubscription =
  | { readonly kind: string; readonly params: readonly unknown[] }
  /** Why the query is invalid, for people. */
  | { readonly problem: string }

/**
 * Reads `?kind=…&mode=…` or `?kind=…&params=…`. `mode` is the second parameter of `eth_subscribe` as a word (`diff`,
 * `true`). `params` is JSON: an array of all parameters after the kind, or a single one, such as a filter. The node
 * decides whether it knows the kind and accepts the parameters.
 */
function subscriptionOf(query: URLSearchParams): AskedSubscription {
  const kind = query.get('kind')
  const mode = query.get('mode')
  const params = query.get('params')
  if (!kind) return { problem: 'missing kind: rpc/events?kind=newPartialBlocks' }
  if (mode !== null && params !== null) return { problem: 'mode and params exclude each other' }
  if (mode !== null) return { kind, params: [mode === 'true' || mode === 'false' ? mode === 'true' : mode] }
  if (params === null) return { kind, params: [] }
  try {
    const parsed = JSON.parse(params) as unknown
    return { kind, params: Array.isArray(parsed) ? (parsed as unknown[]) : [parsed] }
  } catch (error) {
    return { problem: `params is not JSON: ${(error as SyntaxError).message}` }
  }
}
