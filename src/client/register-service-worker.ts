import { DEFAULT_CHAIN } from '#transport/chain-name.ts'
import { errorText } from '#transport/port/messages.ts'
import { type ConnectionState, createObservable, type Observable } from './session/connection-state.ts'
import { trustedScriptUrl } from './trusted-script-url.ts'

/** Whether other scripts of the origin can call the node by `fetch`. */
export type RpcRoute =
  | { readonly status: 'starting' }
  /** Scripts can call the chain, at `url`. */
  | { readonly status: 'ready'; readonly url: string }
  /** Scripts cannot; `reason` is a sentence for people. The page works without it. */
  | { readonly status: 'unavailable'; readonly reason: string }

/**
 * Milliseconds to wait once the node runs or has failed, so that caching files for offline use does not slow the first
 * view.
 */
const LATER_MS = 500

const NOT_SHARED = 'The chain of this page is not shared between the tabs of this browser.'

/** The part of a document and its `navigator` used here. */
export interface ServiceWorkerHost {
  readonly isSecureContext: boolean
  readonly serviceWorker:
    | Pick<ServiceWorkerContainer, 'controller' | 'register' | 'ready' | 'addEventListener'>
    | undefined
  /** Address of the page's folder, with `/` at its end. */
  readonly folder: string
  /** Resolves when the page has loaded what it needs first. */
  readonly loaded: Promise<void>
}

/**
 * Registers the service worker of the page's folder, which takes over this page without a reload.
 *
 * @param chain - The shared chain of this page; `undefined` if there is none, and the worker only caches the page for
 * offline use.
 */
export function registerServiceWorker(chain: string | undefined, host: ServiceWorkerHost): Observable<RpcRoute> {
  const route = createObservable<RpcRoute>({ status: 'starting' })
  const url = new URL('rpc', host.folder)
  if (chain !== undefined && chain !== DEFAULT_CHAIN) url.searchParams.set('chain', chain)
  const isShared = chain !== undefined
  void establish(host).then(
    () => route.set(isShared ? { status: 'ready', url: url.href } : { status: 'unavailable', reason: NOT_SHARED }),
    (error: unknown) => route.set({ status: 'unavailable', reason: errorText(error) }),
  )
  return route
}

/** @throws {Error} With a sentence for people, if there will be no service worker. */
async function establish({ isSecureContext, serviceWorker, folder, loaded }: ServiceWorkerHost): Promise<void> {
  if (!isSecureContext) throw new Error('Browsers have service workers only over HTTPS and on localhost.')
  if (!serviceWorker) throw new Error('This browser does not support service workers, at least not in private windows.')
  await loaded
  const controlled = new Promise<void>((resolve) => {
    serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
  })
  try {
    await serviceWorker.register(trustedScriptUrl(new URL('sw.js', folder).href), {
      scope: folder,
      type: import.meta.env.DEV ? 'module' : 'classic',
      updateViaCache: 'none',
    })
  } catch (error) {
    throw new Error(`The browser refused the service worker: ${errorText(error)}`, { cause: error })
  }
  const { active } = await serviceWorker.ready
  if (serviceWorker.controller) return
  // After a hard reload, only this makes the worker take over the page.
  active?.postMessage({ kind: 'claim' })
  await controlled
}

/** @param node - Registration waits for it, since the page comes first. */
export function browserHost(node: Observable<ConnectionState>): ServiceWorkerHost {
  return {
    isSecureContext,
    serviceWorker: 'serviceWorker' in navigator ? navigator.serviceWorker : undefined,
    folder: new URL(import.meta.env.BASE_URL, location.href).href,
    loaded: started(node).then(() => new Promise((resolve) => setTimeout(resolve, LATER_MS))),
  }
}

/** Resolves when the node runs or has failed. */
function started(node: Observable<ConnectionState>): Promise<void> {
  return new Promise((resolve) => {
    const stop = node.subscribe(update)
    update()
    function update(): void {
      if (node.get().status === 'starting') return
      stop()
      resolve()
    }
  })
}
