import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test, vi } from 'vitest'
import { type BinaryHost, DownloadError, loadBinary } from './load-binary.ts'

const CONTENT = new TextEncoder().encode('a compiler '.repeat(1_000))
const PACKED = gzipSync(CONTENT)
const FILE = { url: 'https://page.example/assets/solc-1.bin', bytes: PACKED.byteLength, cache: 'blinknet-compiler' }

/** A browser with one cache, as far as it is used; `full` when it has no room. */
class FakeHost implements BinaryHost {
  requests = 0
  full = false
  answer: () => Response = () => new Response(PACKED)
  readonly kept = new Map<string, Response>()
  readonly caches = {
    open: async () =>
      ({
        match: async (url: string) => this.kept.get(url)?.clone(),
        keys: async () => [...this.kept.keys()],
        delete: async (url: string) => this.kept.delete(url),
        put: async (url: string, response: Response) => {
          if (this.full) throw new DOMException('no room', 'QuotaExceededError')
          this.kept.set(url, response)
        },
      }) as unknown as Cache,
  }
  readonly fetch = async () => {
    this.requests++
    return this.answer()
  }
}

let host: FakeHost

beforeEach(() => {
  host = new FakeHost()
})

test('the file is unpacked, its progress told, and then comes from the cache', async () => {
  const progress: number[] = []
  const first = await loadBinary(FILE, host, (bytes) => progress.push(bytes))
  expect(first).toEqual({ bytes: CONTENT, kept: true })
  expect(progress.at(-1)).toBe(FILE.bytes)

  const second = await loadBinary(FILE, host, () => expect.unreachable())
  expect(second).toEqual({ bytes: CONTENT, kept: true })
  expect(host.requests).toBe(1)
})

test('another version takes the place of the one before', async () => {
  await loadBinary(FILE, host, () => {})
  const next = { ...FILE, url: 'https://page.example/assets/solc-2.bin' }
  await loadBinary(next, host, () => {})
  expect([...host.kept.keys()]).toEqual([next.url])
})

test('without room, and without a cache, it is used all the same and said not to be kept', async () => {
  host.full = true
  expect(await loadBinary(FILE, host, () => {})).toEqual({ bytes: CONTENT, kept: false })
  expect(await loadBinary(FILE, { fetch: host.fetch, caches: undefined }, () => {})).toEqual({
    bytes: CONTENT,
    kept: false,
  })
})

test.each([
  ['a page of the host in its place', () => new Response('not found', { status: 404 }), /answered 404/],
  ['a part of it', () => new Response(PACKED.subarray(0, 20)), /20 bytes came/],
  [
    'no network',
    () => {
      throw new TypeError('Failed to fetch')
    },
    /no answer/,
  ],
])('%s is an error of the download, and nothing is kept', async (_, answer, message) => {
  host.answer = answer
  const loading = loadBinary(FILE, host, () => {})
  await expect(loading).rejects.toThrow(DownloadError)
  await expect(loading).rejects.toThrow(message)
  expect(host.kept.size).toBe(0)
})

test.each([
  ['before its first byte', ({ signal }: { readonly signal: AbortSignal }) => never(signal)],
  [
    'after it',
    async () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(PACKED.subarray(0, 10)) })),
  ],
])('a download that stalls %s is given up', async (_, fetch) => {
  vi.useFakeTimers()
  try {
    const failed = loadBinary(FILE, { fetch: (_url, request) => fetch(request), caches: undefined }, () => {}).catch(
      (error: unknown) => error,
    )
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await failed).toEqual(new DownloadError('nothing came for 30 seconds'))
  } finally {
    vi.useRealTimers()
  }
})

/** A network that does not answer. */
function never(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}
