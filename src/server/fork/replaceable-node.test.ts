import { expect, test } from 'vitest'
import type { Node } from '#node/node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { FakeEndpoint, type FakeMethod } from '#testing/transport/fake-endpoint.ts'
import { ReplaceableNode } from './replaceable-node.ts'

const call = (method: string, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params: [] })

/** A node that answers only these methods. */
function nodeWith(methods: Readonly<Record<string, FakeMethod>>): Node {
  const endpoint = new FakeEndpoint(methods)
  return { connect: (push, options) => endpoint.connect(push, options), start() {}, close: async () => {} }
}

test('a node that was replaced still answers what it was asked, and then ends', async () => {
  let answer = (_result: string) => {}
  const slow = new Promise<string>((resolve) => {
    answer = resolve
  })
  const replaceable = new ReplaceableNode(nodeWith({ slow: () => slow, which: () => 'one' }), new FakeClock())
  const connection = replaceable.connect()
  const underWay = connection.handle(call('slow'))
  let isEnded = false
  replaceable.replaceWith(nodeWith({ which: () => 'other' }), async () => {
    isEnded = true
  })
  expect(await connection.handle(call('which'))).toContain('"other"')
  expect(isEnded).toBe(false)
  answer('done')
  expect(await underWay).toContain('"done"')
  await replaceable.close()
  expect(isEnded).toBe(true)
})

test('a call that it does not answer within five seconds ends with code 4900', async () => {
  const clock = new FakeClock()
  const replaceable = new ReplaceableNode(nodeWith({}), clock)
  const underWay = replaceable.connect().handle(call('never', 7))
  let isEnded = false
  replaceable.replaceWith(nodeWith({}), async () => {
    isEnded = true
  })
  await clock.advance(4_999)
  expect(isEnded).toBe(false)
  await clock.advance(1)
  expect(JSON.parse((await underWay) ?? '')).toMatchObject({ id: 7, error: { code: 4900 } })
  await replaceable.close()
  expect(isEnded).toBe(true)
})

test('a subscription that the node before answers while it is replaced is made at the next one, and an end is an end', async () => {
  let answer = (_id: string) => {}
  const slow = new Promise<string>((resolve) => {
    answer = resolve
  })
  const [before, next] = [
    new FakeEndpoint({ eth_subscribe: () => slow, eth_unsubscribe: () => true }),
    new FakeEndpoint({ eth_subscribe: () => '0xb', eth_unsubscribe: () => true }),
  ]
  const nodeOf = (endpoint: FakeEndpoint): Node => ({
    connect: (push, options) => endpoint.connect(push, options),
    start() {},
    close: async () => {},
  })
  const replaceable = new ReplaceableNode(nodeOf(before), new FakeClock())
  const heard: string[] = []
  const connection = replaceable.connect((body) => heard.push(body))
  const subscribing = connection.handle(call('eth_subscribe', 3))
  replaceable.replaceWith(nodeOf(next), async () => {})
  answer('0xa')
  expect(JSON.parse((await subscribing) ?? '')).toMatchObject({ id: 3, result: '0xb' })
  next.notify('0xb', 'news')
  expect(heard).toHaveLength(1)
  expect(heard[0]).toContain('news')
  // The next node is told once, and nothing is left over.
  const end = { jsonrpc: '2.0', id: 4, method: 'eth_unsubscribe', params: ['0xb'] }
  expect(await connection.handle(JSON.stringify(end))).toContain('true')
  next.notify('0xb', 'more')
  expect(heard).toHaveLength(1)
  expect(next.received.map((body) => (JSON.parse(body) as { method: string }).method)).toEqual([
    'eth_subscribe',
    'eth_unsubscribe',
  ])
  await replaceable.close()
})
