import { beforeEach, expect, test, vi } from 'vitest'
import { type RpcRoute, registerServiceWorker, type ServiceWorkerHost } from './register-service-worker.ts'

/** A browser that records what the page does with it. */
class FakeContainer extends EventTarget {
  controller: ServiceWorker | null = null
  readonly registered: unknown[] = []
  readonly posted: unknown[] = []
  refusal: Error | undefined
  readonly ready = Promise.resolve({
    active: { postMessage: (message: unknown) => void this.posted.push(message) },
  } as unknown as ServiceWorkerRegistration)

  register(url: string | URL, options?: RegistrationOptions): Promise<ServiceWorkerRegistration> {
    this.registered.push([url, options?.scope])
    return this.refusal ? Promise.reject(this.refusal) : this.ready
  }

  takeOver(): void {
    this.controller = {} as ServiceWorker
    this.dispatchEvent(new Event('controllerchange'))
  }
}

const FOLDER = 'https://dapp.example/blinknet/'
let container: FakeContainer

beforeEach(() => {
  container = new FakeContainer()
  vi.stubGlobal('location', new URL(FOLDER))
  return () => vi.unstubAllGlobals()
})

function register(options: Partial<ServiceWorkerHost> & { chain?: string | undefined } = {}) {
  const { chain, ...host } = { chain: 'main', ...options }
  return registerServiceWorker(chain, {
    isSecureContext: true,
    serviceWorker: container,
    folder: FOLDER,
    loaded: Promise.resolve(),
    ...host,
  })
}

const settled = (route: { get(): RpcRoute }) =>
  vi.waitFor(() => {
    expect(route.get().status).not.toBe('starting')
    return route.get()
  })

test('the folder’s worker is registered, and asked to take over a page that it does not control', async () => {
  const route = register()
  await vi.waitFor(() => expect(container.posted).toEqual([{ kind: 'claim' }]))
  expect(container.registered).toEqual([[`${FOLDER}sw.js`, FOLDER]])
  expect(route.get()).toEqual({ status: 'starting' })
  container.takeOver()
  expect(await settled(route)).toEqual({ status: 'ready', url: `${FOLDER}rpc` })
})

test('a page that already has a service worker does not ask it to take over', async () => {
  container.takeOver()
  expect(await settled(register())).toEqual({ status: 'ready', url: `${FOLDER}rpc` })
  expect(container.posted).toEqual([])
})

test('the address names the chain, unless it is the default one', async () => {
  container.takeOver()
  expect(await settled(register({ chain: 'other' }))).toEqual({ status: 'ready', url: `${FOLDER}rpc?chain=other` })
})

test('nothing is registered before the page has loaded', async () => {
  let load = () => {}
  register({ loaded: new Promise((resolve) => (load = resolve)) })
  await container.ready
  expect(container.registered).toEqual([])
  load()
  await vi.waitFor(() => expect(container.registered).toHaveLength(1))
})

test.each([
  ['an address without https', { isSecureContext: false }, /only over HTTPS and on localhost/],
  ['a browser without service workers', { serviceWorker: undefined }, /does not support service workers/],
])('on %s the route is unavailable, with a reason', async (_, host, reason) => {
  expect(await settled(register(host))).toEqual({
    status: 'unavailable',
    reason: expect.stringMatching(reason) as string,
  })
})

test('if no tabs share the chain there is no RPC route, and the worker still caches the page', async () => {
  container.takeOver()
  expect(await settled(register({ chain: undefined }))).toMatchObject({
    status: 'unavailable',
    reason: expect.stringContaining('share') as string,
  })
  expect(container.registered).toHaveLength(1)
})

test('a refusal by the browser is shown with its message', async () => {
  container.refusal = new Error('storage is full')
  const reason = 'The browser refused the service worker: storage is full'
  expect(await settled(register())).toEqual({ status: 'unavailable', reason })
})

test('a script outside the page’s folder is refused', async () => {
  const { trustedScriptUrl } = await import('./trusted-script-url.ts')
  vi.stubGlobal('location', new URL('https://dapp.example/'))
  expect(trustedScriptUrl('https://dapp.example/assets/worker.js')).toBe('https://dapp.example/assets/worker.js')
  expect(() => trustedScriptUrl('https://evil.example/worker.js')).toThrow('is not a script of this page')
})
