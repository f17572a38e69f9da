import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { LatestReading, NewHeads, RpcEndpoint } from '#rpc-types/connection.ts'
import { MAX_BODY_BYTES } from '#transport/http-rules.ts'
import { newHeadsOf } from '#transport/new-heads.ts'
import { type AccessRules, isForeignPage } from './access.ts'
import { AnswerRounds } from './answer-rounds.ts'
import { Arrivals } from './arrivals.ts'
import { type ChainPaths, reachable } from './chain-paths.ts'
import { Connections } from './connections.ts'
import type { Door } from './door.ts'
import type { FlashblocksStreams } from './flashblocks-streams.ts'
import { giveUpArriving, type HttpShared, handleHttp, isAnswering } from './http-handler.ts'
import { lateWebSockets } from './late-web-sockets.ts'
import { SERVER_LIMITS, type ServerLimits } from './limits.ts'
import type { PageFiles } from './page-files.ts'
import { SharedBudget } from './shared-budget.ts'

/** Milliseconds that open requests and sockets have to end. */
const GRACE_MS = 1_000
/** Milliseconds; longer than clients keep idle connections, so that the clients close them. */
const KEEP_ALIVE_MS = 65_000
/** Milliseconds between checks for requests that take too long to arrive. */
const CHECKING_MS = 1_000
/** Headers of an offer to speak another protocol. */
const OFFER = new Set(['connection', 'upgrade', 'http2-settings'])

export interface ServerOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Origins that may call besides those on localhost; `*` is every origin. */
  readonly allowOrigins?: readonly string[]
  /** Whether pages of other origins may call at all; default true. */
  readonly cors?: boolean
  /** Names in the `Host` header that are allowed besides localhost, local addresses and `host`. */
  readonly allowHosts?: readonly string[]
  /** The reading of `latest` at addresses that do not say; default `sealed`. */
  readonly latest?: LatestReading
  /** The page for browsers at this address; default none. */
  readonly page?: PageFiles | undefined
  /** The path of the Flashblocks stream, below that of each chain; default none. */
  readonly flashblocks?: string
  /** Whether only programs on this machine call, and none through a proxy; default false. */
  readonly onlyDirect?: boolean
  readonly log: (level: 'info' | 'warn' | 'error', message: string, details?: unknown) => void
}

/** A listening HTTP and WebSocket server. */
export interface RunningServer {
  readonly host: string
  readonly port: number
  /** Refuses new connections, ends those that are open, and resolves when all are gone. */
  close(): Promise<void>
}

/**
 * Serves `endpoint` over HTTP and WebSocket on one port; whoever reaches it may do everything.
 *
 * @param options.limits - Default {@link SERVER_LIMITS}.
 * @throws {NodeJS.ErrnoException} With the code `EADDRINUSE`, `EACCES` and so on if it cannot listen.
 */
export async function startServer(
  endpoint: RpcEndpoint,
  options: ServerOptions & { readonly limits?: Partial<ServerLimits> },
): Promise<RunningServer> {
  const chain = reachable(endpoint)
  const door: Door = {
    ...openDoor(options.limits),
    callers: () => chain.callers,
    connect: (_socket, push, latest, foreign, target) =>
      endpoint.connect(push, { latest, foreign, newHeads: headsAt(target) }),
  }
  const server = await serveDoor(door, options).catch((error: unknown) => {
    chain.close()
    throw error
  })
  return {
    ...server,
    async close() {
      await server.close()
      chain.close()
    },
  }
}

/**
 * Serves several chains over HTTP and WebSocket on one port, each at its path; whoever reaches it may do everything. The
 * chains stay open when it closes.
 *
 * @throws {NodeJS.ErrnoException} As {@link startServer} does.
 */
export function serveChains(chains: ChainPaths, options: ServerOptions): Promise<RunningServer> {
  const door: Door = {
    ...openDoor(),
    chains,
    callers: (_socket, target) => chains.at(target).callers,
    connect: (socket, push, latest, foreign, target) =>
      chains.at(target).connect(push, { latest, foreign, newHeads: headsAt(target) }, () => socket.destroy()),
  }
  return serveDoor(door, options)
}

/** Lets everybody in, as far as the server's limits go. */
function openDoor(limits?: Partial<ServerLimits>): Pick<Door, 'limits' | 'admit' | 'takeRequest'> {
  return {
    limits: { ...SERVER_LIMITS, ...limits, bodyBytes: MAX_BODY_BYTES },
    admit: () => true,
    takeRequest: () => true,
  }
}

/**
 * Serves over HTTP and WebSocket, on one port, what a door lets callers do.
 *
 * @throws {NodeJS.ErrnoException} As {@link startServer} does.
 */
export async function serveDoor(door: Door, options: ServerOptions): Promise<RunningServer> {
  const { host, log, latest: usual = 'sealed', page } = options
  const { allowOrigins = [], allowHosts = [], cors = true, onlyDirect = false, flashblocks } = options
  const access: AccessRules = { host, allowOrigins, allowHosts, cors, onlyDirect }
  const { limits } = door
  const shared = sharedBy(limits, usual)
  const settings = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: limits.headersMs,
    // The handler enforces it: Node.js would also count the time that a request waits for earlier answers.
    requestTimeout: 0,
    connectionsCheckingInterval: CHECKING_MS,
    // Since Node.js 24.9 other offers do not become upgrades; in older versions `ignoreUpgrade` puts them back.
    shouldUpgradeCallback: wantsWebSocket,
  }
  const http = createServer(settings, (request, response) => void answer(request, response))
  const onError = (message: string, error: unknown) => log('error', message, error)
  const webSockets = lateWebSockets(async () => {
    const { createWebSocketHandler } = await import('./ws-handler.ts')
    const streams = flashblocks === undefined ? undefined : await flashblocksAt(flashblocks)
    return createWebSocketHandler(
      (push, latest, { headers, socket, url = '/' }) => {
        const foreign = isForeignPage(headers)
        const stream = streams?.at(url, door.chains)
        if (!stream) return door.connect(socket, push, latest, foreign, url)
        const { chain } = stream
        return stream.join(
          push,
          (take, cutOff) =>
            door.chains?.at(chain).connect(take, { latest, foreign }, cutOff) ??
            door.connect(socket, take, latest, foreign, chain),
          () => socket.destroy(),
        )
      },
      { access, limits, bodyBytes: limits.bodyBytes, latest: usual, received: shared.received, onError },
    )
  }, onError)
  http.on('upgrade', (request, socket, head) => {
    connections.hasAsked(request.socket)
    if (!door.takeRequest(request.socket)) return void socket.destroy()
    if (wantsWebSocket(request)) webSockets.upgrade(request, socket, head)
    // A second response at a time is more than Node.js allows.
    else if (isAnswering(request.socket)) socket.destroy()
    else ignoreUpgrade(http, request, socket, head)
  })
  const connections = new Connections(limits.connections, {
    admit: (socket, leaving) => door.admit(socket, leaving),
    closeIdle: () => http.closeIdleConnections(),
  })
  http.on('connection', (socket) => connections.add(socket))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    connections.hasAsked(request.socket)
    try {
      if (!door.takeRequest(request.socket)) return void request.socket.destroy()
      const { socket, url = '/' } = request
      await handleHttp(request, response, door.callers(socket, url), access, shared, { page, chains: door.chains })
    } catch (error) {
      // The client broke it off.
      if (!request.complete) return
      log('error', 'an HTTP request could not be answered', error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    }
  }

  await new Promise<void>((resolve, reject) => {
    http.once('error', reject)
    http.listen(options.port, host, () => {
      http.off('error', reject)
      resolve()
    })
  })

  return {
    host,
    port: (http.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()))
      webSockets.close()
      const grace = setTimeout(() => {
        connections.destroyAll()
      }, GRACE_MS)
      await closed
      clearTimeout(grace)
    },
  }
}

function sharedBy(
  { requestMs, receivedBytes, unreadBytes, bodyBytes }: Door['limits'],
  latest: LatestReading,
): HttpShared {
  return {
    arrivals: new Arrivals(requestMs, giveUpArriving),
    rounds: new AnswerRounds(),
    latest,
    bodyBytes,
    received: new SharedBudget(receivedBytes),
    unread: new SharedBudget(unreadBytes),
  }
}

/** What `newHeads` sends at an address. Others have been refused. */
function headsAt(target: string): NewHeads {
  const heads = newHeadsOf(target)
  return heads === 400 ? 'sealed' : heads
}

async function flashblocksAt(path: string): Promise<FlashblocksStreams> {
  const { FlashblocksStreams } = await import('./flashblocks-streams.ts')
  return new FlashblocksStreams(path)
}

/** Whether a request asks to become a WebSocket. */
function wantsWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Answers a request as if it had not offered another protocol, as RFC 9110 lets a server do. Java's HTTP client offers
 * HTTP/2 with each request. Node.js before 24.9 has already let go of the connection, so the request is put back and read
 * again; since then `shouldUpgradeCallback` keeps it from doing so.
 */
function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders, headers } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (!OFFER.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[i + 1]}`)
  }
  if (/\bclose\b/i.test(headers.connection ?? '')) lines.push('Connection: close')
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
