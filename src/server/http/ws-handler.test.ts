import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { MAX_BODY_BYTES } from '#transport/http-rules.ts'
import { type RunningServer, startServer } from './start-server.ts'

let endpoint: FakeEndpoint
let server: RunningServer
let logged: string[]
const clients: WebSocket[] = []

beforeEach(async () => {
  logged = []
  endpoint = new FakeEndpoint({ eth_chainId: () => '0x7a69', eth_subscribe: () => '0x1' })
  server = await startServer(endpoint, {
    host: '127.0.0.1',
    port: 0,
    log: (_level, message) => logged.push(message),
    limits: { bufferedBytes: 1_000_000, pushedBytes: 6_000_000, receivedBytes: 4_000_000, webSockets: 8 },
  })
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate()
  await server.close()
})

async function open(): Promise<{ socket: WebSocket; received: unknown[] }> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}`)
  clients.push(socket)
  const received: unknown[] = []
  socket.on('message', (data) => received.push(JSON.parse((data as Buffer).toString('utf8'))))
  await once(socket, 'open')
  return { socket, received }
}

async function closing(socket: WebSocket): Promise<[code: number, reason: string]> {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  return [code, reason.toString('utf8')]
}

const rpc = (method: string, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method })

test('others have their turn while the messages of one socket arrive (A)', async () => {
  const { socket, received } = await open()
  const count = 10_000
  /** Messages in one round of the event loop. */
  let most = 0
  let before = 0
  let round = setImmediate(function watch() {
    const { length } = endpoint.received
    most = Math.max(most, length - before)
    before = length
    round = setImmediate(watch)
  })
  onTestFinished(() => clearImmediate(round))
  const message = rpc('eth_chainId').padEnd(200)
  for (let i = 0; i < count; i++) socket.send(message)
  await expect.poll(() => received.length).toBe(count)
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(1_000)
})

test('a socket is answered and pushed to, in order', async () => {
  const { socket, received } = await open()
  socket.send(rpc('eth_subscribe'))
  await expect.poll(() => received).toEqual([{ jsonrpc: '2.0', id: 1, result: '0x1' }])
  for (let i = 0; i < 20; i++) endpoint.notify('0x1', i)
  await expect.poll(() => received.length).toBe(21)
  expect(received.slice(1)).toEqual(
    Array.from({ length: 20 }, (_, result) => ({
      jsonrpc: '2.0',
      method: 'eth_subscription',
      params: { subscription: '0x1', result },
    })),
  )
})

test('a notification of any length is one message, whichever header its frame needs', async () => {
  const { received } = await open()
  const lengths = [...Array(60).keys(), 8_000, 8_190, 8_200, ...Array.from({ length: 120 }, (_, i) => 65_400 + i)]
  for (const length of lengths) endpoint.notify('0x1', 'x'.repeat(length))
  endpoint.notify('0x1', '€'.repeat(50))
  await expect.poll(() => received.length).toBe(lengths.length + 1)
  const results = received.map((message) => (message as { params: { result: string } }).params.result)
  expect(results.slice(0, -1).map(({ length }) => length)).toEqual(lengths)
  expect(results.at(-1)).toBe('€'.repeat(50))
})

test('a notification of the client gets no reply, and a binary frame is read as text', async () => {
  const { socket, received } = await open()
  socket.send('{"jsonrpc":"2.0","method":"eth_chainId"}')
  socket.send(Buffer.from(rpc('eth_chainId', 9)))
  await expect.poll(() => received).toEqual([{ jsonrpc: '2.0', id: 9, result: '0x7a69' }])
})

test('closing a socket ends its own subscriptions only', async () => {
  const { socket } = await open()
  await open()
  expect(endpoint.subscribers).toBe(2)
  socket.close()
  await expect.poll(() => endpoint.subscribers).toBe(1)
})

test('a message over 5 MiB closes the socket with 1009, and the server keeps running', async () => {
  const { socket } = await open()
  socket.send(' '.repeat(MAX_BODY_BYTES + 1))
  const [code] = await closing(socket)
  expect(code).toBe(1009)
  expect(logged).toEqual([])
  const { socket: next, received } = await open()
  next.send(rpc('eth_chainId'))
  await expect.poll(() => received.length).toBe(1)
})

test('a client that does not read is closed with a reason before its buffer grows without bound', async () => {
  const { socket } = await open()
  socket.pause()
  const event = 'x'.repeat(100_000)
  let sent = 0
  // As much as the operating system buffers for the two ends, and then a little more.
  while (endpoint.subscribers > 0 && sent < 1_000) {
    endpoint.notify('0x1', event)
    sent++
    if (sent % 10 === 0) await new Promise(setImmediate)
  }
  expect(endpoint.subscribers).toBe(0)
  socket.resume()
  const [code, reason] = await closing(socket)
  expect(code).toBe(1013)
  expect(reason).toBe('too slow: over 1000000 bytes wait to be read')
})

test('when the server closes, its clients are told, after what was for them', async () => {
  const { socket, received } = await open()
  const closed = closing(socket)
  endpoint.notify('0x1', 1)
  await server.close()
  expect(received).toHaveLength(1)
  const [code, reason] = await closed
  expect(code).toBe(1001)
  expect(reason).toBe('the node is stopping')
})

test('a client that does not answer the close does not delay the server', async () => {
  const { socket } = await open()
  socket.pause()
  await server.close()
  await expect.poll(() => endpoint.subscribers).toBe(0)
})

test('an answer that fails because of a bug ends its socket with 1011, and the server keeps running', async () => {
  const handle = endpoint.connect.bind(endpoint)
  endpoint.connect = (push) => ({ ...handle(push), handle: () => Promise.reject(new RangeError('a bug')) })
  const { socket } = await open()
  const closed = closing(socket)
  socket.send(rpc('eth_chainId'))
  expect(await closed).toEqual([1011, 'internal error'])
  expect(logged).toEqual(['a WebSocket message could not be answered'])
  endpoint.connect = handle
  const { socket: next, received } = await open()
  next.send(rpc('eth_chainId'))
  await expect.poll(() => received.length).toBe(1)
})

test('an answer far over the buffer limit reaches a reader that keeps up', async () => {
  const { socket, received } = await open()
  endpoint.notify('0x1', 'x'.repeat(7_000_000))
  await expect.poll(() => received.length).toBe(1)
  endpoint.notify('0x1', 'x'.repeat(7_000_000))
  endpoint.notify('0x1', 1)
  await expect.poll(() => received.length).toBe(3)
  expect(socket.readyState).toBe(WebSocket.OPEN)
})

test('unsent messages of all sockets share a budget: the socket that has been slow longest is cut off', async () => {
  const lazy: WebSocket[] = []
  for (let i = 0; i < 3; i++) {
    const { socket } = await open()
    socket.pause()
    lazy.push(socket)
    // More than the operating system buffers, and less than one socket may have.
    endpoint.notify('0x1', 'x'.repeat(3_500_000))
  }
  endpoint.notify('0x1', 'y'.repeat(3_500_000))
  await expect.poll(() => endpoint.subscribers).toBe(1)
  const { socket: next, received } = await open()
  next.send(rpc('eth_chainId'))
  await expect.poll(() => received.length).toBe(1)
})

test('messages that arrive in pieces share the budget of requests', async () => {
  const slow: WebSocket[] = []
  for (let i = 0; i < 3; i++) {
    const { socket } = await open()
    socket.send(' '.repeat(1_500_000), { fin: false })
    await expect.poll(() => socket.bufferedAmount).toBe(0)
    slow.push(socket)
  }
  await expect.poll(() => slow.map(({ readyState }) => readyState === WebSocket.OPEN)).toEqual([false, true, true])
})

test('a client that asks for pongs without end and reads none is cut off', async () => {
  const { socket } = await open()
  socket.pause()
  const closed = once(socket, 'close')
  const payload = Buffer.alloc(125)
  const flood = setInterval(() => {
    for (let i = 0; i < 20_000 && socket.readyState === WebSocket.OPEN; i++) socket.ping(payload)
  }, 1)
  socket.on('error', () => undefined)
  await closed
  clearInterval(flood)
  await expect.poll(() => endpoint.subscribers).toBe(0)
})

test('each of many pings is answered, with what it said', async () => {
  const { socket } = await open()
  const pongs: string[] = []
  socket.on('pong', (data) => pongs.push(String(data)))
  const said = Array.from({ length: 20_000 }, (_, i) => `${i}`)
  for (const each of said) socket.ping(each)
  await expect.poll(() => pongs.length, { timeout: 30_000 }).toBe(said.length)
  expect(pongs).toEqual(said)
})

test('a ping is answered', async () => {
  const { socket } = await open()
  socket.ping('hello')
  expect(String((await once(socket, 'pong'))[0])).toBe('hello')
})

test('WebSockets beyond the limit are refused with 503 and a clear message', async () => {
  for (let i = 0; i < 8; i++) await open()
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}`)
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  expect(response.statusCode).toBe(503)
  let text = ''
  for await (const chunk of response) text += String(chunk)
  expect(text).toBe('too many WebSockets: 8 are open, close some first\n')
})

test('a refused client that keeps its side open is cut off, and does not hold up the end of the server', async () => {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }).resume()
  const failures: NodeJS.ErrnoException[] = []
  socket.on('error', (error) => failures.push(error))
  socket.write('GET / HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  await once(socket, 'end')
  while (!socket.destroyed) await new Promise((resolve) => socket.write('still here', resolve))
  expect(failures).toHaveLength(1)
  await server.close()
})

test('a client that offers another protocol than WebSocket is answered over HTTP, each time', async () => {
  const warnings: unknown[] = []
  const warn = (warning: Error) => warnings.push(warning)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  const body = rpc('eth_chainId')
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'
  const request = (connection: string) =>
    `POST / HTTP/1.1\r\nHost: localhost\r\n${connection}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  // As Java's client sends it: the body behind, maybe in another segment.
  socket.write(request(upgrade) + body.slice(0, 5))
  await new Promise((resolve) => setImmediate(resolve))
  socket.write(body.slice(5))
  await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 200 OK.*"result":"0x7a69"/su)
  for (let i = 2; i <= 12; i++) {
    socket.write(request(upgrade) + body)
    await expect.poll(() => answer.match(/"result":"0x7a69"/gu)).toHaveLength(i)
  }
  socket.write(request('Connection: close\r\n') + body)
  await once(socket, 'close')
  expect(answer.match(/"result":"0x7a69"/gu)).toHaveLength(13)
  expect(warnings).toEqual([])
})

test('a client that offers another protocol before its answers are there does not end the server', async () => {
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  const offer = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'
  socket.write(offer.repeat(5))
  // With the second offer, Node.js before 24.9 cuts it off. Later versions answer the first and drop the others.
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  expect((await open()).socket.readyState).toBe(WebSocket.OPEN)
})
