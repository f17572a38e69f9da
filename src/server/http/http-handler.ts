import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Listed, NOWHERE, UnorderedList } from '#primitives/unordered-list.ts'
import type { Caller, LatestReading } from '#rpc-types/connection.ts'
import { CHAIN_LIST_PATH } from '#rpc-types/served-chains.ts'
import {
  BODY_START,
  beginsBuildRequest,
  contentTooLarge,
  isJsonRpcType,
  latestReadingOf,
  MAX_BODY_BYTES,
  MAX_BUILD_BODY_BYTES,
  METHODS,
  REFUSALS,
} from '#transport/http-rules.ts'
import { type AccessRules, accessRefusal, isForeignPage } from './access.ts'
import type { AnswerRounds } from './answer-rounds.ts'
import type { Arrivals } from './arrivals.ts'
import { type Callers, type ChainPaths, pathOf } from './chain-paths.ts'
import type { PageFiles } from './page-files.ts'
import type { BudgetShare, SharedBudget } from './shared-budget.ts'

const PLAIN = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json'
const HINT =
  'Blinknet is running. Open this address in a browser, POST JSON-RPC 2.0 here with Content-Type: application/json, or open a WebSocket.\n'

/** What all requests share. */
export interface HttpShared {
  /** The time limit for requests to arrive. */
  readonly arrivals: Arrivals
  /** When answers are written. */
  readonly rounds: AnswerRounds
  /** The reading of `latest` at addresses that do not say. */
  readonly latest: LatestReading
  /** Bytes of a body, at most. */
  readonly bodyBytes: number
  /** For incomplete requests. */
  readonly received: SharedBudget
  /** For unread answers, which stay in memory until then. */
  readonly unread: SharedBudget
}

/** What an address has besides JSON-RPC. */
export interface HttpExtras {
  /** For browsers. */
  readonly page?: PageFiles | undefined
  /** If there are several chains, or may be. */
  readonly chains?: ChainPaths | undefined
}

/** One TCP connection: its requests come from one client, and may come before earlier ones are answered. */
class Client {
  /** Requests whose responses are open. */
  readonly visits = new UnorderedList<Visit>()
  /** JSON-RPC requests among them. */
  calls = 0
  /** Let the next JSON-RPC requests begin, one each time that one is over. */
  readonly waiting: (() => void)[] = []
}

/** A request until the client's system has its answer, or the client has gone. */
class Visit implements Caller, Listed {
  readonly client: Client
  readonly foreign: boolean
  gone = false
  isCall = false
  /** Among those of the client. */
  place = NOWHERE
  /** What of the answer waits to be read. */
  unread: BudgetShare | undefined

  constructor(client: Client, headers: IncomingMessage['headers']) {
    this.client = client
    this.foreign = isForeignPage(headers)
    client.visits.add(this)
  }

  /**
   * Counts it as a JSON-RPC request.
   *
   * @returns A promise of its turn if another is under way.
   */
  becomeCall(): Promise<void> | undefined {
    const { client } = this
    this.isCall = true
    return client.calls++ === 0 ? undefined : new Promise((resolve) => client.waiting.push(resolve))
  }

  end(): void {
    if (this.gone) return
    this.gone = true
    this.unread?.end()
    this.client.visits.delete(this)
    if (!this.isCall) return
    this.client.calls--
    this.client.waiting.shift()?.()
  }
}

const clients = new WeakMap<Socket, Client>()

function clientOf(socket: Socket, rounds: AnswerRounds): Client {
  const known = clients.get(socket)
  if (known) return known
  const client = new Client()
  clients.set(socket, client)
  rounds.join()
  // A response that waits behind others is not told.
  socket.once('close', () => {
    rounds.leave()
    for (const visit of client.visits.all()) visit.end()
  })
  return client
}

/** Whether a request of this connection is under way. */
export function isAnswering(socket: Socket): boolean {
  return (clients.get(socket)?.visits.size ?? 0) > 0
}

/** Ends a request that did not arrive in time: the answer is 408, and the connection ends. */
export function giveUpArriving({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) return void socket.destroy()
  response.shouldKeepAlive = false
  response.once('finish', () => socket.destroy())
  refuse(response, 408, [])
}

/** Whether a request is for the address itself, with or without a query. */
function isRoot(target = '/'): boolean {
  return /^\/?(?:\?|$)/.test(target)
}

/** Whether a request is for the address of one of several chains: programs wait until it answers. */
function isChain(target: string, chains: ChainPaths | undefined): boolean {
  const prefix = chains?.prefixOf(target)
  return prefix !== undefined && prefix !== '' && pathOf(target).replace(/\/$/, '') === prefix
}

/** Headers that let the page of an allowed origin read an answer, as names and values in turn. */
function readableBy({ origin }: IncomingMessage['headers']): readonly string[] {
  return origin === undefined ? ['Vary', 'Origin'] : ['Vary', 'Origin', 'Access-Control-Allow-Origin', origin]
}

/**
 * Answers one HTTP request: JSON-RPC by POST; by GET a file of the page, the list of several chains, or a hint; by DELETE the
 * end of a chain that was made on demand. Errors of JSON-RPC are status 200. Foreign origins and hosts get 403 and nothing
 * that their page could read.
 *
 * @throws {Error} If the caller breaks off while it sends.
 */
export async function handleHttp(
  request: IncomingMessage,
  response: ServerResponse,
  callers: Callers,
  access: AccessRules,
  shared: HttpShared,
  { page, chains }: HttpExtras = {},
): Promise<void> {
  const { arrivals, rounds } = shared
  const { socket, url = '/' } = request
  const visit = new Visit(clientOf(socket, rounds), request.headers)
  response.on('close', () => visit.end())
  let arriving = arrivals.begin(request, response)
  const refusal = accessRefusal(request.headers, access)
  if (refusal !== undefined) return forbid(response, refusal)
  const readable = readableBy(request.headers)
  switch (request.method) {
    case 'OPTIONS':
      return preflight(request, response, methodsAt(url, chains))
    case 'GET':
    case 'HEAD':
      if (chains && pathOf(url) === CHAIN_LIST_PATH) return listChains(response, chains, readable)
      if (await page?.answer(request, response, chains?.prefixOf(url))) return
      // Programs look for what a server may have, such as /llms.txt: it is not here.
      return reply(response, isRoot(request.url) || isChain(url, chains) ? 200 : 404, HINT, PLAIN, readable)
    case 'POST':
      break
    default:
      if (request.method === 'DELETE' && chains?.mayEnd(url)) return endChain(response, chains, url, readable)
      return refuse(response, 405, ['Allow', methodsAt(url, chains), ...readable])
  }
  if (!isJsonRpcType(request.headers['content-type'])) return refuse(response, 415, readable)
  const reading = latestReadingOf(url) ?? shared.latest
  if (reading === 400) return refuse(response, 400, readable)
  if (socket.destroyed) return
  const turn = visit.becomeCall()
  // A pipelined request starts when the answer before it has been read. Until then its body is not read either.
  if (turn) {
    arrivals.end(arriving)
    await turn
    if (visit.gone) return
    arriving = arrivals.begin(request, response)
  }
  const body = await readBody(request, shared)
  // What is left of a refused body still has to arrive in time.
  if (body === 413) return reply(response, body, refusalOf(shared.bodyBytes), PLAIN, readable)
  if (body === 503) return refuse(response, body, readable)
  arrivals.end(arriving)
  const answer = await callers[reading].handle(body, visit)
  const writing = rounds.next()
  if (writing) await writing
  if (visit.gone) return
  reply(response, 200, answer ?? '', JSON_TYPE, readable)
  // Mostly the system takes it at once, and nothing waits here.
  if (response.writableLength === 0) return
  // All answers of the connection wait for the same reader, so destroying a single one would free nothing.
  visit.unread = shared.unread.open(() => socket.destroy())
  visit.unread.add(answer?.length ?? 0)
}

/** The methods of an address, as the header `Allow` lists them. */
function methodsAt(target: string, chains: ChainPaths | undefined): string {
  return chains?.mayEnd(target) ? `${METHODS}, DELETE` : METHODS
}

function listChains(response: ServerResponse, chains: ChainPaths, readable: readonly string[]): void {
  reply(response, 200, JSON.stringify(chains.list()), JSON_TYPE, ['Cache-Control', 'no-store', ...readable])
}

async function endChain(
  response: ServerResponse,
  chains: ChainPaths,
  target: string,
  readable: readonly string[],
): Promise<void> {
  if (await chains.end(target)) response.writeHead(204, [...readable]).end()
  else reply(response, 404, 'there is no such chain: the first call of one makes it\n', PLAIN, readable)
}

function preflight({ headers }: IncomingMessage, response: ServerResponse, methods: string): void {
  const granted = ['Access-Control-Allow-Methods', methods]
  granted.push('Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? 'Content-Type')
  granted.push('Access-Control-Max-Age', '86400')
  granted.push('Vary', 'Access-Control-Request-Headers')
  // Browsers also ask for this if a public page calls a node on this machine.
  if (headers['access-control-request-private-network']) granted.push('Access-Control-Allow-Private-Network', 'true')
  response.writeHead(204, [...readableBy(headers), ...granted]).end()
}

/** Why a body is too long, in words. */
function refusalOf(bodyBytes: number): string {
  if (bodyBytes < MAX_BODY_BYTES) return contentTooLarge(bodyBytes)
  return `${contentTooLarge(bodyBytes)}hardhat_addCompilationResult may have ${MAX_BUILD_BODY_BYTES} bytes, if its method stands before its parameters\n`
}

/** Chunks of a body that are kept before they are joined: each takes some 400 bytes of its own, even if it has one. */
const MAX_CHUNKS = 1_024

/**
 * The body's text, or the status of its refusal: it is over the limit, in any encoding, or arrived too slowly while
 * others needed the room. The rest of it is read and discarded: a client that is cut off while it writes never sees
 * the answer.
 */
function readBody(
  request: IncomingMessage,
  { received, bodyBytes }: Pick<HttpShared, 'received' | 'bodyBytes'>,
): Promise<string | 413 | 503> | 413 {
  const declared = Number(request.headers['content-length'])
  // Guests, who may send little, give no compilations.
  const mostBytes = bodyBytes < MAX_BODY_BYTES ? bodyBytes : MAX_BUILD_BODY_BYTES
  if (declared > mostBytes) return 413
  return new Promise((resolve, reject) => {
    /** The only chunk, as of most bodies. */
    let first: Buffer | undefined
    let more: Chunks | undefined
    let length = 0
    let allowed = bodyBytes
    let refused = false
    let share: BudgetShare | undefined
    const refuseWith = (status: 413 | 503) => {
      refused = true
      first = more = undefined
      share?.end()
      resolve(status)
    }
    request.on('data', (chunk: Buffer) => {
      if (refused) return
      length += chunk.length
      const isBuild = length === chunk.length && beginsBuildRequest(chunk.toString('latin1', 0, BODY_START))
      if (isBuild) allowed = mostBytes
      if (declared > allowed || length > allowed) return refuseWith(413)
      if (!first) first = chunk
      else (more ??= new Chunks(first)).add(chunk)
      // One that comes whole holds nothing while it waits for more.
      if (chunk.length === declared) return
      share ??= received.open(() => refuseWith(503))
      share.add(chunk.length)
    })
    request.on('end', () => {
      share?.end()
      if (!refused) resolve((more?.join(length) ?? first)?.toString() ?? '')
    })
    request.on('error', (error) => {
      share?.end()
      reject(error)
    })
  })
}

/** The chunks of a body. */
class Chunks {
  /** Buffers of {@link MAX_CHUNKS} chunks each. */
  readonly #joined: Buffer[] = []
  #chunks: Buffer[]

  constructor(first: Buffer) {
    this.#chunks = [first]
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    if (this.#chunks.length < MAX_CHUNKS) return
    this.#joined.push(Buffer.concat(this.#chunks))
    this.#chunks = []
  }

  join(length: number): Buffer {
    return Buffer.concat([...this.#joined, ...this.#chunks], length)
  }
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
