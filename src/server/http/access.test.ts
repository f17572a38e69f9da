import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { type AccessRules, accessRefusal } from './access.ts'
import { type RunningServer, startServer } from './start-server.ts'

let server: RunningServer | undefined
afterEach(() => server?.close())

async function start(rules: Partial<AccessRules> = {}): Promise<FakeEndpoint> {
  const endpoint = new FakeEndpoint({ eth_chainId: () => '0x7a69' })
  server = await startServer(endpoint, { host: '127.0.0.1', port: 0, log: () => {}, ...rules })
  return endpoint
}

const BODY = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'

/** `fetch` does not let its caller choose the Host header. */
async function send(method: string, headers: Readonly<Record<string, string>>) {
  const sent = request({ port: server?.port, host: '127.0.0.1', method, headers })
  sent.end(method === 'POST' ? BODY : undefined)
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

const post = (headers: Readonly<Record<string, string>>) =>
  send('POST', { 'Content-Type': 'application/json', ...headers })

/** `open`, or the status of the refusal. */
async function webSocket(headers: Readonly<Record<string, string>>): Promise<'open' | number> {
  const socket = new WebSocket(`ws://127.0.0.1:${server?.port}`, { headers })
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.terminate()
      resolve('open')
    })
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
    socket.on('error', reject)
  })
}

const FOREIGN = [
  'https://evil.example',
  'null',
  'http://localhost.evil.example',
  'http://localhost:8545@evil.example',
  'file://',
]

test.each(FOREIGN)('a page of %s is refused over HTTP, in its preflight and over WebSocket', async (origin) => {
  const endpoint = await start()
  for (const answer of [
    await post({ Origin: origin }),
    await send('GET', { Origin: origin }),
    await send('OPTIONS', { Origin: origin, 'Access-Control-Request-Private-Network': 'true' }),
  ]) {
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('--allow-origin')
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
  expect(await webSocket({ Origin: origin })).toBe(403)
  expect(endpoint.received).toEqual([])
})

test.each(['http://localhost', 'http://localhost:5173', 'https://127.0.0.1:3000', 'http://[::1]:8080'])(
  'a page of %s may call, and reads its answer',
  async (origin) => {
    await start()
    const answer = await post({ Origin: origin })
    expect(answer).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': origin, vary: 'Origin' } })
    expect(await webSocket({ Origin: origin })).toBe('open')
  },
)

test('the page that the node serves may call it, under any of the node’s own names', async () => {
  await start({ allowHosts: ['node.example'] })
  for (const host of ['192.168.1.5:8545', 'node.example', '[fe80::1]:8545']) {
    expect((await post({ Host: host, Origin: `http://${host}` })).status).toBe(200)
    expect(await webSocket({ Host: host, Origin: `https://${host}` })).toBe('open')
    expect((await post({ Host: host, Origin: `http://${host}0` })).status).toBe(403)
    expect((await post({ Host: host, Origin: `ftp://${host}` })).status).toBe(403)
  }
  const elsewhere = 'evil.example'
  expect((await post({ Host: elsewhere, Origin: `http://${elsewhere}` })).status).toBe(403)
})

test('an origin that --allow-origin names may call, and no other', async () => {
  await start({ allowOrigins: ['https://app.example', 'null'] })
  expect(await post({ Origin: 'https://app.example' })).toMatchObject({
    status: 200,
    headers: { 'access-control-allow-origin': 'https://app.example' },
  })
  expect(await webSocket({ Origin: 'null' })).toBe('open')
  expect((await post({ Origin: 'https://app.example:8443' })).status).toBe(403)
})

test.each(['evil.example', 'evil.example:8545', '127.0.0.1.evil.example', '93.184.216.34', 'localhost:x', '[::2]'])(
  'a request to the host "%s" is refused, so no name can be pointed at the node',
  async (host) => {
    const endpoint = await start()
    // The browser then sees one origin, and sends no Origin with GET and HEAD.
    for (const headers of [{ Host: host }, { Host: host, Origin: 'http://localhost' }]) {
      const answer = await post(headers)
      expect(answer).toMatchObject({ status: 403 })
      expect(answer.text).toContain('--allow-host')
      expect(await webSocket(headers)).toBe(403)
    }
    expect(endpoint.received).toEqual([])
  },
)

describe('the Host header', () => {
  const rules: AccessRules = { host: 'devbox', allowOrigins: [], allowHosts: ['node.example'] }
  test.each([
    'localhost',
    'LocalHost.:8545',
    '127.0.0.1:8545',
    '[::1]:8545',
    '192.168.1.20',
    '10.0.0.1:1',
    '172.31.0.2',
    '[fd00::1]',
    'devbox:8545',
    'Node.Example:443',
  ])('may be %s', (host) => {
    expect(accessRefusal({ host }, rules)).toBeUndefined()
  })
  test('may be missing, as in HTTP/1.0', () => {
    expect(accessRefusal({}, rules)).toBeUndefined()
  })
  test('is shortened in the refusal that quotes it', () => {
    expect(accessRefusal({ host: `${'x'.repeat(10_000)}.example` }, rules)?.length).toBeLessThan(500)
  })
})

test('an allowed host allows no other host and no other origin', async () => {
  const endpoint = await start()
  const local = { host: `localhost:${server?.port}` }
  expect((await post(local)).status).toBe(200)
  expect((await post({ host: 'evil.example' })).status).toBe(403)
  expect((await post({ ...local, origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(local)).status).toBe(200)
  expect(endpoint.received).toHaveLength(2)
})

test('without CORS pages on localhost are refused too, but programs are not', async () => {
  await start({ cors: false })
  const refused = await post({ Origin: 'http://localhost:3000' })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('start the node without --no-cors')
  expect(await webSocket({ Origin: 'http://localhost:3000' })).toBe(403)
  expect((await post({})).status).toBe(200)
  expect((await post({ Origin: `http://127.0.0.1:${server?.port}` })).status).toBe(200)
})
