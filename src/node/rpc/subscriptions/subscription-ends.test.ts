import { expect, test } from 'vitest'
import { createTestNode, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const MANUAL = { mode: 'manual' } as const

/** Everything that the subscription has pushed so far. */
const results = ({ notifications }: TestNode, id: unknown) =>
  notifications.filter(({ subscription }) => subscription === id).map(({ result }) => result)

test('the answer with the id arrives before the first notification, and nothing in between is lost', async () => {
  const { node } = await createTestNode(MANUAL)
  const seen: string[] = []
  const connection = node.connect((body) => {
    const { params } = JSON.parse(body) as { params: { subscription: string; result: { index: number } } }
    seen.push(`${params.subscription}: ${params.result.index}`)
  })
  const send = async (messages: readonly object[]) => {
    const answer = await connection.handle(JSON.stringify(messages.map((m) => ({ jsonrpc: '2.0', id: 1, ...m }))))
    seen.push('answer')
    return JSON.parse(answer ?? '') as { result: string }[]
  }
  const [subscribed] = await send([
    { method: 'eth_subscribe', params: ['newPartialBlocks'] },
    { method: 'devnet_tick', params: [2] },
  ])
  await send([{ method: 'devnet_tick' }])
  expect(seen).toEqual(['answer', ...[1, 2, 3].map((index) => `${subscribed?.result}: ${index}`), 'answer'])
})

test('a subscription that ended pushes nothing more, and cannot be ended twice', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const [one, two] = [await request('eth_subscribe', ['newHeads']), await request('eth_subscribe', ['newHeads'])]
  expect(await request('eth_unsubscribe', [one])).toBe(true)
  expect(await request('eth_unsubscribe', [one])).toBe(false)
  expect(await request('eth_unsubscribe', ['0x1'])).toBe(false)
  await request('devnet_tick', [10])
  expect(results(node, one)).toEqual([])
  expect(results(node, two)).toHaveLength(1)
})

test('a subscription that ends in the batch that started it never pushes', async () => {
  const { node, request } = await createTestNode(MANUAL)
  const pushed: string[] = []
  const connection = node.connect((body) => pushed.push(body))
  const { result } = JSON.parse(
    (await connection.handle('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')) ?? '',
  ) as { result: string }
  // The next id is the next number, in hexadecimal.
  const next = `0x${(BigInt(result) + 1n).toString(16)}`
  const batch = [
    { method: 'eth_subscribe', params: ['newPartialBlocks'] },
    { method: 'devnet_tick' },
    { method: 'eth_unsubscribe', params: [next] },
  ].map((message) => ({ jsonrpc: '2.0', id: 1, ...message }))
  const answers: unknown = JSON.parse((await connection.handle(JSON.stringify(batch))) ?? '')
  expect(answers).toMatchObject([{ result: next }, {}, { result: true }])
  await request('devnet_tick')
  expect(pushed).toEqual([])
})

test('one connection cannot end the subscription of another', async () => {
  const first = await createTestNode(MANUAL)
  const id = await first.request('eth_subscribe', ['newHeads'])
  const other = first.node.connect(() => undefined)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_unsubscribe', params: [id] })
  expect(await other.handle(body)).toContain('"result":false')
  await first.request('devnet_tick', [10])
  expect(results(first, id)).toHaveLength(1)
})

test('a connection that closes ends its subscriptions and gets no new ones', async () => {
  const { node, request } = await createTestNode(MANUAL)
  const pushed: string[] = []
  const connection = node.connect((body) => pushed.push(body))
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })
  expect(await connection.handle(body)).toContain('result')
  connection.close()
  await request('devnet_tick', [10])
  expect(await connection.handle(body)).toContain('the connection is closed')
  await request('devnet_tick', [10])
  expect(pushed).toEqual([])
})

test('a connection that closes during a push gets nothing more', async () => {
  const { node, request } = await createTestNode(MANUAL)
  const pushed: string[] = []
  const connection = node.connect((body) => {
    pushed.push(body)
    connection.close()
  })
  await connection.handle('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newPartialBlockTransactions"]}')
  for (const nonce of [0, 1, 2]) await request('eth_sendRawTransaction', [await signTransfer(0, nonce)])
  await request('devnet_tick', [2])
  expect(pushed).toHaveLength(1)
})

test('a broken connection loses its subscription; the chain and the others continue', async () => {
  const working = await createTestNode(MANUAL)
  const { node, request, logged } = working
  const broken = node.connect(() => {
    throw new Error('port closed')
  })
  await broken.handle('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  const id = await request('eth_subscribe', ['newHeads'])
  await request('devnet_tick', [20])
  expect(results(working, id)).toHaveLength(2)
  expect(logged).toEqual([expect.stringContaining('its notification could not be sent')])
})

test.each([['eth_subscribe'], ['eth_unsubscribe']])('without push %s is not supported', async (method) => {
  const { node } = await createTestNode(MANUAL)
  const answer = await node.connect().handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: ['newHeads'] }))
  expect(JSON.parse(answer ?? '')).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32601, message: 'notifications not supported' },
  })
})
