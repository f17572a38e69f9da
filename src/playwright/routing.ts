import type { BrowserContext, Route, WebSocketRoute } from '@playwright/test'
import type { LatestReading, RpcConnection, RpcEndpoint } from '#rpc-types/connection.ts'
import { latestReadingOf, MAX_BODY_BYTES, REFUSALS } from '#transport/http-rules.ts'
import { NEW_HEADS_REFUSAL, newHeadsOf } from '#transport/new-heads.ts'
import type { Activity } from './activity.ts'

/** Answers of a routed address are for pages of every origin: it is the test that decides who gets there. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'POST, GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': '*',
}

/** Protocols of one address: what a dapp calls over HTTP it may call over WebSocket as well. */
const SOCKET_OF: Readonly<Record<string, string>> = { 'http:': 'ws:', 'https:': 'wss:', 'ws:': 'ws:', 'wss:': 'wss:' }

/** Addresses that a dapp calls: those of the test's first chain, or each with the name of its chain. */
export type RpcUrls = readonly string[] | Readonly<Record<string, string>>

/** An address and the chain that answers there. */
interface RpcRoute {
  readonly url: URL
  readonly chain: RoutedChain
}

/** The part of a chain that is needed to answer at an address. */
export interface RoutedChain {
  readonly name: string
  readonly dapp: RpcEndpoint
}

/** The addresses of a test's chains. */
export class RpcRoutes {
  /** The more of a path an address has, the earlier. */
  readonly all: readonly RpcRoute[]

  constructor(all: readonly RpcRoute[]) {
    this.all = [...all].sort((one, other) => other.url.pathname.length - one.url.pathname.length)
  }

  /** Name of the chain that answers at an address; `undefined` if none does. */
  nameAt(text: string): string | undefined {
    const url = new URL(text)
    return this.all.find((route) => isAt(url, route.url))?.chain.name
  }
}

/** Most addresses that a test routes. */
const MAX_ROUTES = 100

/**
 * The addresses of a test's chains.
 *
 * @param rpcUrls - As the dapp has them, `http://localhost:8545`; the dapp's may go on behind their path, from a slash on.
 * @throws {TypeError} If one is no address of HTTP or WebSocket, or names a chain that the test does not have.
 */
export function routesOf(rpcUrls: RpcUrls, chains: readonly RoutedChain[]): RpcRoutes {
  const entries: readonly (readonly [string, string | undefined])[] = Array.isArray(rpcUrls)
    ? (rpcUrls as readonly string[]).map((url) => [url, undefined] as const)
    : Object.entries(rpcUrls as Readonly<Record<string, string>>)
  if (entries.length > MAX_ROUTES) throw new RangeError(`rpcUrls has at most ${MAX_ROUTES} addresses`)
  return new RpcRoutes(
    entries.map(([text, name]) => {
      const chain = name === undefined ? chains[0] : chains.find((each) => each.name === name)
      if (chain) return { url: parseRpcAddress(text, 'rpcUrls'), chain }
      const names = chains.map((each) => each.name).join(', ')
      throw new TypeError(`rpcUrls names the chain ${JSON.stringify(name)} at ${text}: this test has ${names}`)
    }),
  )
}

/** Whether a text is an address that a dapp can call: of HTTP or WebSocket. */
export function isRpcAddress(text: string): boolean {
  return URL.canParse(text) && SOCKET_OF[new URL(text).protocol] !== undefined
}

/** Whether calls to an address arrive at another one: what stands behind that one's path, from a slash on, is of no matter. */
export function isAt(url: URL, wanted: URL): boolean {
  const { pathname } = wanted
  return (
    SOCKET_OF[url.protocol] === SOCKET_OF[wanted.protocol] &&
    url.host === wanted.host &&
    (url.pathname === pathname || url.pathname.startsWith(pathname.endsWith('/') ? pathname : `${pathname}/`))
  )
}

/**
 * Sends what a dapp calls at these addresses to their chains, over HTTP and WebSocket, with nothing listening there.
 *
 * @returns Ends the connections.
 */
export async function routeRpc(context: BrowserContext, routes: RpcRoutes, activity: Activity): Promise<() => void> {
  const sockets = new Set<RpcConnection>()
  const opened: RpcConnection[] = []
  // The route that Playwright is told last is tried first.
  for (const { url: wanted, chain } of [...routes.all].reverse()) {
    const endpoint = chain.dapp
    const callers: Readonly<Record<LatestReading, RpcConnection>> = {
      sealed: endpoint.connect(undefined, { latest: 'sealed' }),
      preconfirmed: endpoint.connect(undefined, { latest: 'preconfirmed' }),
    }
    opened.push(callers.sealed, callers.preconfirmed)
    const matches = (url: URL) => isAt(url, wanted)
    await context.route(matches, (route) => activity.during(() => answer(route, callers)))
    await context.routeWebSocket(matches, (socket) => serve(socket, endpoint, sockets, activity))
  }
  return () => {
    for (const connection of [...sockets, ...opened]) connection.close()
  }
}

/** @param option - The option that has it. @throws {TypeError} If it is no address of HTTP or WebSocket. */
export function parseRpcAddress(text: string, option: string): URL {
  if (isRpcAddress(text)) return new URL(text)
  throw new TypeError(`${option} takes addresses of HTTP or WebSocket, not ${JSON.stringify(text)}`)
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
  const newHeads = newHeadsOf(socket.url())
  if (newHeads === 400) return void socket.close({ code: 1008, reason: NEW_HEADS_REFUSAL.trim() })
  const wishes = { newHeads, ...(reading !== undefined && { latest: reading }) }
  const connection = endpoint.connect((body) => socket.send(body), wishes)
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
