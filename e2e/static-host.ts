import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Somebody else's page on the same host: `<base>dapp.html`. */
const DAPP = '<!doctype html><title>A dapp</title><script src="dapp.js"></script>'
/** A worker for the dapp: `<base>dapp-worker.js`. */
const DAPP_WORKER = 'onmessage = async ({ data: [url, init] }) => postMessage(await (await fetch(url, init)).json())'

export interface StaticHost {
  /** Address of the page's folder, with `/` at its end. */
  readonly url: string
  /** How many requests for addresses under `rpc` reached this host. */
  readonly rpcRequests: () => number
  /** Replaces this build with another one, in which the page's root element has the class `next`. */
  deployNext(): Promise<void>
  /** Stops the host. */
  close(): Promise<void>
  /** Starts a stopped host again, at its old address. */
  open(): Promise<void>
}

export interface StaticHostOptions {
  /** The folder to serve. */
  readonly folder: string
  /** The path to serve it at; default `/`. */
  readonly base?: string
  /** Files that are missing. */
  readonly without?: readonly string[]
}

/**
 * The rules of a `_headers` file, if the folder has one: addresses, in which `*` matches anything, and their headers.
 */
async function readHeaderRules(
  folder: string,
): Promise<readonly { readonly path: RegExp; readonly fields: string[][] }[]> {
  const file = path.join(folder, '_headers')
  if (!existsSync(file)) return []
  const text = await readFile(file, 'utf8')
  return text
    .trim()
    .split('\n\n')
    .map((rule) => {
      const [address = '', ...lines] = rule.split('\n')
      const pattern = address.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      return { path: new RegExp(`^${pattern.join('.*')}$`), fields: lines.map((line) => line.trim().split(/: (.*)/)) }
    })
}

/**
 * A web server on its own port, like static hosts: it sends files, the page for the addresses of its screens, and the
 * headers of `_headers`.
 */
export async function startStaticHost({ folder, base = '/', without = [] }: StaticHostOptions): Promise<StaticHost> {
  let rpcRequests = 0
  const deployed = new Map<string, string>()

  async function contentOf(file: string): Promise<Buffer | string | undefined> {
    if (without.includes(file)) return undefined
    const next = deployed.get(file)
    if (next !== undefined) return next
    if (file === 'dapp.html') return DAPP
    if (file === 'dapp.js') return ''
    if (file === 'dapp-worker.js') return DAPP_WORKER
    return readFile(path.join(folder, file))
  }

  const rules = without.includes('_headers') ? [] : await readHeaderRules(folder)
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host')
    for (const { path: pattern, fields } of rules) {
      if (!pattern.test(pathname)) continue
      for (const [name = '', value = ''] of fields) response.appendHeader(name, value)
    }
    const asked = pathname.startsWith(base) ? pathname.slice(base.length) : '../'
    if (/^rpc(\/|$)/.test(asked)) rpcRequests++
    const isScreen = !asked.includes('.') && !asked.startsWith('rpc')
    const file = isScreen ? 'index.html' : asked
    const send = (status: number, body: Buffer | string) =>
      response.writeHead(status, { 'Content-Type': TYPES[path.extname(file)] ?? 'text/plain' }).end(body)
    contentOf(path.normalize(file)).then(
      (content) => send(content === undefined ? 404 : 200, content ?? 'not found'),
      () => send(404, 'not found'),
    )
  })
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${base}`,
    rpcRequests: () => rpcRequests,
    async deployNext() {
      const [page, worker] = await Promise.all(
        ['index.html', 'sw.js'].map((file) => readFile(path.join(folder, file), 'utf8')),
      )
      const nextPage = page?.replace('id="root"', 'id="root" class="next"') ?? ''
      const nextWorker = worker
        ?.replace(integrityOf(page ?? ''), integrityOf(nextPage))
        .replace(/(id:.)[0-9a-f]{16}/, '$1next')
      deployed.set('index.html', nextPage)
      deployed.set('sw.js', nextWorker ?? '')
    },
    async close() {
      if (!server.listening) return
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
    open: () => listen(port),
  }
}

function integrityOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
