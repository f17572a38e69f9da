import type { BrowserContext, Route, WebSocketRoute } from '@playwright/test'
import type { LatestReading, RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import { latestReadingOf, MAX_BODY_BYTES, REFUSALS } from '#transport/http-rules.ts'
import type { Activity } from './activity.ts'

/** Answers of a routed address are for pages of every origin: it is the test that decides who gets there. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'POST, GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': '*',
}

/** Protocols of one address: what a dapp calls over HTTP it may call over WebSocket as well. */
const SOCKET_OF: Readonly<Record<string, string>> = { 'http:': 'ws:', 'https:': 'wss:', 'ws:': 'ws:', 'wss:': 'wss:' }

/**
 * Sends what a dapp calls at these addresses to a chain, over HTTP and WebSocket, with nothing listening there.
 *
 * @param rpcUrls - Addresses as the dapp has them, `http://localhost:8545`; what stands behind their path may differ.
 * @returns Ends the connections.
 * @throws {TypeError} If one is no address of HTTP or WebSocket.
 */
export async function routeRpc(
  context: BrowserContext,
  rpcUrls: readonly string[],
  endpoint: RpcEndpoint,
  activity: Activity,
): Promise<() => void> {
  const sockets = new Set<RpcConnection>()
  const callers: Readonly<Record<LatestReading, RpcConnection>> = {
    sealed: endpoint.connect(undefined, { latest: 'sealed' }),
    preconfirmed: endpoint.connect(undefined, { latest: 'preconfirmed' }),
  }
  for (const text of rpcUrls) {
    const wanted = parse(text)
    const matches = (url: URL) =>
      SOCKET_OF[url.protocol] === SOCKET_OF[wanted.protocol] &&
      url.host === wanted.host &&
      url.pathname.startsWith(wanted.pathname)
    await context.route(matches, (route) => activity.during(() => answer(route, callers)))
    await context.routeWebSocket(matches, (socket) => serve(socket, endpoint, sockets, activity))
  }
  return () => {
    for (const connection of [...sockets, callers.sealed, callers.preconfirmed]) connection.close()
  }
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && SOCKET_OF[url.protocol] !== undefined) return url
  throw new TypeError(`rpcUrls takes addresses of HTTP or WebSocket, not ${JSON.stringify(text)}`)
}

async function answer(route: Route, callers: Readonly<Record<LatestReading, RpcConnection>>): Promise<void> {
  const request = route.request()
  if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers: CORS })
  const reading = latestReadingOf(request.url()) ?? 'sealed'
  const body = request.postData() ?? ''
  const refusal =
    request.method() !== 'POST' ? 405 : reading === 400 ? 400 : body.length > MAX_BODY_BYTES ? 413 : undefined
  if (refusal !== undefined || reading === 400) {
    return route.fulfill({ status: refusal ?? 400, headers: CORS, body: REFUSALS[refusal ?? 400] })
  }
  const text = await callers[reading].handle(body)
  return route.fulfill({ headers: CORS, contentType: 'application/json', body: text ?? '' })
}

function serve(socket: WebSocketRoute, endpoint: RpcEndpoint, sockets: Set<RpcConnection>, activity: Activity): void {
  const reading = latestReadingOf(socket.url())
  if (reading === 400) return void socket.close({ code: 1008, reason: REFUSALS[400].trim() })
  const connection = endpoint.connect((body) => socket.send(body), reading === undefined ? {} : { latest: reading })
  sockets.add(connection)
  socket.onMessage(async (message) => {
    const text = await activity.during(() => connection.handle(String(message)))
    if (text !== undefined) socket.send(text)
  })
  socket.onClose(() => {
    sockets.delete(connection)
    connection.close()
  })
}
