import { type ChannelEndpoint, NoNodeError } from '#transport/channel/connect-channel.ts'
import { isJsonRpcType, latestReadingOf, MAX_BODY_BYTES, METHODS } from '#transport/http-rules.ts'
import { failedAnswer } from '#transport/relay/call-again.ts'
import { json, plain, refuse } from './route.ts'

/** Answer to GET, for people. */
const HINT = {
  name: 'Blinknet',
  rpc: 'POST JSON-RPC 2.0 here with Content-Type: application/json',
  events: 'GET rpc/events?kind=newPartialBlocks for server-sent events',
} as const

/** The parts used here of the endpoint of the tab that runs the node. */
export type AnsweringEndpoint = Pick<ChannelEndpoint, 'connect' | 'ready'>

/** Answers a request to the JSON-RPC address by the rules of HTTP. JSON-RPC errors have status 200. */
export async function answerRpc(request: Request, endpoint: AnsweringEndpoint): Promise<Response> {
  switch (request.method) {
    case 'GET':
      return json(200, JSON.stringify(HINT))
    case 'HEAD':
      return json(200, '')
    case 'OPTIONS':
      return plain(204, null, { Allow: METHODS })
    case 'POST':
      break
    default:
      return refuse(405)
  }
  if (!isJsonRpcType(request.headers.get('Content-Type'))) return refuse(415)
  const latest = latestReadingOf(request.url)
  if (latest === 400) return refuse(400)
  const body = await readBody(request)
  if (body === undefined) return refuse(413)
  try {
    await endpoint.ready()
  } catch (error) {
    if (!(error instanceof NoNodeError)) throw error
    return unavailable(error, body)
  }
  const connection = endpoint.connect(undefined, latest ? { latest } : {})
  const answer = await connection.handle(body)
  connection.close()
  return json(200, answer ?? '')
}

/** A request's body; `undefined` if it is longer than {@link MAX_BODY_BYTES}. */
async function readBody(request: Request): Promise<string | undefined> {
  // Firefox does not stream the body of a request. Chromium does, in half of the time that a blob takes.
  if (request.body === undefined) {
    const blob = await request.blob()
    return blob.size > MAX_BODY_BYTES ? undefined : blob.text()
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader()
  const utf8 = new TextDecoder()
  let text = ''
  let length = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    length += next.value.length
    if (length > MAX_BODY_BYTES) {
      await reader?.cancel()
      return undefined
    }
    text += utf8.decode(next.value, { stream: true })
  }
  return text + utf8.decode()
}

/**
 * Status 503: no tab runs a node.
 *
 * @param body - The request's body, if it was JSON-RPC.
 */
export function unavailable({ message }: NoNodeError, body = ''): Response {
  return json(503, failedAnswer(body, message) ?? '')
}
