import { expect, test, vi } from 'vitest'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { NoNodeError } from '#transport/channel/connect-channel.ts'
import { answerEvents, type EventsOptions } from './events.ts'

/** A node that accepts subscriptions to anything but `nonsense`. */
function createNode() {
  return new FakeEndpoint({
    eth_subscribe: ([kind]) =>
      kind === 'nonsense' ? { error: { code: -32601, message: 'no "nonsense" subscription' } } : '0x1',
  })
}

function setUp(node = createNode()) {
  const clock = new FakeClock()
  const endpoint = { ready: () => Promise.resolve(), connect: node.connect.bind(node) }
  return {
    node,
    clock,
    get: (query: string, options: Partial<EventsOptions> = {}) =>
      answerEvents({ url: `https://dapp.example/rpc/events?${query}`, method: 'GET' }, { endpoint, clock, ...options }),
  }
}

/** Reads until `text` has arrived. */
async function readTo(reader: ReadableStreamDefaultReader<Uint8Array>, text: string): Promise<string> {
  const decoder = new TextDecoder()
  let all = ''
  while (!all.includes(text)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`the stream ended after ${all}`)
    all += decoder.decode(value, { stream: true })
  }
  return all
}

function readerOf(response: Response) {
  if (!response.body) throw new Error('no body')
  return response.body.getReader()
}

test('payloads come in order as events named after their kind', async () => {
  const { node, get } = setUp()
  const response = await get('kind=newPartialBlocks&mode=diff')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(node.received.map((body) => JSON.parse(body) as unknown)).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newPartialBlocks', 'diff'] },
  ])
  node.notify('0x1', { index: 0, text: 'two\nlines' })
  node.notify('0x1', { index: 1 })
  const text = await readTo(readerOf(response), '{"index":1}')
  expect(text).toBe(
    'retry: 1000\n\n' +
      'event: newPartialBlocks\ndata: {"index":0,"text":"two\\nlines"}\n\n' +
      'event: newPartialBlocks\ndata: {"index":1}\n\n',
  )
})

test('events that arrive before the answer to eth_subscribe are not lost', async () => {
  const node = new FakeEndpoint({
    eth_subscribe: () => {
      node.notify('0x1', 'early')
      return '0x1'
    },
  })
  const response = await setUp(node).get('kind=newHeads')
  expect(await readTo(readerOf(response), 'early')).toContain('event: newHeads\ndata: "early"\n\n')
})

test.each([
  ['mode=true', [true]],
  ['mode=block', ['block']],
  ['params=[true]', [true]],
  [`params=${encodeURIComponent('{"topics":[null]}')}`, [{ topics: [null] }]],
  ['', []],
])('%s becomes the parameters of eth_subscribe', async (query, params) => {
  const { node, get } = setUp()
  await get(`kind=logs&${query}`)
  expect(JSON.parse(node.received[0] ?? '')).toHaveProperty('params', ['logs', ...params])
})

test.each(['', 'kind=', 'kind=logs&params={', 'kind=logs&mode=true&params=[true]'])(
  'the query %o is refused with 400 without asking the node',
  async (query) => {
    const { node, get } = setUp()
    const response = await get(query)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32602 } })
    expect(node.received).toEqual([])
  },
)

test('an unknown kind is refused with 400 and the message of the node, and the connection ends', async () => {
  const { node, get } = setUp()
  const response = await get('kind=nonsense')
  expect(response.status).toBe(400)
  expect(await response.json()).toHaveProperty('error', { code: -32601, message: 'no "nonsense" subscription' })
  expect(node.subscribers).toBe(0)
})

test('another method than GET is refused with 405', async () => {
  const { node, clock } = setUp()
  const endpoint = {
    ready: () => Promise.reject(new Error('the node was asked')),
    connect: node.connect.bind(node),
  }
  const request = { url: 'https://dapp.example/rpc/events', method: 'POST' }
  const response = await answerEvents(request, { endpoint, clock })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET')
})

test('the subscription ends when the reader disconnects', async () => {
  const { node, get } = setUp()
  const reader = readerOf(await get('kind=newHeads'))
  expect(node.subscribers).toBe(1)
  await reader.cancel()
  expect(node.subscribers).toBe(0)
})

test('a reader that stops reading gets an error and is disconnected', async () => {
  const { node, get } = setUp()
  const response = await get('kind=newHeads', { maxBytes: 1_000 })
  while (node.subscribers > 0) node.notify('0x1', 'x'.repeat(100))
  const text = await response.text()
  expect(text.length).toBeLessThan(1_300)
  expect(text).toMatch(/event: error\ndata: \{"code":-32000,"message":"too slow: [^\n]+"\}\n\n$/)
})

test('a reader that keeps up receives more than the buffer holds', async () => {
  const { node, get } = setUp()
  const reader = readerOf(await get('kind=newHeads', { maxBytes: 1_000 }))
  for (let i = 0; i < 100; i++) {
    node.notify('0x1', `${i}:${'x'.repeat(100)}`)
    await readTo(reader, `"${i}:`)
  }
  expect(node.subscribers).toBe(1)
})

test('a reader is notified when no tab runs the node any more', async () => {
  const { get, clock, node } = setUp()
  const ready = vi.fn<() => Promise<void>>().mockResolvedValueOnce()
  ready.mockRejectedValueOnce(new NoNodeError('open the page'))
  const response = await get('kind=newHeads', { endpoint: { ready, connect: node.connect.bind(node) } })
  await clock.advance(15_000)
  expect(await response.text()).toMatch(/event: error\ndata: \{"code":4900,"message":"open the page"\}\n\n$/)
  expect(node.subscribers).toBe(0)
})

test('when the node ends the subscription, that is the last event', async () => {
  const pushes: ((body: string) => unknown)[] = []
  const { get, clock } = setUp()
  const connect: EventsOptions['endpoint']['connect'] = (push) => {
    if (push) pushes.push(push)
    return { handle: async () => '{"jsonrpc":"2.0","id":1,"result":"0x1"}', close() {} }
  }
  const response = await get('kind=newHeads', { endpoint: { ready: () => Promise.resolve(), connect }, clock })
  const error = { code: 4900, message: 'the tab was closed' }
  pushes[0]?.(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: '0x1', error } }))
  expect(await response.text()).toMatch(/event: error\ndata: \{"code":4900,"message":"the tab was closed"\}\n\n$/)
})

test('a silent stream is kept alive by comments until its reader goes', async () => {
  const { clock, get } = setUp()
  const reader = readerOf(await get('kind=newHeads'))
  for (let minute = 0; minute < 3; minute++) {
    await clock.advance(15_000)
    expect(await readTo(reader, '\n\n')).toMatch(minute === 0 ? /^retry/ : /^: /)
  }
  await reader.cancel()
  await clock.advance(60_000)
  expect(await reader.read()).toEqual({ done: true, value: undefined })
})

test('without a node the answer is 503', async () => {
  const { get } = setUp()
  const ready = () => Promise.reject(new NoNodeError('open the page'))
  const response = await get('kind=newHeads', { endpoint: { ready, connect: () => createNode().connect() } })
  expect(response.status).toBe(503)
  expect(await response.json()).toHaveProperty('error', { code: 4900, message: 'open the page' })
})
