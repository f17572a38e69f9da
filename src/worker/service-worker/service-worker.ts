import { createSystemClock } from '#primitives/system-clock.ts'
import { CHAIN_NAME_RULE, DEFAULT_CHAIN, isChainName } from '#transport/chain-name.ts'
import { BuildCache, type PageBuild } from './cache.ts'
import { answerEvents } from './events.ts'
import { createNodeFinder } from './nodes.ts'
import { plain, type Route, refuseForeign, routeOf } from './route.ts'
import { answerRpc } from './rpc.ts'

declare const self: ServiceWorkerGlobalScope
/** Set by the build; see `scripts/build/service-worker.mjs`. */
declare const BLINKNET_BUILD: PageBuild

// The service worker. It turns `fetch('rpc')` by any script of the origin into a call to the tab that runs the node,
// and opens the page offline. It keeps nothing that it cannot get again, since the
// browser may stop it at any time.
const { scope } = self.registration
const clock = createSystemClock(globalThis)
const nodeOf = createNodeFinder(new URL(scope).pathname, {
  clock,
  open: (name) => new BroadcastChannel(name),
  newCaller: () => crypto.randomUUID(),
  holdLock,
})
const build = new BuildCache({ caches: self.caches, fetch: (request) => self.fetch(request) }, scope, BLINKNET_BUILD)

/** Resolves once the lock is held; the browser frees it when it stops this worker. */
function holdLock(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const forLife = new Promise<never>(() => {})
    const taken = () => {
      resolve()
      return forLife
    }
    self.navigator.locks.request(name, taken).catch(reject)
  })
}

/** Without storage the page does not open offline, but the node can still be called. */
const warn = (error: unknown) => console.warn('[blinknet] the page will not open offline:', error)

async function install(): Promise<void> {
  await build.fill().catch(warn)
  await self.skipWaiting()
}

async function activate(): Promise<void> {
  // Serves pages that were opened before this worker without a reload.
  await self.clients.claim()
  await build.tidy()
}

function answer(event: FetchEvent): Promise<Response> | Response | undefined {
  const { request } = event
  const route = routeOf(request.url, scope)
  if (route === undefined) {
    const file = build.answer(request)
    // What could not be fetched when this worker was installed is fetched after a visit.
    if (file && request.mode === 'navigate') event.waitUntil(file.then(() => build.complete()).catch(warn))
    return file
  }
  const refusal = refuseForeign(request, scope)
  if (refusal) return refusal
  return answerFromNode(request, route)
}

async function answerFromNode(request: Request, route: Route): Promise<Response> {
  const chain = new URL(request.url).searchParams.get('chain') ?? DEFAULT_CHAIN
  if (!isChainName(chain)) return plain(400, `?chain= takes ${CHAIN_NAME_RULE}\n`)
  const endpoint = await nodeOf(chain)
  return route === 'rpc' ? answerRpc(request, endpoint) : answerEvents(request, { endpoint, clock })
}

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const response = answer(event)
  if (response) event.respondWith(response)
})
self.addEventListener('message', (event) => {
  // After a hard reload a page has no service worker until it asks for one.
  const message = event.data as { readonly kind?: unknown } | null
  if (event.origin === self.origin && message?.kind === 'claim') event.waitUntil(self.clients.claim())
})
