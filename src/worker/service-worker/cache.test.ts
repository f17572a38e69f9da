import { beforeEach, expect, test } from 'vitest'
import { BuildCache, type PageBuild } from './cache.ts'

const SCOPE = 'https://dapp.example/blinknet/'

/** A server with the files of one build; it can be offline. */
class FakeNetwork {
  files: Readonly<Record<string, string>> = {}
  isUp = true
  readonly requests: string[] = []

  readonly fetch = async (request: Request): Promise<Response> => {
    this.requests.push(`${request.cache} ${request.url}`)
    if (!this.isUp) throw new TypeError('Failed to fetch')
    const content = this.files[request.url.slice(SCOPE.length)]
    // The fake integrity is the content itself.
    if (request.integrity && request.integrity !== content) throw new TypeError('integrity mismatch')
    return new Response(content ?? 'not found', { status: content === undefined ? 404 : 200 })
  }
}

/** The browser's caches, in order of creation. */
class FakeCaches {
  readonly all = new Map<string, Map<string, string>>()
  readonly #network: FakeNetwork

  constructor(network: FakeNetwork) {
    this.#network = network
  }

  async open(name: string) {
    const entries = this.all.get(name) ?? new Map<string, string>()
    this.all.set(name, entries)
    return {
      addAll: async (requests: Request[]) => {
        for (const request of requests) entries.set(request.url, await (await this.#network.fetch(request)).text())
      },
      match: async (url: URL) => toResponse(entries.get(url.href)),
    } as unknown as Cache
  }

  async match(url: string) {
    return toResponse([...this.all.values()].map((entries) => entries.get(url)).find(Boolean))
  }

  keys = async () => [...this.all.keys()]
  delete = async (name: string) => this.all.delete(name)
}

const toResponse = (content: string | undefined) => (content === undefined ? undefined : new Response(content))

function buildOf(id: string, files: Readonly<Record<string, string>>): PageBuild {
  return { id, files: Object.entries(files).map(([path, integrity]) => ({ path, integrity })) }
}

const OLD = { '': 'old page', 'assets/app-1.js': 'old app', 'icon.svg': 'old icon' }
const NEW = { '': 'new page', 'assets/app-2.js': 'new app', 'icon.svg': 'new icon' }

let network: FakeNetwork
let caches: FakeCaches

beforeEach(() => {
  network = new FakeNetwork()
  caches = new FakeCaches(network)
})

async function install(id: string, files: Readonly<Record<string, string>>): Promise<BuildCache> {
  network.files = files
  const cache = new BuildCache({ caches, fetch: network.fetch }, SCOPE, buildOf(id, files))
  await cache.fill()
  await cache.tidy()
  return cache
}

/** The response that a page gets; `undefined` if the worker lets the request pass. */
async function get(cache: BuildCache, path: string, init: { method?: string; mode?: string } = {}) {
  const request = { url: new URL(path, SCOPE).href, method: 'GET', mode: 'cors', cache: 'default', ...init }
  return (await cache.answer(request as Request))?.text()
}
const visit = (cache: BuildCache, path: string) => get(cache, path, { mode: 'navigate' })

test('offline, the page opens at any of its addresses, with its files', async () => {
  const cache = await install('1', OLD)
  network.isUp = false
  expect(await visit(cache, '')).toBe('old page')
  expect(await visit(cache, 'block/7?clock=manual')).toBe('old page')
  expect(await get(cache, 'assets/app-1.js')).toBe('old app')
  expect(await get(cache, 'icon.svg')).toBe('old icon')
})

test('online, the newest page is served with its own files', async () => {
  const cache = await install('1', OLD)
  network.files = NEW
  expect(await visit(cache, '')).toBe('new page')
  expect(await get(cache, 'assets/app-2.js')).toBe('new app')
  expect(await get(cache, 'icon.svg')).toBe('new icon')
})

test('a file with a hash in its name comes from the cache', async () => {
  const cache = await install('1', OLD)
  network.requests.length = 0
  expect(await get(cache, 'assets/app-1.js')).toBe('old app')
  expect(network.requests).toEqual([])
})

test('two builds do not mix: each page gets its own files, online or offline', async () => {
  await install('1', OLD)
  const cache = await install('2', NEW)
  network.isUp = false
  expect(await visit(cache, '')).toBe('new page')
  expect(await get(cache, 'assets/app-2.js')).toBe('new app')
  expect(await get(cache, 'assets/app-1.js')).toBe('old app')
})

test('builds older than the previous one are deleted, and no other caches', async () => {
  await caches.open('blinknet:/:1')
  await caches.open('a dapp')
  for (const id of ['1', '2', '3', '4']) await install(id, NEW)
  expect(await caches.keys()).toEqual(['blinknet:/:1', 'a dapp', 'blinknet:/blinknet/:3', 'blinknet:/blinknet/:4'])
})

test('a build is not cached if the server already has newer files', async () => {
  network.files = { ...OLD, '': 'new page' }
  const cache = new BuildCache({ caches, fetch: network.fetch }, SCOPE, buildOf('1', OLD))
  await expect(cache.fill()).rejects.toThrow('integrity mismatch')
  expect(await caches.keys()).toEqual([])
})

test('a build that could not be fetched, or was erased, is fetched again, and one that is there is not', async () => {
  network.files = OLD
  const cache = new BuildCache({ caches, fetch: network.fetch }, SCOPE, buildOf('1', OLD))
  network.isUp = false
  await expect(cache.complete()).rejects.toThrow('Failed to fetch')
  await expect(visit(cache, '')).rejects.toThrow('Failed to fetch')

  network.isUp = true
  network.requests.length = 0
  await Promise.all([cache.complete(), cache.complete()])
  expect(network.requests).toHaveLength(3)
  await cache.complete()
  expect(network.requests).toHaveLength(3)
  network.isUp = false
  expect(await visit(cache, 'block/7')).toBe('old page')

  network.isUp = true
  for (const name of await caches.keys()) await caches.delete(name)
  await cache.complete()
  network.isUp = false
  expect(await get(cache, 'assets/app-1.js')).toBe('old app')
})

test('the page is fetched again before it is cached; files with a hash are not', async () => {
  await install('1', OLD)
  expect(network.requests).toEqual([
    `no-cache ${SCOPE}`,
    `default ${SCOPE}assets/app-1.js`,
    `no-cache ${SCOPE}icon.svg`,
  ])
})

test('requests for other files are left to the network', async () => {
  const cache = await install('1', OLD)
  expect(await get(cache, 'data.json')).toBeUndefined()
  expect(await visit(cache, 'dapp.html')).toBeUndefined()
  expect(await get(cache, 'icon.svg', { method: 'POST' })).toBeUndefined()
  expect(await get(cache, '../other-app/')).toBeUndefined()
  expect(await get(cache, 'https://elsewhere.example/blinknet/icon.svg')).toBeUndefined()
})

test('without a list of files, as in development, all requests are left to the network', async () => {
  const cache = await install('development', {})
  expect(await visit(cache, '')).toBeUndefined()
})

test('offline and without a cached page the error is the network’s', async () => {
  const cache = await install('1', { 'icon.svg': 'icon' })
  network.isUp = false
  await expect(visit(cache, '')).rejects.toThrow('Failed to fetch')
})
