import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { LatestReading, RpcConnection } from '#rpc-types/connection.ts'
import { contentTooLarge, isJsonRpcType, latestReadingOf, METHODS, REFUSALS } from '#transport/http-rules.ts'
import { type AccessRules, accessRefusal, isForeignPage } from './access.ts'
import type { PageFiles } from './page-files.ts'
import type { SharedBudget } from './shared-budget.ts'

const PLAIN = 'text/plain; charset=utf-8'
const HINT =
  'Blinknet is running. Open this address in a browser, POST JSON-RPC 2.0 here with Content-Type: application/json, or open a WebSocket.\n'

/** State and limits that all requests share. */
export interface HttpBudgets {
  /** Milliseconds in which a request has to arrive, as in {@link ServerLimits}. */
  readonly requestMs: number
  /** Bytes of a body, at most. */
  readonly bodyBytes: number
  /** For incomplete requests. */
  readonly received: SharedBudget
  /** For unread answers, which stay in memory until then. */
  readonly unread: SharedBudget
}

/** The node's connections for requests without a connection of their own, by their reading of `latest`. */
interface HttpCallers extends Readonly<Record<LatestReading, RpcConnection>> {
  /** For addresses that do not say. */
  readonly usual: LatestReading
}

/** One TCP connection: its requests come from one client, and may come before earlier ones are answered. */
interface Client {
  /** Resolves when the latest request has been answered and the answer was sent off. */
  answered: Promise<void>
  /** Called when the connection ends, for each request that is under way. A response that waits behind others is not told. */
  readonly leaving: Set<() => void>
}

const clients = new WeakMap<Socket, Client>()

function clientOf(socket: Socket): Client {
  const known = clients.get(socket)
  if (known) return known
  const client: Client = { answered: Promise.resolve(), leaving: new Set() }
  clients.set(socket, client)
  socket.once('close', () => {
    for (const leave of client.leaving) leave()
  })
  return client
}

/**
 * The time limit for a request to arrive; after it the answer is 408, and the connection ends. Node.js has such a
 * limit too, but it includes the time that a request waits for earlier answers, as if its client were slow.
 */
class Arrival {
  readonly #request: IncomingMessage
  readonly #giveUp: () => void
  readonly #limitMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(request: IncomingMessage, response: ServerResponse, limitMs: number) {
    this.#request = request
    this.#limitMs = limitMs
    this.#giveUp = () => {
      const { socket } = request
      if (response.headersSent) return void socket.destroy()
      response.shouldKeepAlive = false
      response.once('finish', () => socket.destroy())
      refuse(response, 408, [])
    }
    request.once('close', () => this.pause())
    this.start()
  }

  /** Restarts the full time limit. */
  start(): void {
    if (this.#request.complete || this.#request.closed) return
    this.#timer = setTimeout(this.#giveUp, this.#limitMs)
  }

  pause(): void {
    clearTimeout(this.#timer)
  }
}

/** Headers that let the page of an allowed origin read an answer, as names and values in turn. */
function readableBy({ origin }: IncomingMessage['headers']): readonly string[] {
  return origin === undefined ? ['Vary', 'Origin'] : ['Vary', 'Origin', 'Access-Control-Allow-Origin', origin]
}

/**
 * Answers one HTTP request: JSON-RPC by POST; by GET a file of the page, or a hint. Errors of JSON-RPC are status 200. Foreign origins and
 * hosts get 403 and nothing that their page could read.
 *
 * @throws {Error} If the caller breaks off while it sends.
 */
export async function handleHttp(
  request: IncomingMessage,
  response: ServerResponse,
  callers: HttpCallers,
  access: AccessRules,
  budgets: HttpBudgets,
  page?: PageFiles,
): Promise<void> {
  const arrival = new Arrival(request, response, budgets.requestMs)
  const refusal = accessRefusal(request.headers, access)
  if (refusal !== undefined) return forbid(response, refusal)
  const readable = readableBy(request.headers)
  switch (request.method) {
    case 'OPTIONS':
      return preflight(request, response)
    case 'GET':
    case 'HEAD':
      if (await page?.answer(request, response)) return
      return reply(response, 200, HINT, PLAIN, readable)
    case 'POST':
      break
    default:
      return refuse(response, 405, ['Allow', METHODS, ...readable])
  }
  if (!isJsonRpcType(request.headers['content-type'])) return refuse(response, 415, readable)
  const reading = latestReadingOf(request.url ?? '') ?? callers.usual
  if (reading === 400) return refuse(response, 400, readable)
  const { socket } = request
  if (socket.destroyed) return
  const client = clientOf(socket)
  const caller = { gone: false, client, foreign: isForeignPage(request.headers) }
  // All answers of the connection wait for the same reader, so destroying a single one would free nothing.
  const unread = budgets.unread.open(() => socket.destroy())
  const isPipelined = client.leaving.size > 0
  const before = client.answered
  client.answered = new Promise((resolve) => {
    const leave = () => {
      caller.gone = true
      unread.end()
      client.leaving.delete(leave)
      resolve()
    }
    client.leaving.add(leave)
    response.once('close', leave)
  })
  // A pipelined request starts when the answer before it has been read. Until then its body is not read either.
  if (isPipelined) {
    arrival.pause()
    await before
    if (caller.gone) return
    arrival.start()
  }
  const body = await readBody(request, budgets)
  if (body === 413) return reply(response, body, contentTooLarge(budgets.bodyBytes), PLAIN, readable)
  if (body === 503) return refuse(response, body, readable)
  const answer = await callers[reading].handle(body, caller)
  if (caller.gone) return
  reply(response, 200, answer ?? '', 'application/json', readable)
  unread.add(answer?.length ?? 0)
}

function preflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const granted = ['Access-Control-Allow-Methods', METHODS]
  granted.push('Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? 'Content-Type')
  granted.push('Access-Control-Max-Age', '86400')
  granted.push('Vary', 'Access-Control-Request-Headers')
  // Browsers also ask for this if a public page calls a node on this machine.
  if (headers['access-control-request-private-network']) granted.push('Access-Control-Allow-Private-Network', 'true')
  response.writeHead(204, [...readableBy(headers), ...granted]).end()
}

/**
 * The body's text, or the status of its refusal: it is over the limit, in any encoding, or arrived too slowly while
 * others needed the room. The rest of it is read and discarded: a client that is cut off while it writes never sees
 * the answer.
 */
async function readBody(
  request: IncomingMessage,
  { received, bodyBytes }: Pick<HttpBudgets, 'received' | 'bodyBytes'>,
): Promise<string | 413 | 503> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytes) return 413
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    let refused = false
    const refuseWith = (status: 413 | 503) => {
      refused = true
      chunks.length = 0
      share.end()
      resolve(status)
    }
    const share = received.open(() => refuseWith(503))
    request.on('data', (chunk: Buffer) => {
      if (refused) return
      length += chunk.length
      if (length > bodyBytes) return refuseWith(413)
      chunks.push(chunk)
      share.add(chunk.length)
    })
    request.on('end', () => {
      share.end()
      if (refused) return
      const [first] = chunks
      resolve((first?.length === length ? first : Buffer.concat(chunks, length)).toString('utf8'))
    })
    request.on('error', (error) => {
      share.end()
      reject(error)
    })
  })
}

function forbid(response: ServerResponse, text: string): void {
  reply(response, 403, text, PLAIN, ['Vary', 'Origin'])
}

function refuse(response: ServerResponse, status: keyof typeof REFUSALS, headers: readonly string[]): void {
  reply(response, status, REFUSALS[status], PLAIN, headers)
}

/** Length from which an answer is converted to bytes first: Node.js would copy a string twice more. */
const LARGE_ANSWER = 65_536

/** @param headers - Sent in addition to type and length. */
function reply(response: ServerResponse, status: number, text: string, type: string, headers: readonly string[]): void {
  const body = text.length < LARGE_ANSWER ? text : Buffer.from(text)
  const length = `${Buffer.byteLength(body)}`
  response.writeHead(status, [...headers, 'Content-Type', type, 'Content-Length', length]).end(body)
}
