import { expect, test, vi } from 'vitest'
import { problemOf } from '#client/session/remote-problem.ts'
import { connectHttp } from './remote-http.ts'

const BODY = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x1"}'

function setUp(send: (init: RequestInit) => Promise<Response>) {
  const onLost = vi.fn<(error: Error) => void>()
  const link = connectHttp('http://node.example/', { onNotification: () => {}, onLost }, (_url, init) =>
    send(init ?? {}),
  )
  return { link, onLost, problem: () => link.request(BODY).then(() => expect.fail('answered'), problemOf) }
}

test('a request is posted as JSON, without cookies, and its answer passes unchanged', async () => {
  const seen: RequestInit[] = []
  const { link, onLost } = setUp(async (init) => {
    seen.push(init)
    return new Response(ANSWER)
  })
  expect(await link.request(BODY)).toBe(ANSWER)
  expect(seen).toMatchObject([{ method: 'POST', body: BODY, credentials: 'omit' }])
  expect(onLost).not.toHaveBeenCalled()
})

test('a JSON-RPC error counts, whatever the HTTP status', async () => {
  const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'
  const { link } = setUp(async () => new Response(refusal, { status: 400 }))
  expect(await link.request(BODY)).toBe(refusal)
})

test('an answer that is not JSON-RPC and an HTTP error give different problems', async () => {
  expect(await setUp(async () => new Response('<html>')).problem()).toEqual({ code: 'no-json-rpc' })
  expect(await setUp(async () => new Response('{}')).problem()).toEqual({ code: 'no-json-rpc' })
  expect(await setUp(async () => new Response('no', { status: 429 })).problem()).toEqual({
    code: 'http-status',
    status: 429,
  })
})

test('an unreachable server and one that blocks this origin give different problems', async () => {
  const dead = setUp(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(await dead.problem()).toEqual({ code: 'unreachable' })
  expect(dead.onLost).toHaveBeenCalledOnce()
  const silent = setUp(async ({ mode }) => {
    if (mode !== 'no-cors') throw new TypeError('Failed to fetch')
    return Response.error()
  })
  expect(await silent.problem()).toEqual({ code: 'cross-origin' })
})

test('closing ends pending calls, and does not count as a lost connection', async () => {
  const { link, onLost } = setUp(
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      }),
  )
  const pending = link.request(BODY)
  link.close()
  await expect(pending).rejects.toThrow('the connection was closed')
  await expect(link.request(BODY)).rejects.toThrow('the connection was closed')
  expect(onLost).not.toHaveBeenCalled()
})
