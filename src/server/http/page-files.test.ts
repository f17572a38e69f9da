import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { openPageFiles } from './page-files.ts'
import { type RunningServer, startServer } from './start-server.ts'

let folder: string
let server: RunningServer
let url: string

beforeEach(async () => {
  const parent = await mkdtemp(path.join(tmpdir(), 'blinknet-page-'))
  folder = path.join(parent, 'page')
  await mkdir(path.join(folder, 'assets'), { recursive: true })
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><html lang="en"><title>Blinknet</title></html>')
  await writeFile(path.join(folder, 'remote.html'), '<!doctype html>remote')
  await writeFile(path.join(folder, 'sw.js'), 'no service worker here')
  await writeFile(path.join(folder, 'assets', 'index-1a2b.js'), 'export {}')
  await writeFile(path.join(folder, 'assets', 'solc.bin'), new Uint8Array([0, 255]))
  await writeFile(path.join(parent, 'secret.txt'), 'secret')
  await symlink(path.join(parent, 'secret.txt'), path.join(folder, 'link.txt'))
  server = await startServer(new FakeEndpoint({ eth_chainId: () => '0x7a69' }), {
    host: '127.0.0.1',
    port: 0,
    page: openPageFiles(folder),
    log() {},
  })
  url = `http://127.0.0.1:${server.port}`
})
afterEach(async () => {
  await server.close()
  await rm(path.dirname(folder), { recursive: true })
})

const HTML = { headers: { Accept: 'text/html,application/xhtml+xml' } }

/** Asks for a target as it is written: `fetch` would tidy it up. */
function rawGet(target: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    request({ port: server.port, host: '127.0.0.1', path: target, headers: HTML.headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode, body }))
    })
      .on('error', reject)
      .end()
  })
}

test.each(['/', '/block/7', '/tx/0xab?tab=calls', '/?latest=preconfirmed'])(
  'a browser that opens %s gets the page, which knows where it comes from',
  async (target) => {
    const response = await fetch(url + target, HTML)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'self'")
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(await response.text()).toContain('<html data-page="served" lang="en">')
  },
)

test('the files of the page have their types, and those with a hash are kept', async () => {
  const script = await fetch(`${url}/assets/index-1a2b.js`)
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(script.headers.get('cache-control')).toContain('immutable')
  expect(script.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await script.text()).toBe('export {}')
  const bytes = await fetch(`${url}/assets/solc.bin`)
  expect(bytes.headers.get('content-type')).toBe('application/octet-stream')
  expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(new Uint8Array([0, 255]))
})

test('HEAD is answered without the content, and with its length', async () => {
  for (const target of ['/', '/assets/index-1a2b.js']) {
    const response = await fetch(url + target, { ...HTML, method: 'HEAD' })
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0)
    expect(await response.text()).toBe('')
  }
})

test('programs that do not ask for HTML get the hint, and JSON-RPC still works', async () => {
  expect(await (await fetch(url)).text()).toContain('POST JSON-RPC 2.0 here')
  const response = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
  })
  expect(await response.json()).toMatchObject({ result: '0x7a69' })
})

test.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
  '/..\\secret.txt',
  '/link.txt',
  '/%00',
  '/%',
  '//secret.txt',
  '/sw.js',
  '/assets/missing.js',
])('%s leads to nothing outside the page', async (target) => {
  const { status, body } = await rawGet(target)
  // Some are the page itself, whose screens have any path.
  expect([200, 404]).toContain(status)
  expect(body).not.toContain('secret\n')
  expect(body).not.toMatch(/^secret$|no service worker/)
})

test('a website that points its name at this machine gets no page', async () => {
  const { status } = await new Promise<{ status: number | undefined }>((resolve, reject) => {
    request(
      { port: server.port, host: '127.0.0.1', path: '/', headers: { ...HTML.headers, Host: 'evil.example' } },
      (response) => {
        response.resume()
        resolve({ status: response.statusCode })
      },
    )
      .on('error', reject)
      .end()
  })
  expect(status).toBe(403)
})

/** What stands in the page's folder, as `npm run build:page` leaves it: it empties the folder first. */
async function buildAnew(name: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(path.join(folder, 'assets'), { recursive: true })
  await writeFile(path.join(folder, 'assets', `${name}.js`), `export default '${name}'`)
  await writeFile(path.join(folder, 'index.html'), `<!doctype html><html><script src="/assets/${name}.js"></script>`)
}

test('a page that is built anew while it is served is served as it is then, and one that was open keeps what was read', async () => {
  const textOf = async (target: string) => (await fetch(url + target, HTML)).text()
  expect(await textOf('/')).toContain('<title>Blinknet')
  expect(await textOf('/assets/index-1a2b.js')).toBe('export {}')

  await buildAnew('second')
  expect(await textOf('/block/1')).toContain('/assets/second.js')
  expect(await textOf('/assets/second.js')).toBe("export default 'second'")
  // A page of the first build that imports late.
  expect(await textOf('/assets/index-1a2b.js')).toBe('export {}')
  expect((await fetch(`${url}/assets/solc.bin`)).status).toBe(404)

  await buildAnew('third')
  expect(await textOf('/')).toContain('/assets/third.js')
  expect(await textOf('/assets/second.js')).toBe("export default 'second'")
  // Two builds ago: what is kept does not grow with each.
  expect((await fetch(`${url}/assets/index-1a2b.js`)).status).toBe(404)
})

test('while there is no page, as its build has only begun, that is said, and a file that is gone is not there', async () => {
  expect((await fetch(url, HTML)).status).toBe(200)
  await rm(folder, { recursive: true })
  const page = await fetch(url, HTML)
  expect([page.status, page.headers.get('cache-control')]).toEqual([503, 'no-store'])
  expect(await page.text()).toContain('The page is being built anew')
  const script = await fetch(`${url}/assets/index-1a2b.js`)
  expect([script.status, await script.text()]).toEqual([
    404,
    expect.stringContaining('If it was built anew since it was loaded, load it again.'),
  ])
  await buildAnew('second')
  expect(await (await fetch(url, HTML)).text()).toContain('/assets/second.js')
})

test('without a built page there are no files to serve', async () => {
  expect(openPageFiles(path.join(folder, 'nowhere'))).toBeUndefined()
})
