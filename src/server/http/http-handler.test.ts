import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Caller, RpcEndpoint } from '#rpc-types/connection.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { MAX_BODY_BYTES, MAX_BUILD_BODY_BYTES } from '#transport/http-rules.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** Small enough for a test to reach, but for the time limits, which a busy machine would reach by itself. */
const LIMITS = {
  receivedBytes: 8 * 1024 * 1024,
  unreadBytes: 24_000_000,
  headersMs: 60_000,
  requestMs: 60_000,
  connections: 40,
}

let server: RunningServer
let url: string
let logged: string[]
let endpointAnswers = ''
/** Callers of all requests so far. */
let callers: Caller[]

beforeEach(async () => {
  logged = []
  const endpoint = new FakeEndpoint({
    eth_chainId: () => '0x7a69',
    echo: ([text]) => text,
    large: () => endpointAnswers,
    hardhat_addCompilationResult: () => true,
    fail: () => ({ error: { code: -32000, message: 'nonce too low' } }),
    throw: () => {
      throw new Error('a bug in the node')
    },
  })
  callers = []
  const watched: RpcEndpoint = {
    connect(push) {
      const connection = endpoint.connect(push)
      return {
        handle(body, caller) {
          if (caller) callers.push(caller)
          return connection.handle(body, caller)
        },
        close: () => connection.close(),
      }
    },
  }
  server = await startServer(watched, {
    host: '127.0.0.1',
    port: 0,
    limits: LIMITS,
    log: (level, message) => logged.push(`${level}: ${message}`),
  })
  url = `http://127.0.0.1:${server.port}`
})
afterEach(() => server.close())

function post(body: string, headers: Record<string, string> = { 'Content-Type': 'application/json' }) {
  return fetch(url, { method: 'POST', body, headers })
}

const rpc = (method: string, ...params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

test('JSON-RPC by POST is answered as JSON to a program without an origin', async () => {
  const response = await post(rpc('eth_chainId'))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.has('access-control-allow-origin')).toBe(false)
  expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' })
})

test('text outside ASCII survives any split of the body into chunks', async () => {
  const text = 'Grüße, 世界 🚀'.repeat(20_000)
  expect(await (await post(rpc('echo', text))).json()).toHaveProperty('result', text)
})

test('an error of JSON-RPC is status 200', async () => {
  const response = await post(rpc('fail'))
  expect(response.status).toBe(200)
  expect(await response.json()).toHaveProperty('error', { code: -32000, message: 'nonce too low' })
})

test('a notification is status 200 with an empty body', async () => {
  const response = await post('{"jsonrpc":"2.0","method":"eth_chainId"}')
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('')
})

test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json-rpc', 'application/jsonrequest'])(
  'the content type %s is accepted',
  async (type) => {
    expect((await post(rpc('eth_chainId'), { 'Content-Type': type })).status).toBe(200)
  },
)

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
  'the content type %o is refused with 415',
  async (type) => {
    const response = await post(rpc('eth_chainId'), { 'Content-Type': type })
    expect(response.status).toBe(415)
    expect(await response.text()).toContain('only application/json is supported')
  },
)

test('a body over 5 MiB is refused with 413, with or without a Content-Length', async () => {
  const body = new Uint8Array(MAX_BODY_BYTES + 1).fill(32)
  const headers = { 'Content-Type': 'application/json' }
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(413)
  const chunked = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < body.length; sent += 65_536) controller.enqueue(body.subarray(sent, sent + 65_536))
      controller.close()
    },
  })
  const init = { method: 'POST', headers, body: chunked, duplex: 'half' } as RequestInit
  expect((await fetch(url, init)).status).toBe(413)
  expect((await post(rpc('eth_chainId'))).status).toBe(200)
})

test('a compilation may have up to 32 MiB, as Hardhat’s of a whole project has more than 5', async () => {
  const compilation = (bytes: number) => {
    const [start, end] = [
      '{"jsonrpc":"2.0","id":1,"method":"hardhat_addCompilationResult","params":["0.8.30",{"x":"',
      '"},{}]}',
    ]
    return `${start}${' '.repeat(bytes - start.length - end.length)}${end}`
  }
  const response = await post(compilation(MAX_BODY_BYTES + 1_000_000))
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('"result":true')
  const refused = await post(compilation(MAX_BUILD_BODY_BYTES + 1))
  expect(refused.status).toBe(413)
  expect(await refused.text()).toContain(`hardhat_addCompilationResult may have ${MAX_BUILD_BODY_BYTES} bytes`)
  // Another method may not become larger by naming it.
  const other = `{"method":"eth_chainId","params":["hardhat_addCompilationResult","${' '.repeat(MAX_BODY_BYTES)}"]}`
  expect((await post(other)).status).toBe(413)
})

test('a body of exactly 5 MiB is accepted', async () => {
  const body = rpc('eth_chainId')
  const response = await post(body + ' '.repeat(MAX_BODY_BYTES - body.length))
  expect(response.status).toBe(200)
})

test.each(['PUT', 'DELETE', 'PATCH'])('%s is refused with 405 and the methods that are allowed', async (method) => {
  const response = await fetch(url, { method })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS')
})

test.each(['/mcp', '/llms.txt', '/health?x', '//'])('GET %s finds nothing, by its status', async (target) => {
  for (const method of ['GET', 'HEAD']) {
    const { status } = await fetch(`http://127.0.0.1:${server.port}${target}`, { method })
    expect(status).toBe(404)
  }
})

test('GET of the address itself is found, with a query as well', async () => {
  for (const target of ['', '/', '/?latest=preconfirmed', '?']) {
    expect((await fetch(`http://127.0.0.1:${server.port}${target}`)).status).toBe(200)
  }
})

test('GET answers a hint in plain text, HEAD without it', async () => {
  const get = await fetch(url)
  expect(get.status).toBe(200)
  expect(get.headers.get('content-type')).toContain('text/plain')
  expect(await get.text()).toContain('POST JSON-RPC')
  const head = await fetch(url, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
})

test('a preflight from a page on localhost is granted', async () => {
  const response = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      Origin: 'http://localhost:5173',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-client',
      'Access-Control-Request-Private-Network': 'true',
    },
  })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
  expect(response.headers.get('access-control-allow-methods')).toContain('POST')
  expect(response.headers.get('access-control-allow-headers')).toBe('content-type,x-client')
  expect(response.headers.get('access-control-allow-private-network')).toBe('true')
})

test('a bug in the node is status 500 and logged, and the server keeps running', async () => {
  expect((await post(rpc('throw'))).status).toBe(500)
  expect(logged).toEqual(['error: an HTTP request could not be answered'])
  expect((await post(rpc('eth_chainId'))).status).toBe(200)
})

test('a client that disconnects midway is not worth a line, and the server keeps running', async () => {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json',
    () => socket.destroy(),
  )
  await once(socket, 'close')
  for (let later = 0; later < 3; later++) expect((await post(rpc('eth_chainId'))).status).toBe(200)
  expect(logged).toEqual([])
})

test('a taken port is the error EADDRINUSE', async () => {
  const second = startServer(new FakeEndpoint(), { host: '127.0.0.1', port: server.port, log: () => {} })
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('close refuses new connections and does not wait for a request without an answer', async () => {
  const hanging = post(rpc('hang')).catch((error: unknown) => error)
  await expect.poll(async () => (await post(rpc('eth_chainId'))).status).toBe(200)
  await server.close()
  expect(await hanging).toBeInstanceOf(TypeError)
  await expect(post(rpc('eth_chainId'))).rejects.toThrow('fetch failed')
})

interface Begun {
  readonly socket: Socket
  readonly received: () => string
}

/** Sends the beginning of a request over a connection of its own, and keeps what comes back. */
async function begin(text: string, port = server.port): Promise<Begun> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('error', () => socket.destroy())
  socket.on('data', (data) => {
    received += data.toString('latin1')
  })
  await once(socket, 'connect')
  socket.write(text)
  return { socket, received: () => received }
}

/** A server with time limits that a test can wait for. */
function startImpatient(): Promise<RunningServer> {
  const limits = { ...LIMITS, headersMs: 300, requestMs: 1_000 }
  const endpoint = new FakeEndpoint({ eth_chainId: () => '0x7a69' })
  return startServer(endpoint, { host: '127.0.0.1', port: 0, limits, log: () => undefined })
}

const head = (length: number) =>
  `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

test('slow requests share a budget: some of them are dropped for others', async () => {
  const part = ' '.repeat(2.2 * 1024 * 1024)
  const slow: Begun[] = []
  const refused = () => slow.filter(({ received }) => received().includes('503')).length
  for (let i = 0; i < 4; i++) slow.push(await begin(`${head(MAX_BODY_BYTES)}${part}`))
  // Bodies of 8.8 MiB; the limit is 8 MiB.
  await expect.poll(refused).toBe(1)
  expect(slow.find(({ received }) => received() !== '')?.received()).toContain(
    'the node receives too many large requests at a time: send fewer, or smaller ones',
  )
  // A quick request still fits.
  expect((await post(rpc('echo', ' '.repeat(4 * 1024 * 1024)))).status).toBe(200)
  await expect.poll(refused).toBe(3)
  for (const { socket } of slow) socket.destroy()
})

test('a body in a great many chunks takes little memory besides its bytes', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = heap()
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const start =
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  const { socket, received } = await begin(start)
  const [opening, closing] = rpc('echo', '|').split('|')
  socket.write(chunk(opening ?? ''))
  for (let sent = 0; sent < 100_000; sent += 2_000) {
    socket.write(chunk('x').repeat(2_000))
    // The server reads as much meanwhile.
    await post(rpc('eth_chainId'))
  }
  expect(heap() - before).toBeLessThan(10_000_000)
  socket.write(`${chunk(closing ?? '')}0\r\n\r\n`)
  await expect.poll(received).toContain(`"result":"${'x'.repeat(100_000)}"`)
  socket.destroy()
})

test('headers and requests that take too long are cut off', async () => {
  const strict = await startImpatient()
  const headers = await begin('POST / HTTP/1.1\r\nHost: loc', strict.port)
  const body = await begin(`${head(1_000)}[`, strict.port)
  await expect.poll(headers.received).toContain('408 Request Timeout')
  await expect.poll(body.received).toContain('408 Request Timeout')
  const text = rpc('eth_chainId')
  const quick = await begin(`${head(text.length)}${text}`, strict.port)
  await expect.poll(quick.received).toContain('200 OK')
  quick.socket.destroy()
  await strict.close()
})

test('unread answers share a budget: the one that has waited longest is cut off', async () => {
  const answers = 10_000_000
  endpointAnswers = 'x'.repeat(answers)
  const text = rpc('large')
  const lazy: Begun[] = []
  for (let i = 0; i < 3; i++) {
    const connection = await begin(`${head(text.length)}${text}`)
    connection.socket.pause()
    lazy.push(connection)
    // The next answer is made after this one.
    expect((await post(rpc('eth_chainId'))).status).toBe(200)
  }
  for (const { socket } of lazy) socket.resume()
  const lengths = () => lazy.map(({ received }) => received().length >= answers)
  await expect.poll(lengths).toEqual([false, true, true])
  expect((await post(rpc('large'))).status).toBe(200)
  for (const { socket } of lazy) socket.destroy()
})

test('connections beyond the limit are refused, and idle ones make room', async () => {
  const many: Begun[] = []
  for (let i = 0; i < LIMITS.connections; i++) many.push(await begin('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'))
  await expect.poll(() => many.every(({ received }) => received().includes('200 OK'))).toBe(true)
  const beyond = await begin('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(beyond.socket, 'close')
  expect(beyond.received()).toBe('')
  expect((await post(rpc('eth_chainId'))).status).toBe(200)
  for (const { socket } of many) socket.destroy()
})

test('connections that say nothing, or not all of it, keep nobody out', async () => {
  const silent: Begun[] = []
  for (let i = 0; i < LIMITS.connections; i++) silent.push(await begin(i % 2 === 0 ? '' : 'GET / HTTP/1.1\r\nHost:'))
  for (let i = 0; i < 5; i++) {
    const answered = await begin('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expect.poll(() => answered.received()).toContain('200 OK')
  }
  await expect.poll(() => silent.filter(({ socket }) => socket.closed).length).toBe(5)
  for (const { socket } of silent) socket.destroy()
})

test('a pipelined request begins when the client has read the answer before it', async () => {
  endpointAnswers = 'x'.repeat(20_000_000)
  const body = rpc('large')
  const request = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const socket = connect(server.port, '127.0.0.1').pause()
  await once(socket, 'connect')
  socket.write(request.repeat(3))
  await expect.poll(() => callers.length).toBeGreaterThan(0)
  await post(rpc('eth_chainId'))
  // The one that is not read, and the one just now.
  expect(callers).toHaveLength(2)
  socket.resume()
  await expect.poll(() => callers.length).toBe(4)
  socket.destroy()
  await expect.poll(() => callers.every(({ gone }) => gone)).toBe(true)
})

test('a pipelined request may wait for a long answer before it; its time limit starts after that', async () => {
  const slow = { ...LIMITS, requestMs: 2_000 }
  const answered: (() => void)[] = []
  const waiting = new FakeEndpoint({ wait: () => new Promise((resolve) => answered.push(() => resolve('0x1'))) })
  const other = await startServer(waiting, { host: '127.0.0.1', port: 0, limits: slow, log: () => undefined })
  // More than Node.js buffers of an unread body, so that it is incomplete before its turn.
  const second = rpc('wait', ' '.repeat(1_000_000))
  const first = rpc('wait')
  const patient = await begin(`${head(first.length)}${first}${head(second.length)}${second}`, other.port)
  await expect.poll(() => answered.length).toBe(1)
  // This one began later, and its time is up.
  const late = await begin(`${head(1_000)}[`, other.port)
  await expect.poll(late.received).toContain('408')
  expect(patient.received()).toBe('')
  answered[0]?.()
  await expect.poll(() => answered.length).toBe(2)
  answered[1]?.()
  await expect.poll(() => patient.received().match(/200 OK/g)).toHaveLength(2)
  patient.socket.destroy()
  await other.close()
})

test.each([
  ['405', 'PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n'],
  ['413', head(MAX_BODY_BYTES + 1)],
])(
  'a body that keeps arriving after its request was refused with %s ends its connection at the time limit',
  async (status, start) => {
    const strict = await startImpatient()
    const { socket, received } = await begin(`${start}[`, strict.port)
    await expect.poll(received).toContain(status)
    await once(socket, 'close')
    await strict.close()
  },
)
