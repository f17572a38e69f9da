import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RpcConnection } from '#rpc-types/connection.ts'
import { isJsonRpcType, MAX_BODY_BYTES, METHODS, REFUSALS } from '#transport/http-rules.ts'

const HINT = 'Blinknet is running. POST JSON-RPC 2.0 here with Content-Type: application/json, or open a WebSocket.\n'

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
      return refuse(response, 405)
  }
  if (!isJsonRpcType(request.headers['content-type'])) return refuse(response, 415)
  const body = await readBody(request)
  if (body === undefined) return refuse(response, 413)
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

function refuse(response: ServerResponse, status: keyof typeof REFUSALS): void {
  reply(response, status, REFUSALS[status])
}

function reply(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.writeHead(status).end(text)
}
