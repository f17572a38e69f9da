import { expect, test } from 'vitest'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { NoNodeError } from '#transport/channel/connect-channel.ts'
import { MAX_BODY_BYTES } from '#transport/http-rules.ts'
import { type AnsweringEndpoint, answerRpc } from './rpc.ts'

const URL_OF_RPC = 'https://dapp.example/rpc'
const JSON_TYPE = { 'Content-Type': 'application/json' }
const CHAIN_ID = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}'

/** A node that answers with `handle`. */
function nodeThat(handle: (body: string) => Promise<string | undefined>): AnsweringEndpoint {
  return { ready: () => Promise.resolve(), connect: () => ({ handle, close() {} }) }
}

const echo = nodeThat(async (body) => `{"heard":${body}}`)
const ask = (init: RequestInit, node = echo) => answerRpc(new Request(URL_OF_RPC, init), node)
const post = (body: BodyInit, node?: AnsweringEndpoint) => ask({ method: 'POST', headers: JSON_TYPE, body }, node)

test('a posted body reaches the node unchanged, and the answer comes back as JSON that is not cached', async () => {
  const response = await post('[1, "Grüße 🚀"]')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.text()).toBe('{"heard":[1, "Grüße 🚀"]}')
})

test('a notification is status 200 with an empty body', async () => {
  const silent = nodeThat(async () => undefined)
  const response = await post('{"jsonrpc":"2.0","method":"eth_chainId"}', silent)
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('')
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
  'the content type %o is refused with 415',
  async (type) => {
    const response = await ask({ method: 'POST', headers: { 'Content-Type': type }, body: CHAIN_ID })
    expect(response.status).toBe(415)
    expect(await response.text()).toContain('only application/json is supported')
  },
)

test('a body of 5 MiB is accepted, and one byte more is refused with 413', async () => {
  const length = nodeThat(async (body) => String(body.length))
  expect(await (await post(' '.repeat(MAX_BODY_BYTES), length)).text()).toBe(String(MAX_BODY_BYTES))
  expect((await post(' '.repeat(MAX_BODY_BYTES + 1), length)).status).toBe(413)
})

test('where the body of a request is no stream, as in Firefox, it is read whole, and refused by the same limit', async () => {
  const length = nodeThat(async (body) => String(body.length))
  const answer = (body: string) => {
    const request = new Request(URL_OF_RPC, { method: 'POST', headers: JSON_TYPE, body })
    Object.defineProperty(request, 'body', { value: undefined })
    return answerRpc(request, length)
  }
  expect(await (await answer('"Grüße 🚀"')).text()).toBe('10')
  expect((await answer(' '.repeat(MAX_BODY_BYTES + 1))).status).toBe(413)
})

test('characters that come in two pieces of a body stay whole', async () => {
  const bytes = new TextEncoder().encode('["🚀"]')
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const init = { method: 'POST', headers: JSON_TYPE, body, duplex: 'half' }
  expect(await (await answerRpc(new Request(URL_OF_RPC, init), echo)).text()).toBe('{"heard":["🚀"]}')
})

test.each(['PUT', 'DELETE', 'PATCH'])('%s is refused with 405 and the allowed methods', async (method) => {
  const response = await ask({ method })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS')
})

test('GET explains the endpoint, HEAD and OPTIONS have no body', async () => {
  expect(await (await ask({ method: 'GET' })).json()).toHaveProperty('name', 'Blinknet')
  expect(await (await ask({ method: 'HEAD' })).text()).toBe('')
  const options = await ask({ method: 'OPTIONS' })
  expect(options.status).toBe(204)
  expect(options.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS')
})

test.each([
  [CHAIN_ID, 7],
  ['{"jsonrpc":"2.0","id":"a","method":"eth_chainId"}', 'a'],
  ['{"id":{}}', null],
  ['{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}', null],
  ['null', null],
  ['no JSON', null],
])('without a node %s is answered with 503 and an error with the id %o', async (body, id) => {
  const absent = { ...echo, ready: () => Promise.reject(new NoNodeError('open the page')) }
  const response = await post(body, absent)
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({ jsonrpc: '2.0', id, error: { code: 4900, message: 'open the page' } })
})

test('without a node each call of a batch gets the error, except notifications', async () => {
  const absent = { ...echo, ready: () => Promise.reject(new NoNodeError('open the page')) }
  const response = await post(`[${CHAIN_ID},{"jsonrpc":"2.0","method":"eth_chainId"}]`, absent)
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual([{ jsonrpc: '2.0', id: 7, error: { code: 4900, message: 'open the page' } }])
})

test('every request uses its own connection, which gets no notifications and ends with the answer', async () => {
  const node = new FakeEndpoint({ eth_chainId: () => '0x7a69' })
  const events: string[] = []
  const endpoint: AnsweringEndpoint = {
    ready: () => Promise.resolve(),
    connect(push) {
      events.push(push ? 'opened for notifications' : 'opened')
      const { handle } = node.connect()
      return { handle, close: () => void events.push('closed') }
    },
  }
  expect(await (await post(CHAIN_ID, endpoint)).json()).toHaveProperty('result', '0x7a69')
  expect(events).toEqual(['opened', 'closed'])
})

test('the address may say what latest means; an unknown reading is refused with 400', async () => {
  const asked: unknown[] = []
  const node: AnsweringEndpoint = {
    ready: () => Promise.resolve(),
    connect: (_push, options) => {
      asked.push(options)
      return { handle: async () => '{}', close() {} }
    },
  }
  const postTo = (url: string) =>
    answerRpc(new Request(url, { method: 'POST', headers: JSON_TYPE, body: CHAIN_ID }), node)
  for (const query of ['', '?chain=a&latest=preconfirmed', '?latest=sealed#x']) await postTo(URL_OF_RPC + query)
  expect(asked).toEqual([{}, { latest: 'preconfirmed' }, { latest: 'sealed' }])
  const refused = await postTo(`${URL_OF_RPC}?latest=pending`)
  expect([refused.status, await refused.text()]).toEqual([400, '?latest= takes one of sealed, preconfirmed\n'])
  expect(asked).toHaveLength(3)
})
