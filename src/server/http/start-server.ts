import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { LatestReading, RpcEndpoint } from '#rpc-types/connection.ts'
import { MAX_BODY_BYTES } from '#transport/http-rules.ts'
import type { AccessRules } from './access.ts'
import type { GuestDoor } from './guest-door.ts'
import { type HttpBudgets, type HttpCallers, handleHttp } from './http-handler.ts'
import { ignoreUpgrade, wantsWebSocket } from './ignore-upgrade.ts'
import { SERVER_LIMITS, type ServerLimits } from './limits.ts'
import type { PageFiles } from './page-files.ts'
import { SharedBudget } from './shared-budget.ts'
import { createWebSocketHandler } from './ws-handler.ts'

/** Milliseconds that open requests and sockets have to end. */
const GRACE_MS = 1_000
/** Milliseconds; longer than clients keep idle connections, so that the clients close them. */
const KEEP_ALIVE_MS = 65_000
/** Milliseconds between checks for requests that take too long to arrive. */
const CHECKING_MS = 1_000

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
  /** For callers who may not do everything; default: every caller may. */
  readonly guests?: GuestDoor | undefined
  readonly log: (level: 'info' | 'warn' | 'error', message: string, details?: unknown) => void
  /** Default {@link SERVER_LIMITS}. */
  readonly limits?: Partial<ServerLimits>
}

/** A listening HTTP and WebSocket server. */
export interface RunningServer {
  readonly host: string
  readonly port: number
  /** Refuses new connections, ends those that are open, and resolves when all are gone. */
  close(): Promise<void>
}

/**
 * Serves `endpoint` over HTTP and WebSocket on one port.
 *
 * @throws {NodeJS.ErrnoException} With the code `EADDRINUSE`, `EACCES` and so on if it cannot listen.
 */
export async function startServer(endpoint: RpcEndpoint, options: ServerOptions): Promise<RunningServer> {
  const { host, log, guests, latest: usual = 'sealed' } = options
  const { allowOrigins = [], allowHosts = [], cors = true } = options
  const access: AccessRules = { host, allowOrigins, allowHosts, cors }
  const callers: HttpCallers = {
    usual,
    sealed: endpoint.connect(undefined, { latest: 'sealed' }),
    preconfirmed: endpoint.connect(undefined, { latest: 'preconfirmed' }),
  }
  const limits = { ...SERVER_LIMITS, ...options.limits }
  const budgets = budgetsOf(limits, MAX_BODY_BYTES)
  // Guests share only among themselves, so that they cannot take the memory of others.
  const guestBudgets = guests && budgetsOf(guests.limits, guests.limits.bodyBytes)
  const http = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: limits.headersMs,
      // The handler enforces it: Node.js would also count the time that a request waits for earlier answers.
      requestTimeout: 0,
      connectionsCheckingInterval: CHECKING_MS,
    },
    (request, response) => void answer(request, response),
  )
  http.maxConnections = limits.connections + (guests?.limits.connections ?? 0)
  // Idle connections make room for new ones.
  http.on('drop', () => http.closeIdleConnections())
  const onError = (message: string, error: unknown) => log('warn', message, error)
  const webSockets = createWebSocketHandler((push, latest) => endpoint.connect(push, { latest }), {
    access,
    limits,
    bodyBytes: MAX_BODY_BYTES,
    latest: usual,
    received: budgets.received,
    onError,
  })
  const guestSockets =
    guests &&
    guestBudgets &&
    createWebSocketHandler((push, latest, { socket }) => guests.connect(socket, push, latest), {
      access,
      limits: guests.limits,
      bodyBytes: guests.limits.bodyBytes,
      latest: usual,
      received: guestBudgets.received,
      onError,
    })
  http.on('upgrade', (request, socket, head) => {
    const isGuest = guests?.isGuest(request) === true
    if (isGuest && !guests.takeRequest(request.socket)) return void socket.destroy()
    const handler = isGuest ? guestSockets : webSockets
    if (wantsWebSocket(request) && handler) handler.upgrade(request, socket, head)
    // A second response at a time is more than Node.js allows.
    else if (answering.has(request.socket)) socket.destroy()
    else ignoreUpgrade(http, request, socket, head)
  })
  /** The connections with a request under way. */
  const answering = new WeakMap<Socket, number>()
  http.on('request', ({ socket }, response) => {
    answering.set(socket, (answering.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (answering.get(socket) ?? 0) - 1
      if (left > 0) answering.set(socket, left)
      else answering.delete(socket)
    })
  })
  // Including WebSockets, which `http` no longer tracks after the upgrade.
  const sockets = new Set<Socket>()
  http.on('connection', (socket) => {
    if (sockets.has(socket)) return
    if (guests && !guests.admit(socket)) return void socket.destroy()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (guests && guestBudgets && guests.isGuest(request)) {
        if (!guests.takeRequest(request.socket)) return void request.socket.destroy()
        const own = { usual, ...guests.callers(request.socket) }
        await handleHttp(request, response, own, access, guestBudgets, options.page)
      } else await handleHttp(request, response, callers, access, budgets, options.page)
    } catch (error) {
      if (!request.complete) {
        log('warn', 'a client broke off its HTTP request', error)
        return
      }
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
      guestSockets?.close()
      const grace = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, GRACE_MS)
      await closed
      clearTimeout(grace)
      callers.sealed.close()
      callers.preconfirmed.close()
    },
  }
}

function budgetsOf({ requestMs, receivedBytes, unreadBytes }: ServerLimits, bodyBytes: number): HttpBudgets {
  return {
    requestMs,
    bodyBytes,
    received: new SharedBudget(receivedBytes),
    unread: new SharedBudget(unreadBytes),
  }
}
