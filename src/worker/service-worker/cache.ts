/** A build of the page: all files needed to open it offline. */
export interface PageBuild {
  /** Differs whenever a file does. */
  readonly id: string
  readonly files: readonly BuildFile[]
}

export interface BuildFile {
  /** Relative to the page's folder; empty for the page itself. */
  readonly path: string
  /** The value of an `integrity` attribute, so that no other build's file is accepted. */
  readonly integrity: string
}

/** Files in this folder have a content hash in their names: they never change, and no two builds mix. */
const HASHED = 'assets/'

/** The parts of the browser's storage and network used here. */
export interface CacheHost {
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete' | 'match'>
  readonly fetch: (request: Request) => Promise<Response>
}

/** The cached files of one build and of the previous one. */
export class BuildCache {
  readonly #host: CacheHost
  readonly #scope: URL
  readonly #build: PageBuild
  readonly #paths: ReadonlySet<string>
  #completing: Promise<void> | undefined

  /** @param scope - Address of the page's folder, with `/` at its end. */
  constructor(host: CacheHost, scope: string, build: PageBuild) {
    this.#host = host
    this.#scope = new URL(scope)
    this.#build = build
    this.#paths = new Set(build.files.map(({ path }) => path))
  }

  /**
   * Fetches every file of the build.
   *
   * @throws {TypeError} If one is missing or belongs to another build; nothing is kept then.
   */
  async fill(): Promise<void> {
    const cache = await this.#host.caches.open(this.#name)
    try {
      await cache.addAll(
        this.#build.files.map(
          ({ path, integrity }) =>
            new Request(new URL(path, this.#scope), {
              integrity,
              cache: path.startsWith(HASHED) ? 'default' : 'no-cache',
            }),
        ),
      )
    } catch (error) {
      await this.#host.caches.delete(this.#name)
      throw error
    }
  }

  /**
   * Fetches the build again if it is not there: on a bad line it may have failed when the worker was installed, and the
   * browser may have erased it.
   *
   * @throws {TypeError} As {@link fill}.
   */
  complete(): Promise<void> {
    this.#completing ??= this.#fillMissing().finally(() => {
      this.#completing = undefined
    })
    return this.#completing
  }

  async #fillMissing(): Promise<void> {
    if (this.#build.files.length > 0 && !(await this.#keptFile(''))) await this.fill()
  }

  /** Deletes all builds except this one and the previous one, whose pages may still be open. */
  async tidy(): Promise<void> {
    const names = await this.#host.caches.keys()
    const others = names.filter((name) => name.startsWith(this.#prefix) && name !== this.#name)
    await Promise.all(others.slice(0, -1).map((name) => this.#host.caches.delete(name)))
  }

  /** Answers a request for the page or one of its files; `undefined` for anything else. */
  answer(request: Request): Promise<Response> | undefined {
    const { origin, pathname } = new URL(request.url)
    if (request.method !== 'GET' || origin !== this.#scope.origin) return undefined
    if (!pathname.startsWith(this.#scope.pathname) || this.#build.files.length === 0) return undefined
    const path = pathname.slice(this.#scope.pathname.length)
    if (path.startsWith(HASHED)) return this.#fromCacheFirst(request)
    if (this.#paths.has(path)) return this.#fromNetworkFirst(request, path)
    // The page's screens have their own addresses, but no files.
    const isScreen = request.mode === 'navigate' && !/\.[^/]*$/.test(path)
    return isScreen ? this.#fromNetworkFirst(request, '') : undefined
  }

  async #fromCacheFirst(request: Request): Promise<Response> {
    const kept = await this.#host.caches.match(request.url, { ignoreVary: true })
    return kept ?? this.#host.fetch(request)
  }

  /** Online, the network has the newest page, which brings its own files. Offline, this build is complete. */
  async #fromNetworkFirst(request: Request, path: string): Promise<Response> {
    try {
      return await this.#host.fetch(request)
    } catch (error) {
      const kept = await this.#keptFile(path)
      if (!kept) throw error
      return kept
    }
  }

  /** All of a build's files are kept, or none. */
  async #keptFile(path: string): Promise<Response | undefined> {
    const cache = await this.#host.caches.open(this.#name)
    return cache.match(new URL(path, this.#scope), { ignoreVary: true })
  }

  get #prefix(): string {
    return `blinknet:${this.#scope.pathname}:`
  }

  get #name(): string {
    return this.#prefix + this.#build.id
  }
}
