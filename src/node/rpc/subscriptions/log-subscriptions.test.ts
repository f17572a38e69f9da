import { expect, test } from 'vitest'
import { Emitter } from '#primitives/emitter.ts'
import { toWord } from '#primitives/hex.ts'
import { signLogger } from '#testing/node/rpc/log-contract.ts'
import { asPartial, testBlock } from '#testing/node/storage/blocks.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { ChainEvents } from '../../sequencer/events.ts'
import { openPublisher } from './publishers.ts'
import { MAX_WAITING_CHARACTERS } from './subscription.ts'
import { SubscriptionHub } from './subscription-hub.ts'

const [A, B] = [toWord(0xa), toWord(0xb)]
const MANUAL = { mode: 'manual' } as const
const SLOW = { code: -32000, message: 'subscription closed: its notifications are read too slowly' }

const results = ({ notifications }: TestNode, id: unknown) =>
  notifications.filter(({ subscription }) => subscription === id).map(({ result }) => result)

test('logs arrive when their block is sealed, pendingLogs when they are pre-confirmed, each once', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const sealed = await request('eth_subscribe', ['logs'])
  const some = await request('eth_subscribe', ['logs', { topics: [B] }])
  const live = await request('eth_subscribe', ['pendingLogs', {}])
  const someLive = await request('eth_subscribe', ['pendingLogs', { topics: [[B]] }])
  await request('eth_sendRawTransaction', [await signLogger(0, 0, A, B)])
  await request('devnet_tick')
  const pending = await request('eth_getLogs', [{ fromBlock: 'pending', toBlock: 'pending' }])
  expect(pending).toHaveLength(2)
  expect(results(node, live)).toEqual(pending)
  expect(results(node, someLive)).toEqual(pending.slice(1))
  expect(results(node, sealed)).toEqual([])

  await request('devnet_tick', [20])
  const logs = await request('eth_getLogs', [{ fromBlock: '0x1' }])
  expect(results(node, sealed)).toEqual(logs)
  expect(results(node, some)).toEqual(logs.slice(1))
  expect(results(node, live)).toEqual(pending)
})

test('a subscription to logs of a range only gets those', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const id = await request('eth_subscribe', ['logs', { fromBlock: '0x2', toBlock: '0x2' }])
  for (const nonce of [0, 1, 2]) {
    await request('eth_sendRawTransaction', [await signLogger(0, nonce, A)])
    await request('devnet_tick', [10])
  }
  expect(results(node, id)).toMatchObject([{ blockNumber: '0x2' }])
})

test.each([
  [{ toBlock: 'pending' }, 'pending logs are not supported'],
  [{ fromBlock: '0x2', toBlock: '0x1' }, 'invalid block range params'],
  [{ topics: 'x' }, 'invalid argument 1: invalid topic(s)'],
])('a subscription to logs with %j is refused', async (query, message) => {
  const { request } = await createTestNode(MANUAL)
  await expect(request('eth_subscribe', ['logs', query])).rejects.toMatchObject({ error: { code: -32602, message } })
})

function createHub() {
  const events = new Emitter<ChainEvents>()
  const hub = new SubscriptionHub({ events, clock: new FakeClock() }, (message, error) => {
    throw new Error(message, { cause: error })
  })
  return { hub, events }
}

test('logs of withdrawn blocks arrive again as removed, the last one first', () => {
  const { hub, events } = createHub()
  const pushed: unknown[] = []
  hub.activate(hub.add(openPublisher('logs', []), (body) => void pushed.push(JSON.parse(body))))
  const log = (topic: string) => ({ address: A, topics: [topic as typeof A], data: new Uint8Array() })
  const block = testBlock(1, [[log(A), log(B)]])
  events.emit('partial', { partial: asPartial(block) })
  events.emit('seal', { block })
  events.emit('reorg', { removed: [block], head: testBlock(0) })
  const told = [
    [A, false],
    [B, false],
    [B, true],
    [A, true],
  ].map(([topic, removed]) => ({ params: { result: { topics: [topic], removed, blockHash: block.hash } } }))
  expect(pushed).toMatchObject(told)
})

test('a reader that is too slow gets an error as its last notification, and the others continue', () => {
  const { hub, events } = createHub()
  const bodies = { slow: [] as string[], quick: [] as string[] }
  const slow = hub.add(openPublisher('newHeads', []), (body) => bodies.slow.push(body) < 2)
  const quick = hub.add(openPublisher('newHeads', []), (body) => bodies.quick.push(body))
  for (const subscription of [slow, quick]) hub.activate(subscription)
  for (let number = 1; number <= 4; number++) events.emit('seal', { block: testBlock(number) })
  expect(bodies.slow).toHaveLength(3)
  expect(JSON.parse(bodies.slow[2] ?? '')).toEqual({
    jsonrpc: '2.0',
    method: 'eth_subscription',
    params: { subscription: slow.id, error: SLOW },
  })
  expect(bodies.quick).toHaveLength(4)
})

test('notifications held back behind an endless answer are limited: the subscription ends with an error instead', () => {
  const { hub, events } = createHub()
  const pushed: string[] = []
  const text = JSON.stringify('x'.repeat(1024 * 1024))
  const subscription = hub.add({ seal: () => [text] }, (body) => pushed.push(body))
  for (let number = 1; number * text.length <= MAX_WAITING_CHARACTERS + text.length; number++) {
    events.emit('seal', { block: testBlock(number) })
  }
  hub.activate(subscription)
  expect(pushed.map((body) => (JSON.parse(body) as { params: unknown }).params)).toEqual([
    { subscription: subscription.id, error: SLOW },
  ])
  events.emit('seal', { block: testBlock(99) })
  expect(pushed).toHaveLength(1)
})

test('a subscription that the node has ended can no longer be unsubscribed from', async () => {
  const { node, request } = await createTestNode(MANUAL)
  const connection = node.connect(() => false)
  const call = async (method: string, params: readonly unknown[]) =>
    JSON.parse((await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))) ?? '') as {
      result: unknown
    }
  const { result: id } = await call('eth_subscribe', ['newHeads'])
  await request('devnet_tick', [10])
  expect(await call('eth_unsubscribe', [id])).toMatchObject({ result: false })
})

test('after a reorg, subscribers and filters have seen every withdrawn log as removed', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const id = await request('eth_subscribe', ['logs'])
  const filter = await request('eth_newFilter', [{}])
  await request('eth_sendRawTransaction', [await signLogger(0, 0, A, B)])
  await request('devnet_tick', [10])
  const logs = await request('eth_getLogs', [{ fromBlock: '0x1' }])
  await request('devnet_reorg', [1])
  const removed = logs.map((log) => ({ ...log, removed: true })).toReversed()
  expect(logs).toHaveLength(2)
  expect(results(node, id)).toEqual([...logs, ...removed])
  expect(await request('eth_getFilterChanges', [filter])).toEqual([...logs, ...removed])

  // The transaction waits again, and is sealed in another block or the same one.
  await request('devnet_tick', [11])
  const again = await request('eth_getLogs', [{ fromBlock: '0x1' }])
  expect(again).toHaveLength(2)
  expect(results(node, id).slice(4)).toEqual(again)
  expect(await request('eth_getFilterChanges', [filter])).toEqual(again)
})

test('logs whose pre-confirmation is withdrawn arrive as removed, and again when they are pre-confirmed again', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const id = await request('eth_subscribe', ['pendingLogs', { topics: [A] }])
  await request('eth_sendRawTransaction', [await signLogger(0, 0, A)])
  await request('devnet_tick')
  const logs = await request('eth_getLogs', [{ toBlock: 'pending' }])
  await request('devnet_dropPartialBlocks', [1])
  expect(await request('eth_getLogs', [{ toBlock: 'pending' }])).toEqual([])
  const removed = logs.map((log) => ({ ...log, removed: true }))
  expect(results(node, id)).toEqual([...logs, ...removed])
  await request('devnet_tick')
  expect(results(node, id)).toEqual([...logs, ...removed, ...(await request('eth_getLogs', [{ toBlock: 'pending' }]))])
  expect(results(node, id)).toHaveLength(3)
})

/** The logs of a subscriber to pre-confirmed logs after `changes`: each once, without removed ones. */
function follow(changes: readonly unknown[]): string[] {
  const present: string[] = []
  for (const change of changes) {
    const { transactionHash, logIndex, removed } = change as {
      readonly transactionHash: string
      readonly logIndex: string
      readonly removed: boolean
    }
    const name = `${transactionHash} ${logIndex}`
    expect(present.includes(name)).toBe(removed)
    if (removed) present.splice(present.indexOf(name), 1)
    else present.push(name)
  }
  return present.toSorted()
}

test.each([
  ['requeued', 'requeue'],
  ['lost', 'lose'],
] as const)('a subscriber to pre-confirmed logs gets each log that is withdrawn and %s, once', async (_what, fate) => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const live = await request('eth_subscribe', ['pendingLogs', {}])
  const filter = await request('eth_newFilter', [{ fromBlock: 'latest', toBlock: 'pending' }])
  const polled: unknown[] = []
  const check = async () => {
    polled.push(...(await request('eth_getFilterChanges', [filter])))
    const there = await request('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'pending' }])
    const expected = there.map(({ transactionHash, logIndex }) => `${transactionHash} ${logIndex}`).toSorted()
    expect(follow(polled)).toEqual(expected)
    expect(follow(results(node, live))).toEqual(expected)
    return expected.length
  }
  for (let nonce = 0; nonce < 4; nonce++) {
    await request('eth_sendRawTransaction', [await signLogger(0, nonce, A, B)])
    await request('devnet_tick', [nonce === 1 ? 10 : 1])
  }
  expect(await check()).toBe(8)
  await request('devnet_dropPartialBlocks', [1, fate])
  expect(await check()).toBe(6)
  await request('devnet_tick')
  expect(await check()).toBe(fate === 'requeue' ? 8 : 6)
  const id = await request('evm_snapshot')
  await request('devnet_reorg', [1, fate])
  expect(await check()).toBe(0)
  await request('devnet_tick')
  await check()
  await request('evm_revert', [id])
  expect(await check()).toBe(fate === 'requeue' ? 8 : 6)
  await request('devnet_tick', [12])
  await check()
})
