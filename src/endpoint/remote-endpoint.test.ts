import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { RemoteEndpoint } from './remote-endpoint.ts'

interface Call {
  readonly id: number
  readonly method: string
}

type Handler = (calls: readonly Call[], response: ServerResponse, request: IncomingMessage, isBatch: boolean) => void

const cleanups: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

const answers = (calls: readonly Call[]) =>
  calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: `of ${method}` }))

/** An endpoint that handles its requests one after the other as the list says, and the rest as its last entry. */
async function endpoint(
  handlers: readonly Handler[],
  options: { retries?: number; timeoutMs?: number; user?: string; onWait?: (line: string) => void } = {},
) {
  let requests = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const message = JSON.parse(body) as Call | readonly Call[]
      const handler = handlers[Math.min(requests++, handlers.length - 1)] as Handler
      handler(Array.isArray(message) ? message : [message as Call], response, request, Array.isArray(message))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  const remote = new RemoteEndpoint({
    url: `http://${options.user ?? ''}127.0.0.1:${port}/v2/secret-key`,
    headers: [['X-Key', 'mine']],
    retries: options.retries ?? 2,
    backoffMs: 0,
    timeoutMs: options.timeoutMs ?? 10_000,
    defer: setImmediate,
    ...(options.onWait && { onWait: options.onWait }),
  })
  cleanups.push(
    () => remote.close(),
    () => new Promise<void>((closed) => server.close(() => closed())),
    () => server.closeAllConnections(),
  )
  return { remote, port, requests: () => requests }
}

const right: Handler = (calls, response, _request, isBatch) =>
  response.end(JSON.stringify(isBatch ? answers(calls) : answers(calls)[0]))
const status =
  (code: number, headers: Record<string, string> = {}): Handler =>
  (_calls, response) =>
    response.writeHead(code, headers).end()

describe('what is asked', () => {
  test('calls of one task are one request, with the headers that were given, and answers in any order are told apart', async () => {
    let key: unknown
    const { remote, requests } = await endpoint([
      (calls, response, request) => {
        key = request.headers['x-key']
        response.end(JSON.stringify(answers(calls).toReversed()))
      },
    ])
    const asked = ['a', 'b', 'c'].map((method) => remote.ask(method, []))
    expect(await Promise.all(asked)).toEqual(['of a', 'of b', 'of c'])
    expect(requests()).toBe(1)
    expect(key).toBe('mine')
  })

  test('an endpoint that takes no batches is asked one by one', async () => {
    const single: Handler = (calls, response, _request, isBatch) =>
      response.end(
        JSON.stringify(
          isBatch ? { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } } : answers(calls)[0],
        ),
      )
    const { remote, requests } = await endpoint([single])
    expect(await Promise.all([remote.ask('a', []), remote.ask('b', [])])).toEqual(['of a', 'of b'])
    expect(requests()).toBe(3)
  })
})

test('calls with long parameters are in requests of their own, as their answers are long, too', async () => {
  const { remote, requests } = await endpoint([right])
  const slots = Array.from({ length: 128 }, () => `0x${'00'.repeat(32)}`)
  await Promise.all(Array.from({ length: 32 }, () => remote.ask('eth_getProof', ['0x', slots, '0x1'])))
  expect(requests()).toBe(11)
})

test('a name and a password in the address are sent as a header, and are in no error', async () => {
  let authorization: string | undefined
  const { remote } = await endpoint(
    [
      (calls, response, request, isBatch) => {
        authorization = request.headers.authorization
        right(calls, response, request, isBatch)
      },
      status(403),
    ],
    { user: 'me:p%40s%zs@' },
  )
  expect(await remote.ask('a', [])).toBe('of a')
  expect(authorization).toBe(`Basic ${Buffer.from('me:p@s%zs').toString('base64')}`)
  await expect(remote.ask('a', [])).rejects.toThrow(/^127\.0\.0\.1:\d+ refuses the request: HTTP status 403$/)
})

test('a batch that is limited as a whole is sent again as a batch', async () => {
  const limited: Handler = (_calls, response) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32005, message: 'limit' } }))
  const { remote, requests } = await endpoint([limited, right])
  expect(await Promise.all([remote.ask('a', []), remote.ask('b', [])])).toEqual(['of a', 'of b'])
  expect(requests()).toBe(2)
})

describe('a method that is refused by a bare HTTP status', () => {
  /** Refuses each request that has a call of the method. */
  const without =
    (code: number): Handler =>
    (calls, response, request, isBatch) =>
      (calls.some(({ method }) => method === 'eth_getProof') ? status(code) : right)(calls, response, request, isBatch)

  test.each([403, 405])('%i is told apart from the others of its batch, as the answer to it', async (code) => {
    const { remote, requests } = await endpoint([without(code)])
    const asked = ['eth_getCode', 'eth_getProof', 'eth_getCode', 'eth_getProof'].map((name) => remote.ask(name, []))
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({
      message: expect.stringMatching(new RegExp(`refuses the request: HTTP status ${code}$`)) as unknown,
      answered: { code, message: `HTTP status ${code}` },
    })
    expect(requests()).toBe(3)
  })

  test('an endpoint that has answered nothing yet has not answered that either', async () => {
    const { remote } = await endpoint([status(403)])
    await expect(Promise.all([remote.ask('a', []), remote.ask('b', [])])).rejects.toMatchObject({ answered: undefined })
  })
})

test('what is asked within a millisecond while something is under way is one request', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow: Handler = (...args) => void held.then(() => right(...args))
  const { remote, requests } = await endpoint([slow, right])
  const first = remote.ask('first', [])
  while (requests() === 0) await nextTurn()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const others: Promise<unknown>[] = []
  for (let i = 0; i < 5; i++) {
    await nextTurn()
    others.push(remote.ask(`${i}`, []))
  }
  await vi.advanceTimersByTimeAsync(1)
  expect(await Promise.all(others)).toEqual(['of 0', 'of 1', 'of 2', 'of 3', 'of 4'])
  expect(requests()).toBe(2)
  release()
  expect(await first).toBe('of first')
})

describe('what is repeated', () => {
  test.each<[string, Handler]>([
    ['429', status(429, { 'Retry-After': '0' })],
    ['503', status(503)],
    ['a connection that ends', (_calls, response) => void response.socket?.destroy()],
    [
      'the error -32005',
      (calls, response) =>
        response.end(JSON.stringify({ id: calls[0]?.id, jsonrpc: '2.0', error: { code: -32005, message: 'limit' } })),
    ],
  ])('after %s the call is sent again', async (_what, handler) => {
    const { remote, requests } = await endpoint([handler, handler, right])
    expect(await remote.ask('a', [])).toBe('of a')
    expect(requests()).toBe(3)
  })

  test('after the last repetition the error names the endpoint, without the key in its address', async () => {
    const { remote, port, requests } = await endpoint([status(429)])
    await expect(remote.ask('a', [])).rejects.toMatchObject({
      name: 'EndpointError',
      message: `127.0.0.1:${port} does not answer: HTTP status 429`,
    })
    expect(requests()).toBe(3)
  })

  test.each([429, 503])('an endpoint that asks to wait by status %d is named, at most once a minute', async (code) => {
    const times = 4
    const handler = status(code, { 'Retry-After': '999999' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const lines: string[] = []
    const { remote, port, requests } = await endpoint([...Array<Handler>(times - 1).fill(handler), right], {
      retries: times,
      timeoutMs: 3_600_000,
      onWait: (line) => lines.push(line),
    })
    const asking = remote.ask('a', [])
    while (requests() < times) {
      await nextTurn()
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(await asking).toBe('of a')
    // Each wait takes 30 s.
    const line = `127.0.0.1:${port} asks to wait (HTTP status ${code}): it is asked again in 30 s`
    expect(lines).toEqual([line, line])
  })

  test('short waits are not told', async () => {
    const lines: string[] = []
    const { remote } = await endpoint([status(429, { 'Retry-After': '0' }), status(503), right], {
      onWait: (line) => lines.push(line),
    })
    expect(await remote.ask('a', [])).toBe('of a')
    expect(lines).toEqual([])
  })

  test('an endpoint that stalls is given up after its time', async () => {
    const { remote } = await endpoint([() => {}], { retries: 0, timeoutMs: 30 })
    await expect(remote.ask('a', [])).rejects.toMatchObject({
      message: expect.stringContaining('no answer in 30 ms') as unknown,
    })
  })

  test.each<[string, Handler]>([
    ['before its answer', () => {}],
    ['in the middle of its answer', (_calls, response) => void response.writeHead(200).write('[')],
  ])('an endpoint that stalls %s is given up even if garbage is collected meanwhile', async (_when, stall) => {
    setFlagsFromString('--expose-gc')
    const collecting = setInterval(runInNewContext('gc') as () => void, 10)
    onTestFinished(() => clearInterval(collecting))
    const { remote } = await endpoint([stall], { retries: 0, timeoutMs: 200 })
    await expect(remote.ask('a', [])).rejects.toThrow('no answer in 200 ms')
  })
})

test.each([302, 307])('a host to which it redirects (%d) is not asked, and gets no headers', async (code) => {
  const inner = await endpoint([right])
  const { remote } = await endpoint([status(code, { Location: `http://127.0.0.1:${inner.port}/` })])
  await expect(remote.ask('a', [])).rejects.toThrow('does not answer')
  expect(inner.requests()).toBe(0)
})

describe('what is refused', () => {
  test.each<[string, Handler, RegExp]>([
    ['no JSON', (_calls, response) => response.end('<html>'), /its answer is no JSON/],
    ['an answer to something else', (_calls, response) => response.end('{"id":-1,"result":1}'), /it left out a/],
    ['status 403', status(403), /HTTP status 403/],
    ['a redirection', status(302, { Location: 'http://127.0.0.1:1/' }), /does not answer/],
    [
      'an error of the call',
      (calls, response) =>
        response.end(JSON.stringify({ id: calls[0]?.id, error: { code: -32000, message: 'missing trie node' } })),
      /answers a with an error: missing trie node/,
    ],
    [
      'an error whose message would command a terminal',
      (calls, response) =>
        response.end(JSON.stringify({ id: calls[0]?.id, error: { code: 1, message: '\u001b[2Jgone' } })),
      /error: \\u\{1b\}\[2Jgone$/,
    ],
    [
      'an error whose message is no text',
      (calls, response) =>
        response.end(JSON.stringify({ id: calls[0]?.id, error: { code: 1, message: { toString: 1 } } })),
      /answers a with an error: without a message/,
    ],
    [
      'a thousand levels',
      (calls, response) => response.end(`{"id":${calls[0]?.id},"result":${'['.repeat(1_000)}${']'.repeat(1_000)}}`),
      /its answer has more than 128 levels/,
    ],
    [
      'two million empty lists',
      (calls, response) => response.end(`{"id":${calls[0]?.id},"result":[${'[],'.repeat(2_000_000)}0]}`),
      /its answer has more than 1000000 values/,
    ],
    [
      'more than 32 MiB',
      (_calls, response) => {
        const piece = Buffer.alloc(1 << 20, 0x20)
        for (let mebibyte = 0; mebibyte < 40; mebibyte++) response.write(piece)
        response.end()
      },
      /its answer has more than 32 MiB/,
    ],
  ])('%s', async (_what, handler, message) => {
    const { remote } = await endpoint([handler], { retries: 1 })
    await expect(remote.ask('a', [])).rejects.toThrow(message)
  })
})

const gone: Handler = (_calls, response) => void response.socket?.destroy()

test('a call is not repeated if the diagnosis of its failure finds that this is of no use', async () => {
  const server = await endpoint([gone, right, gone, right])
  const diagnosed: string[] = []
  const remote = new RemoteEndpoint({
    url: `http://127.0.0.1:${server.port}/`,
    headers: [],
    retries: 3,
    backoffMs: 0,
    timeoutMs: 10_000,
    defer: setImmediate,
    async diagnose(url) {
      diagnosed.push(url)
      return 'it is another origin'
    },
  })
  await expect(remote.ask('a', [])).rejects.toThrow(`127.0.0.1:${server.port} does not answer: it is another origin`)
  expect(diagnosed).toHaveLength(1)
  expect(server.requests()).toBe(1)
  expect(await remote.ask('b', [])).toBe('of b')
  // Once it has answered, its silence has other reasons.
  expect(await remote.ask('c', [])).toBe('of c')
  expect(diagnosed).toHaveLength(1)
})

test('once all repetitions of a call have failed, later calls are not repeated until the endpoint answers', async () => {
  const { remote, requests } = await endpoint([gone, gone, gone, gone, right, gone, right])
  await expect(remote.ask('a', [])).rejects.toThrow('does not answer')
  expect(requests()).toBe(3)
  await expect(remote.ask('b', [])).rejects.toThrow('does not answer')
  expect(requests()).toBe(4)
  expect(await remote.ask('c', [])).toBe('of c')
  expect(await remote.ask('d', [])).toBe('of d')
  expect(requests()).toBe(7)
})
