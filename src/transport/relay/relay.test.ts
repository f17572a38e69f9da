import { expect, test } from 'vitest'
import type { JsonRpcFailure, JsonRpcNotification } from '#rpc-types/envelope.ts'
import { FakeEndpoint, type FakeMethod } from '#testing/transport/fake-endpoint.ts'
import { createRelay } from './relay.ts'

const call = (method: string, params: readonly unknown[] = [], id: number | string = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
const settle = () => new Promise((resolve) => void setImmediate(resolve))
const errorOf = (answer: string | undefined) => (JSON.parse(answer ?? '') as JsonRpcFailure).error

/** A node that counts subscription ids up from 0x1, like the one before it. */
function nodeWithSubscriptions(methods: Readonly<Record<string, FakeMethod>> = {}): FakeEndpoint {
  let last = 0
  return new FakeEndpoint({ eth_subscribe: () => `0x${++last}`, eth_unsubscribe: () => true, ...methods })
}

test('calls made before there is a node wait for it', async () => {
  const relay = createRelay()
  const answer = relay.connect().handle(call('devnet_tick'))
  relay.moveTo(new FakeEndpoint({ devnet_tick: () => 'ticked' }))
  expect(await answer).toBe('{"jsonrpc":"2.0","id":1,"result":"ticked"}')
})

test('a read-only call is repeated at the next node', async () => {
  const relay = createRelay()
  const [dead, next] = [new FakeEndpoint(), new FakeEndpoint({ eth_blockNumber: () => '0x7' })]
  relay.moveTo(dead)
  const answer = relay.connect().handle(call('eth_blockNumber'))
  await settle()
  expect(dead.received).toHaveLength(1)
  relay.leave()
  relay.moveTo(next)
  expect(await answer).toContain('"0x7"')
})

test('a call that may have had an effect ends with an error that says so, and is not repeated', async () => {
  const relay = createRelay()
  const next = new FakeEndpoint()
  relay.moveTo(new FakeEndpoint())
  const answer = relay.connect().handle(call('devnet_tick', [], 'seven'))
  await settle()
  relay.moveTo(next)
  expect(JSON.parse((await answer) ?? '')).toEqual({
    jsonrpc: '2.0',
    id: 'seven',
    error: {
      code: 4900,
      message:
        'the tab that ran the node has gone while devnet_tick was under way; whether it took effect is not known',
    },
  })
  expect(next.received).toEqual([])
})

test('a held node answers earlier calls; later ones wait for the next node', async () => {
  const relay = createRelay()
  let finish = () => {}
  const slow = new Promise<void>((resolve) => {
    finish = resolve
  })
  const held = new FakeEndpoint({ devnet_tick: () => 'ticked' })
  relay.moveTo({
    connect: (push) => {
      const connection = held.connect(push)
      return { ...connection, handle: (body) => slow.then(() => connection.handle(body)) }
    },
  })
  const connection = relay.connect()
  const before = connection.handle(call('devnet_tick'))
  await settle()
  relay.hold()
  const after = [connection, relay.connect()].map((one) => one.handle(call('eth_blockNumber')))
  finish()
  expect(await before).toContain('ticked')
  relay.leave()
  relay.moveTo(new FakeEndpoint({ eth_blockNumber: () => '0x7' }))
  expect(await Promise.all(after)).toEqual(after.map(() => '{"jsonrpc":"2.0","id":1,"result":"0x7"}'))
  expect(held.received).toHaveLength(1)
})

test('a batch is repeated only if every call may be', async () => {
  const relay = createRelay()
  relay.moveTo(new FakeEndpoint())
  const connection = relay.connect()
  const reads = `[${call('eth_chainId', [], 1)},${call('eth_blockNumber', [], 2)}]`
  const mixed = `[${call('eth_chainId', [], 1)},${call('evm_mine', [], 2)},{"jsonrpc":"2.0","method":"eth_chainId"}]`
  void connection.handle(reads)
  const answer = connection.handle(mixed)
  await settle()
  relay.leave()
  const failures = JSON.parse((await answer) ?? '') as JsonRpcFailure[]
  expect(failures.map(({ id, error }) => [id, error.code])).toEqual([
    [1, 4900],
    [2, 4900],
  ])
  expect(failures[0]?.error.message).toContain('while evm_mine was under way')
  const received: string[] = []
  relay.moveTo({
    connect: () => ({
      handle: async (body) => {
        received.push(body)
        return '[]'
      },
      close() {},
    }),
  })
  await settle()
  expect(received).toEqual([reads])
})

test('an unknown method is not called twice', async () => {
  const relay = createRelay()
  relay.moveTo(new FakeEndpoint())
  const answer = relay.connect().handle(call('eth_unheardOf'))
  await settle()
  relay.leave()
  expect(errorOf(await answer).code).toBe(4900)
})

test.each(['already known', 'nonce too low'])(
  'when a repeated transaction is refused with “%s” but the chain has it, it was accepted',
  async (message) => {
    const relay = createRelay()
    relay.moveTo(new FakeEndpoint())
    const answer = relay.connect().handle(call('eth_sendRawTransaction', ['0xf86c']))
    await settle()
    relay.moveTo(
      new FakeEndpoint({
        eth_sendRawTransaction: () => ({ error: { code: -32000, message } }),
        web3_sha3: ([raw]) => `hash of ${String(raw)}`,
        chain_transactionStatus: ([hash]) => ({ status: hash === 'hash of 0xf86c' ? 'Known' : 'Unknown' }),
      }),
    )
    expect(await answer).toBe('{"jsonrpc":"2.0","id":1,"result":"hash of 0xf86c"}')
  },
)

test('when a repeated transaction is refused and not on the chain, it was refused; one sent once is never looked up', async () => {
  const relay = createRelay()
  const refusing = () =>
    new FakeEndpoint({
      eth_sendRawTransaction: () => ({ error: { code: -32000, message: 'nonce too low' } }),
      web3_sha3: () => '0xhash',
      chain_transactionStatus: () => ({ status: 'Unknown' }),
    })
  relay.moveTo(new FakeEndpoint())
  const twice = relay.connect().handle(call('eth_sendRawTransaction', ['0xf86c']))
  await settle()
  const node = refusing()
  relay.moveTo(node)
  expect(errorOf(await twice)).toEqual({ code: -32000, message: 'nonce too low' })
  node.received.length = 0
  expect(errorOf(await relay.connect().handle(call('eth_sendRawTransaction', ['0x01']))).message).toBe('nonce too low')
  expect(node.received).toEqual([call('eth_sendRawTransaction', ['0x01'])])
})

test('subscriptions continue at the next node under their own ids, which are never reused', async () => {
  const relay = createRelay()
  const [first, second] = [nodeWithSubscriptions(), nodeWithSubscriptions()]
  const seen: unknown[] = []
  relay.moveTo(first)
  const connection = relay.connect((body) => seen.push((JSON.parse(body) as JsonRpcNotification).params))
  const subscribe = async (kind: string) =>
    (JSON.parse((await connection.handle(call('eth_subscribe', [kind]))) ?? '') as { result: string }).result
  expect(await subscribe('newHeads')).toBe('0x1')
  expect(await subscribe('logs')).toBe('0x2')
  await connection.handle(call('eth_unsubscribe', ['0x1']))

  relay.leave()
  relay.moveTo(second)
  await settle()
  // Only the active subscription; this node calls it 0x1, an id that the caller knew for another one.
  expect(second.received).toEqual([call('eth_subscribe', ['logs'])])
  second.notify('0x1', 'a log')
  expect(seen).toEqual([{ subscription: '0x2', result: 'a log' }])
  const fresh = await subscribe('newHeads')
  expect(['0x1', '0x2']).not.toContain(fresh)
  second.notify('0x2', 'a head')
  expect(seen.at(-1)).toEqual({ subscription: fresh, result: 'a head' })

  await connection.handle(call('eth_unsubscribe', ['0x2']))
  expect(second.received.at(-1)).toBe(call('eth_unsubscribe', ['0x1']))
  second.notify('0x1', 'for nobody')
  expect(seen).toHaveLength(2)
})

test('a subscription that the next node refuses ends with its error', async () => {
  const relay = createRelay()
  relay.moveTo(nodeWithSubscriptions())
  const seen: string[] = []
  const connection = relay.connect((body) => seen.push(body))
  await connection.handle(call('eth_subscribe', ['newHeads']))
  relay.moveTo(nodeWithSubscriptions({ eth_subscribe: () => ({ error: { code: -32602, message: 'no such kind' } }) }))
  await settle()
  expect(seen.map((body) => JSON.parse(body) as unknown)).toEqual([
    {
      jsonrpc: '2.0',
      method: 'eth_subscription',
      params: { subscription: '0x1', error: { code: -32602, message: 'no such kind' } },
    },
  ])
})

test('a subscription refused by a node that was left meanwhile continues at the next one', async () => {
  const relay = createRelay()
  relay.moveTo(nodeWithSubscriptions())
  const seen: string[] = []
  const connection = relay.connect((body) => seen.push(body))
  await connection.handle(call('eth_subscribe', ['newHeads']))
  let refuse = (_refusal: unknown) => {}
  const refusal = new Promise((resolve) => {
    refuse = resolve
  })
  relay.moveTo(nodeWithSubscriptions({ eth_subscribe: () => refusal }))
  const next = nodeWithSubscriptions()
  relay.moveTo(next)
  refuse({ error: { code: -32000, message: 'the connection is closed' } })
  await settle()
  next.notify('0x1', 'a head')
  expect(seen).toEqual([
    '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":"a head"}}',
  ])
})

test('a caller that reads too slowly loses the subscription and is told once', async () => {
  const relay = createRelay()
  const node = nodeWithSubscriptions()
  relay.moveTo(node)
  const seen: string[] = []
  const connection = relay.connect((body) => seen.push(body) < 2)
  await connection.handle(call('eth_subscribe', ['newHeads']))
  for (let i = 0; i < 4; i++) node.notify('0x1', i)
  expect(seen).toHaveLength(3)
  expect(seen[2]).toContain('its notifications are read too slowly')
  expect(node.received.at(-1)).toBe(call('eth_unsubscribe', ['0x1']))
})

test('without a node, calls fail with code 4900 until there is one again', async () => {
  const relay = createRelay()
  const connection = relay.connect()
  const waiting = connection.handle(call('eth_chainId'))
  relay.refuse('nobody is there')
  expect(errorOf(await waiting)).toEqual({ code: 4900, message: 'nobody is there' })
  expect(errorOf(await connection.handle('not JSON'))).toMatchObject({ code: 4900 })
  expect(await connection.handle('{"jsonrpc":"2.0","method":"eth_chainId"}')).toBeUndefined()
  expect(errorOf(await relay.connect().handle(call('eth_chainId')))).toMatchObject({ code: 4900 })
  relay.moveTo(new FakeEndpoint({ eth_chainId: () => '0x1' }))
  expect(await connection.handle(call('eth_chainId'))).toContain('"0x1"')
})
