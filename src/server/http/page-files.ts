import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}
/** Type of files not in {@link TYPES}: the compiler. */
const BYTES = 'application/octet-stream'

/** Sent with every file. The page's document has its own policy; this part only works as a header. */
const HEADERS = [
  ['Content-Security-Policy', "frame-ancestors 'self'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
].flat()

/** Files with a hash of their content in the name. */
const HASHED = /^\/assets\//
const IMMUTABLE = 'public, max-age=31536000, immutable'
/** Revalidated each time: the next server at this address may have another version. */
const CHECKED = 'no-cache'
/** Not for a page that shows the chain of its server: it has no other, and nothing to show without its server. */
const LEFT_OUT = new Set(['/sw.js', '/_headers', '/index.html'])

/** The built page, as the server serves it. */
export interface PageFiles {
  /**
   * Answers a GET or HEAD for a file of the page, or for a screen of it if the client wants HTML.
   *
   * @param prefix - On a server of several chains: the path of the one that a screen is to show, as in `ChainPaths`.
   * @returns Whether it was answered.
   * @throws {Error} If the file cannot be read.
   */
  answer(request: IncomingMessage, response: ServerResponse, prefix?: string): Promise<boolean>
}

/**
 * Opens the built page. With the first request its files are listed, and only listed files are served: no request path
 * reaches the file system.
 * A file is read once and then cached: 9 MB with the compiler. Clients that do not read cost no more than that.
 *
 * @param folder - As `npm run build:page` makes it.
 * @returns `undefined` if there is no page.
 */
export function openPageFiles(folder: string): PageFiles | undefined {
  let html: string
  try {
    // At a start nobody waits yet, and it needs nothing else of `node:fs/promises`.
    html = readFileSync(path.join(folder, 'index.html'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  // As `entryOf` and `chainPrefix` of src/ui/page/ read it. A prefix has nothing that would end an attribute.
  const marked = (prefix: string | undefined) =>
    Buffer.from(
      html.replace('<html', `<html data-page="served"${prefix === undefined ? '' : ` data-chain="${prefix}"`}`),
    )
  const page = marked(undefined)
  let listed: Promise<ReadonlySet<string>> | undefined
  const contents = new Map<string, Promise<Buffer>>()

  return {
    async answer(request, response, prefix) {
      const pathname = pathOf(request.url)
      const files = await filesOf()
      if (pathname !== undefined && files.has(pathname)) {
        const extension = path.extname(pathname)
        reply(request, response, await contentOf(pathname), extension, HASHED.test(pathname) ? IMMUTABLE : CHECKED)
        return true
      }
      // A missing script must not get the page as its answer.
      const isScreen = pathname === '/' || (pathname !== undefined && path.extname(pathname) === '')
      if (!isScreen || !request.headers.accept?.includes('text/html')) return false
      reply(request, response, prefix === undefined ? page : marked(prefix), '.html', CHECKED)
      return true
    },
  }

  function filesOf(): Promise<ReadonlySet<string>> {
    if (listed) return listed
    const listing = listFiles(folder)
    listed = listing
    // The next request tries again.
    listing.catch(() => {
      listed = undefined
    })
    return listing
  }

  function contentOf(pathname: string): Promise<Buffer> {
    const known = contents.get(pathname)
    if (known) return known
    const content = readFile(path.join(folder, pathname))
    contents.set(pathname, content)
    // The next request tries again.
    content.catch(() => contents.delete(pathname))
    return content
  }
}

function reply(
  { method }: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  extension: string,
  caching: string,
): void {
  const type = TYPES[extension] ?? BYTES
  const length = `${content.length}`
  response.writeHead(200, [...HEADERS, 'Cache-Control', caching, 'Content-Type', type, 'Content-Length', length])
  response.end(method === 'HEAD' ? undefined : content)
}

/** Paths as requests have them. */
async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')}`)
  return new Set(paths.filter((pathname) => !LEFT_OUT.has(pathname)))
}

/** The path of a request's target; `undefined` if it is malformed. */
function pathOf(target = '/'): string | undefined {
  try {
    return decodeURIComponent(new URL(target, 'http://page').pathname)
  } catch {
    return undefined
  }
}
