/** A file of the page that is large, downloaded when it is first needed and then kept. */
export interface BinaryFile {
  readonly url: string
  /** Size of the file, as it is downloaded. */
  readonly bytes: number
  /**
   * The browser's cache that keeps it, and nothing else. Not the cache of a build (`service-worker/cache.ts`): builds
   * come and go, this file stays the same.
   */
  readonly cache: string
}

/** The browser's network and storage, as far as they are used here. */
export interface BinaryHost {
  readonly fetch: (url: string, request: { readonly signal: AbortSignal }) => Promise<Response>
  /** Missing where the page is not served securely. */
  readonly caches: Pick<CacheStorage, 'open'> | undefined
}

export interface LoadedBinary {
  /** Unpacked. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly kept: boolean
}

/** How long nothing may come before a download is given up. A network that has gone answers never, not with an error. */
const STALLED_MS = 30_000

/** The file did not come, or not all of it. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError'
}

/**
 * The file's content, from the browser's cache or from the network.
 *
 * @param file - A gzip file whose name has its content's hash.
 * @param onProgress - Told how many bytes have come.
 * @throws {DownloadError}
 */
export async function loadBinary(
  { url, bytes, cache: cacheName }: BinaryFile,
  { fetch, caches }: BinaryHost,
  onProgress: (loadedBytes: number) => void,
): Promise<LoadedBinary> {
  const cache = await caches?.open(cacheName).catch(() => undefined)
  const kept = await cache?.match(url)
  if (kept) return { bytes: await unpack(await kept.blob()), kept: true }
  const packed = await download(url, bytes, fetch, onProgress)
  return { bytes: await unpack(packed), kept: cache !== undefined && (await keep(cache, url, packed)) }
}

async function download(
  url: string,
  bytes: number,
  fetch: BinaryHost['fetch'],
  onProgress: (loadedBytes: number) => void,
): Promise<Blob> {
  const stalled = new AbortController()
  const giveUp = () => stalled.abort()
  let timer = setTimeout(giveUp, STALLED_MS)
  const why = (otherwise: string) =>
    stalled.signal.aborted ? `nothing came for ${STALLED_MS / 1000} seconds` : otherwise
  try {
    const response = await fetch(url, { signal: stalled.signal }).catch((cause: unknown) => {
      throw new DownloadError(why('there was no answer'), { cause })
    })
    if (!response.ok || !response.body) throw new DownloadError(`the server answered ${response.status}`)
    let loaded = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          clearTimeout(timer)
          timer = setTimeout(giveUp, STALLED_MS)
          loaded += chunk.byteLength
          onProgress(loaded)
          controller.enqueue(chunk)
        },
      }),
      { signal: stalled.signal },
    )
    const packed = await new Response(counted).blob().catch((cause: unknown) => {
      throw new DownloadError(why(`it broke off after ${loaded} bytes`), { cause })
    })
    if (packed.size !== bytes) throw new DownloadError(`${packed.size} bytes came, of ${bytes}`)
    return packed
  } finally {
    clearTimeout(timer)
  }
}

/** Whether there was room for it. Entries kept before are of another version. */
async function keep(cache: Cache, url: string, packed: Blob): Promise<boolean> {
  try {
    const others = await cache.keys()
    await Promise.all(others.map((request) => cache.delete(request)))
    await cache.put(url, new Response(packed))
    return true
  } catch {
    // The browser's quota: the next visit downloads it again, and the page says so.
    return false
  }
}

async function unpack(packed: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer())
}
