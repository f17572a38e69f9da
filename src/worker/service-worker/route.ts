import { METHODS, REFUSALS } from '#transport/http-rules.ts'

/** The parts of `Request` that say who sent it, and where to. */
export interface Asked {
  readonly url: string
  readonly method: string
  readonly mode: string
  readonly destination: string
  readonly headers: Pick<Headers, 'get'>
}

/** Which of the node's addresses a request is for; `undefined` if none. */
export type Route = 'rpc' | 'events'

/** @param scope - Address of the folder that holds the page, with `/` at its end. */
export function routeOf(url: string, scope: string): Route | undefined {
  const { origin, pathname } = new URL(url)
  const base = new URL(scope)
  if (origin !== base.origin) return undefined
  if (pathname === `${base.pathname}rpc`) return 'rpc'
  if (pathname === `${base.pathname}rpc/events`) return 'events'
  return undefined
}

/**
 * Refuses a request that must not reach the node; `undefined` if it may.
 *
 * Pages of other sites can only send this worker navigations, such as posted forms. So navigations are refused, and so
 * are requests of elements. The headers are checked as well, where the browser exposes them here.
 */
export function refuseForeign(request: Asked, scope: string): Response | undefined {
  const site = request.headers.get('Sec-Fetch-Site')
  const origin = request.headers.get('Origin')
  const isOwn =
    request.mode !== 'navigate' &&
    request.destination === '' &&
    (site === null || site === 'same-origin') &&
    (origin === null || origin === new URL(scope).origin)
  if (isOwn) return undefined
  return plain(403, 'only scripts of this origin may call the node, by fetch or EventSource\n')
}

/** Headers of every answer: the chain moves on, so no answer may be cached. */
export const NO_STORE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const

/** An answer with plain text or without a body. */
export function plain(status: number, text: string | null, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, {
    status,
    headers: { ...NO_STORE, 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  })
}

/** An answer whose body is already JSON text. */
export function json(status: number, body: string): Response {
  return new Response(body, { status, headers: { ...NO_STORE, 'Content-Type': 'application/json' } })
}

/** Refuses by one of the rules that the Node.js server has, too. */
export function refuse(status: keyof typeof REFUSALS): Response {
  return plain(status, REFUSALS[status], status === 405 ? { Allow: METHODS } : {})
}
