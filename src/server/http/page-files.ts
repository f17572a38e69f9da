import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
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
/** Answered while there is no page, as its build empties the folder first. */
const BEING_BUILT = Buffer.from(
  '<!doctype html><meta http-equiv="refresh" content="3"><title>Blinknet</title>' +
    '<p>The page is being built anew. This one loads it as soon as it is there.',
)
const NO_SUCH_FILE = Buffer.from(
  'The page has no such file. If it was built anew since it was loaded, load it again.\n',
)
/** Not for a page that shows the chain of its server: it has no other, and nothing to show without its server. */
const LEFT_OUT = new Set(['/sw.js', '/_headers', '/index.html'])

/** The built page, as the server serves it. */
export interface PageFiles {
  /**
   * Answers a GET or HEAD for a file of the page, or for a screen of it if the client wants HTML.
   *
   * @param prefix - On a server of several chains: the path of the one that a screen is to show, as in `ChainPaths`.
   * @returns Whether it was answered.
   * @throws {Error} If a file cannot be read although it is there.
   */
  answer(request: IncomingMessage, response: ServerResponse, prefix?: string): Promise<boolean>
}

/**
 * Opens the built page. With the first request its files are listed, and only listed files are served: no request path
 * reaches the file system.
 * A file is read once and then cached: 9 MB with the compiler. Clients that do not read cost no more than that.
 *
 * A page that is built anew meanwhile is served as it then is. What was read of the build before is kept for those who
 * have it open, and of none before that.
 *
 * @param folder - As `npm run build:page` makes it.
 * @returns `undefined` if there is no page.
 */
export function openPageFiles(folder: string): PageFiles | undefined {
  if (!existsSync(path.join(folder, 'index.html'))) return undefined
  let built: Promise<BuiltPage> | undefined
  const contents = new Map<string, Promise<Buffer>>()
  /** What was read of the build before this one. */
  let earlier: ReadonlyMap<string, Promise<Buffer>> = new Map()

  return {
    async answer(request, response, prefix) {
      const pathname = pathOf(request.url)
      // A missing script must not get the page as its answer.
      const isScreen = pathname === '/' || (pathname !== undefined && path.extname(pathname) === '')
      const isPage = isScreen && request.headers.accept?.includes('text/html') === true
      const { html, paths } = await (isPage ? newest() : read())
      if (isPage && html === undefined) {
        reply(request, response, 503, BEING_BUILT, '.html', 'no-store')
        return true
      }
      const isHashed = pathname !== undefined && HASHED.test(pathname)
      if (pathname !== undefined && (isHashed || paths.has(pathname))) {
        const isKnown = paths.has(pathname) || earlier.has(pathname)
        const content = isKnown ? await contentOf(pathname) : undefined
        if (content) reply(request, response, 200, content, path.extname(pathname), isHashed ? IMMUTABLE : CHECKED)
        else reply(request, response, 404, NO_SUCH_FILE, '.txt', 'no-store')
        return true
      }
      if (!isPage || html === undefined) return false
      reply(request, response, 200, marked(html, prefix), '.html', CHECKED)
      return true
    },
  }

  /** The page, which is read again if it was built anew. */
  async function newest(): Promise<BuiltPage> {
    const known = await read()
    if ((await buildOf(folder)) === known.build) return known
    // Another request may have seen it meanwhile.
    if ((await read()) === known) {
      // While a build has only begun, nothing of it was read.
      if (contents.size > 0) earlier = new Map(contents)
      contents.clear()
      built = undefined
    }
    return read()
  }

  function read(): Promise<BuiltPage> {
    if (built) return built
    const reading = readPage(folder)
    built = reading
    // The next request tries again.
    reading.catch(() => {
      built = undefined
    })
    return reading
  }

  /** `undefined` if the file is gone: another build has taken its place. */
  async function contentOf(pathname: string): Promise<Buffer | undefined> {
    const known = contents.get(pathname) ?? (HASHED.test(pathname) ? earlier.get(pathname) : undefined)
    if (known) return ifThere(known)
    const content = readFile(path.join(folder, pathname))
    contents.set(pathname, content)
    // The next request tries again.
    content.catch(() => contents.delete(pathname))
    return ifThere(content)
  }
}

/** A build of the page. */
interface BuiltPage {
  /** As {@link buildOf} has it, before anything was read. */
  readonly build: string
  /** The document; `undefined` while there is none. */
  readonly html: string | undefined
  /** Paths of the files as requests have them. */
  readonly paths: ReadonlySet<string>
}

/** Tells one build of the page from another, and from one that is still being written. */
async function buildOf(folder: string): Promise<string> {
  const parts = ['index.html', '.', 'assets'].map((name) => stat(path.join(folder, name)).catch(() => undefined))
  return (await Promise.all(parts)).map((part) => `${part?.ino} ${part?.mtimeMs}`).join()
}

/** What is read, or `undefined` if it is gone. */
async function ifThere<Content>(reading: Promise<Content>): Promise<Content | undefined> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function reply(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  content: Buffer,
  extension: string,
  caching: string,
): void {
  const type = TYPES[extension] ?? BYTES
  const length = `${content.length}`
  response.writeHead(status, [...HEADERS, 'Cache-Control', caching, 'Content-Type', type, 'Content-Length', length])
  response.end(method === 'HEAD' ? undefined : content)
}

async function readPage(folder: string): Promise<BuiltPage> {
  const build = await buildOf(folder)
  const html = await ifThere(readFile(path.join(folder, 'index.html'), 'utf8'))
  const entries = (await ifThere(readdir(folder, { recursive: true, withFileTypes: true }))) ?? []
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')}`)
  return { build, html, paths: new Set(paths.filter((pathname) => !LEFT_OUT.has(pathname))) }
}

/** As `entryOf` and `chainPrefix` of src/ui/page/ read it. A prefix has nothing that would end an attribute. */
function marked(html: string, prefix: string | undefined): Buffer {
  return Buffer.from(
    html.replace('<html', `<html data-page="served"${prefix === undefined ? '' : ` data-chain="${prefix}"`}`),
  )
}

/** The path of a request's target; `undefined` if it is malformed. */
function pathOf(target = '/'): string | undefined {
  try {
    return decodeURIComponent(new URL(target, 'http://page').pathname)
  } catch {
    return undefined
  }
}
