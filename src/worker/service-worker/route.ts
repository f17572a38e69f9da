import { METHODS, REFUSALS } from '#transport/http-rules.ts'

/** The part of `Request` that says who asks, and for what. */
export interface Asked {
  readonly url: string
  readonly method: string
  readonly mode: string
  readonly destination: string
  readonly headers: Pick<Headers, 'get'>
}

/** The node's address that a request goes to; `undefined` if it is none of them. */
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
 * The answer to a request that must not reach the node; `undefined` if it may.
 *
 * A page of another site can send this worker nothing but navigations, such as a form that it posts; so none is let
 * through, nor what an element loads. The headers say the same once more, where the browser shows them here.
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

/** Headers of every answer: the chain moves on, so none is to be kept. */
export const NO_STORE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const

/** An answer in plain text, or with none. */
export function plain(status: number, text: string | null, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, {
    status,
    headers: { ...NO_STORE, 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  })
}

/** An answer whose body is JSON text already. */
export function json(status: number, body: string): Response {
  return new Response(body, { status, headers: { ...NO_STORE, 'Content-Type': 'application/json' } })
}

/** Refuses by one of the rules that the Node.js server keeps as well. */
export function refuse(status: keyof typeof REFUSALS): Response {
  return plain(status, REFUSALS[status], status === 405 ? { Allow: METHODS } : {})
}
