import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RpcConnection } from '#rpc-types/connection.ts'

/** Bytes of one request's body, over HTTP and over WebSocket. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024

const HINT = 'Blinknet is running. POST JSON-RPC 2.0 here with Content-Type: application/json, or open a WebSocket.\n'
const METHODS = 'POST, GET, HEAD, OPTIONS'
const CONTENT_TYPES = new Set(['application/json', 'application/json-rpc', 'application/jsonrequest'])

/**
 * Answers one HTTP request: JSON-RPC by POST, a hint by GET, open to every origin. Errors of JSON-RPC are status 200.
 *
 * @throws {Error} If the caller breaks off while it sends.
 */
export async function handleHttp(
  request: IncomingMessage,
  response: ServerResponse,
  connection: RpcConnection,
): Promise<void> {
  response.setHeader('Access-Control-Allow-Origin', '*')
  switch (request.method) {
    case 'OPTIONS':
      return preflight(request, response)
    case 'GET':
    case 'HEAD':
      return reply(response, 200, HINT)
    case 'POST':
      break
    default:
      response.setHeader('Allow', METHODS)
      return reply(response, 405, `method not allowed: ${METHODS} are\n`)
  }
  if (!CONTENT_TYPES.has(mediaType(request))) {
    return reply(response, 415, 'invalid content type, only application/json is supported\n')
  }
  const body = await readBody(request)
  if (body === undefined) {
    return reply(response, 413, `content length too large: the limit is ${MAX_BODY_BYTES} bytes\n`)
  }
  const answer = await connection.handle(body)
  reply(response, 200, answer ?? '', 'application/json')
}

function preflight(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', METHODS)
  response.setHeader(
    'Access-Control-Allow-Headers',
    request.headers['access-control-request-headers'] ?? 'Content-Type',
  )
  response.setHeader('Access-Control-Max-Age', '86400')
  response.setHeader('Vary', 'Access-Control-Request-Headers')
  // A public page that calls a node on this machine is asked for this as well.
  if (request.headers['access-control-request-private-network']) {
    response.setHeader('Access-Control-Allow-Private-Network', 'true')
  }
  response.writeHead(204).end()
}

function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * The body's text; `undefined` if it is over the limit, however it is sent. What comes after is read and thrown away:
 * a client that is cut off while it writes never sees the answer.
 */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return undefined
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= MAX_BODY_BYTES) {
        chunks.push(chunk)
        return
      }
      chunks.length = 0
      resolve(undefined)
    })
    request.on('end', () => resolve(Buffer.concat(chunks, length).toString('utf8')))
    request.on('error', reject)
  })
}

function reply(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.writeHead(status).end(text)
}
