import { createPublicClient, custom, type Hash } from 'viem'
import { expect, test } from 'vitest'
import type { RpcConnection } from '#rpc-types/connection.ts'
import type { JsonRpcResponse, JsonRpcSuccess } from '#rpc-types/envelope.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { parseFate } from './fault.ts'
import { playFate } from './play.ts'

/** A dapp on a chain while a fate is played. */
async function begin(fate: string, options = {}) {
  const { node, request } = await createTestNode({ mode: 'manual', ...options })
  const play = await playFate([{ name: 'chain', node }], parseFate(fate))
  const events: { readonly subscription: string; readonly result?: unknown; readonly error?: unknown }[] = []
  const connection = play.endpointOf('chain').connect((body) => {
    events.push((JSON.parse(body) as { readonly params: (typeof events)[number] }).params)
  })
  const client = createPublicClient({
    transport: custom(providerOf(connection), { retryCount: 0 }),
    pollingInterval: 1,
  })
  return { node, request, play, connection, client, events }
}

const providerOf = (connection: RpcConnection) => ({
  async request({ method, params = [] }: { method: string; params?: unknown }) {
    const body = await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const answer = JSON.parse(body ?? '{}') as JsonRpcResponse
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.result
  },
})

/** What a client sees of a transaction. */
type Client = Awaited<ReturnType<typeof begin>>['client']
async function look(client: Client, hash: Hash) {
  const [tx, receipt] = await Promise.all([
    client.request({ method: 'eth_getTransactionByHash', params: [hash] }),
    client.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
  ])
  if (receipt) return Number(receipt.blockHash) === 0 ? 'pre-confirmed' : 'sealed'
  return tx ? 'waiting' : 'unknown'
}

test('a fate of no faults changes nothing', async () => {
  const { play, client } = await begin('')
  const hash = await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  expect(await look(client, hash)).toBe('waiting')
  await play.tick('chain')
  expect(await look(client, hash)).toBe('pre-confirmed')
  await play.seal('chain')
  expect(await look(client, hash)).toBe('sealed')
  expect(play.recording.acts.map(({ kind }) => kind)).toEqual(['send', ...Array.from({ length: 10 }, () => 'tick')])
})

test('withdraw: a pre-confirmed transaction waits again', async () => {
  const { play, client } = await begin('withdraw@2')
  const hash = await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  await play.tick('chain')
  expect(await look(client, hash)).toBe('pre-confirmed')
  await play.tick('chain')
  expect(await look(client, hash)).toBe('waiting')
  await play.tick('chain')
  expect(await look(client, hash)).toBe('pre-confirmed')
  expect(play.happened).toMatchObject([{ tick: 2, effect: true, what: '1 transaction withdrawn from block 1' }])
})

test.each([
  ['lose@0', 0, 'unknown'],
  ['lose@1', 1, 'unknown'],
  ['lose@11', 11, 'unknown'],
  ['late@0', 5, 'waiting'],
  ['reorg@11', 11, 'waiting'],
  ['withdraw@11', 11, 'sealed'],
])('%s: after %i ticks the transaction is %s', async (fate, ticks, state) => {
  const { play, client } = await begin(fate)
  const hash = await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  await play.tick('chain', Math.max(1, ticks))
  expect(await look(client, hash)).toBe(state)
})

test.each(['replace@0', 'replace@1', 'replace@11'])('%s: another transaction takes its place', async (fate) => {
  const { play, client } = await begin(fate)
  const hash = await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  await play.settle()
  expect(play.happened).toMatchObject([{ effect: true }])
  expect(await look(client, hash)).toBe('unknown')
  const block = await client.getBlock({ includeTransactions: true })
  expect(await client.getTransactionCount({ address: block.transactions[0]?.from ?? '0x' })).toBe(1)
})

test('refuse: the node never gets the transaction', async () => {
  const { play, client } = await begin('refuse@send1')
  const serializedTransaction = await signTransfer(0, 0)
  await expect(client.sendRawTransaction({ serializedTransaction })).rejects.toThrow('txpool is full')
  await play.settle()
  expect(await client.getBlockNumber()).toBe(0n)
  const hash = await client.sendRawTransaction({ serializedTransaction })
  await play.settle()
  expect(await look(client, hash)).toBe('sealed')
})

test('lost-answer: the node has taken the transaction, and the client does not know', async () => {
  const { play, client } = await begin('lost-answer@send1')
  const serializedTransaction = await signTransfer(0, 0)
  await expect(client.sendRawTransaction({ serializedTransaction })).rejects.toThrow('request timed out')
  await expect(client.sendRawTransaction({ serializedTransaction })).rejects.toThrow('already known')
  await play.settle()
  expect(await client.getBlock()).toMatchObject({ transactions: [expect.any(String)] })
})

test('late-answer: the answer comes after two ticks', async () => {
  const { play, client } = await begin('late-answer@send1')
  let answered = false
  const sending = client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) }).finally(() => {
    answered = true
  })
  await expect.poll(() => play.held).toBe(1)
  await play.tick('chain')
  expect(answered).toBe(false)
  await play.tick('chain')
  expect(await look(client, await sending)).toBe('pre-confirmed')
  expect(play.held).toBe(0)
})

test('no-pending: reads at pending are answered as at latest', async () => {
  const { play, client } = await begin('no-pending@0')
  const hash = await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  await play.tick('chain')
  expect(await look(client, hash)).toBe('waiting')
  expect(await client.getTransaction({ hash })).toMatchObject({ blockNumber: null, transactionIndex: null })
  await play.settle()
  expect(await look(client, hash)).toBe('sealed')
})

test('lag: every second read is a block behind', async () => {
  const { play, client, request } = await begin('lag@10')
  const hash = await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  await play.tick('chain', 10)
  expect(await request('eth_blockNumber')).toBe('0x1')
  const numbers = []
  for (let i = 0; i < 4; i++) numbers.push(await client.request({ method: 'eth_blockNumber' }))
  expect(numbers).toEqual(['0x0', '0x1', '0x0', '0x1'])
  const receipts = []
  for (let i = 0; i < 2; i++)
    receipts.push(await client.request({ method: 'eth_getTransactionReceipt', params: [hash] }))
  expect(receipts).toEqual([null, expect.anything()])
})

test.each([
  ['', [1, 1, 1]],
  ['lost-event@1', [0, 1, 1]],
  ['double-event@1', [2, 1, 1]],
  ['silent-stream@1', [1, 0, 0]],
  ['broken-stream@1', [2, 0, 0]],
])('%j: a subscription tells of three ticks %j times', async (fate, counts) => {
  const { play, client, events } = await begin(fate)
  await client.request({ method: 'eth_subscribe', params: ['newPartialBlocks'] } as never)
  await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  const seen = []
  for (const _ of counts) {
    events.length = 0
    await play.tick('chain')
    seen.push(events.filter(({ result, error }) => result ?? error).length)
  }
  expect(seen).toEqual(counts)
})

test('broken-stream: subscriptions end, and begin again once it is over', async () => {
  const { play, client, events } = await begin('broken-stream@1')
  const subscribe = () => client.request({ method: 'eth_subscribe', params: ['newHeads'] } as never)
  await subscribe()
  await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  await play.tick('chain')
  expect(events).toMatchObject([{ error: { message: 'the stream is broken, subscribe again later' } }])
  await expect(subscribe()).rejects.toThrow('the stream is broken')
  await play.tick('chain', 10)
  await subscribe()
  events.length = 0
  await play.seal('chain')
  expect(events).toMatchObject([{ result: { number: '0x2' } }])
})

test('silent-stream: blocks are told while partial blocks are not', async () => {
  const { play, client, events } = await begin('silent-stream@0')
  const heads = await client.request({ method: 'eth_subscribe', params: ['newHeads'] } as never)
  await client.request({ method: 'eth_subscribe', params: ['newPartialBlocks'] } as never)
  await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  await play.tick('chain', 10)
  expect(events.map(({ subscription }) => subscription)).toEqual([heads])
  expect(play.happened).toMatchObject([{ effect: true }])
  await play.tick('chain')
  expect(events).toHaveLength(2)
})

test('faults of one moment happen in the order of the fate', async () => {
  const { play, client } = await begin('withdraw@1,lose@1')
  const hash = await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  await play.tick('chain')
  expect(await look(client, hash)).toBe('unknown')
  expect(play.happened.map(({ effect }) => effect)).toEqual([true, true])
})

test('faults that find nothing, and those whose moment has not come, say so', async () => {
  const { play, client } = await begin('withdraw@1,reorg@1,late@1,lose@40')
  await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  await play.tick('chain')
  expect(play.happened).toMatchObject([
    { tick: 1, effect: true },
    { tick: 1, effect: false, what: 'it found nothing to act on' },
    { tick: 1, effect: true, what: '1 transaction not taken for 10 ticks' },
    { tick: undefined, effect: false, what: 'its moment has not come' },
  ])
  await play.settle()
  expect(play.happened[3]).toMatchObject({ tick: 40, effect: true })
})

test('no fault goes back behind the beginning of the fate', async () => {
  const { node, request } = await createTestNode({ mode: 'manual' })
  await request('devnet_seal', [3])
  const play = await playFate([{ name: 'chain', node }], parseFate('reorg@1'))
  const connection = play.endpointOf('chain').connect()
  const raw = await signTransfer(0, 0)
  await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] }))
  await play.tick('chain')
  expect(play.happened).toMatchObject([{ effect: false }])
  expect(await request('eth_blockNumber')).toBe('0x3')
})

test('the test’s own calls meet no fault, and its changes are recorded', async () => {
  const { play } = await begin('refuse@send1,lag@0')
  const own = play.truthOf('chain').connect()
  const raw = await signTransfer(0, 0)
  const send = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] }
  expect(JSON.parse((await own.handle(JSON.stringify(send))) ?? '')).toHaveProperty('result')
  expect(play.recording.acts).toEqual([{ kind: 'change', chain: 'chain', method: send.method, params: [raw] }])
})

test('a transaction that is sent and awaited in one call counts as sent before it is answered', async () => {
  const { play, connection } = await begin('withdraw@1')
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransactionSync', params: [await signTransfer(0, 0)] }
  const answer = connection.handle(JSON.stringify(body))
  await expect.poll(() => play.sentOn('chain').length).toBe(1)
  await play.tick('chain')
  expect(play.happened).toMatchObject([{ tick: 1, effect: true }])
  expect(await answer).toContain('transactionHash')
})

test('members of a batch meet faults each on its own, and keep their ids', async () => {
  const { play, connection } = await begin('refuse@send1,lost-answer@send2,no-pending@0')
  const [first, second] = [await signTransfer(0, 0), await signTransfer(0, 1)]
  const call = (id: string, method: string, params: unknown) =>
    `{"jsonrpc":"2.0",${id}"method":"${method}","params":${JSON.stringify(params)}}`
  const send = (id: string, raw: string) => call(id, 'eth_sendRawTransaction', [raw])
  const body = `[${send('"id":12345678901234567890,', first)},${send('"id":"\\u0061",', first)},1,[],${send('', second)},${call('"id":null,', 'eth_chainId', [])}]`
  expect(await connection.handle(body)).toBe(
    '[{"jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32000,"message":"txpool is full"}},' +
      '{"jsonrpc":"2.0","id":"\\u0061","error":{"code":-32002,"message":"request timed out"}},' +
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}},' +
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}},' +
      '{"jsonrpc":"2.0","id":null,"result":"0x7a69"}]',
  )
  await play.tick('chain')
  const reads = `[${call('"id":1e0,', 'eth_getTransactionCount', ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'pending'])}]`
  expect(await connection.handle(reads)).toBe('[{"jsonrpc":"2.0","id":1,"result":"0x0"}]')
})

test('with a clock that runs, faults act when a tick comes', async () => {
  const { node, clock, request } = await createTestNode()
  const play = await playFate([{ name: 'chain', node }], parseFate('withdraw@2,reorg@12'))
  const connection = play.endpointOf('chain').connect()
  const raw = await signTransfer(0, 0)
  const send = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] }
  const { result: hash } = JSON.parse((await connection.handle(JSON.stringify(send))) ?? '') as JsonRpcSuccess
  await clock.advance(400)
  await expect.poll(() => play.happened[0]).toMatchObject({ tick: 2, effect: true })
  expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()
  await clock.advance(2_000)
  await expect.poll(() => play.happened[1]).toMatchObject({ tick: 12, effect: true })
  expect(await request('eth_blockNumber')).toBe('0x0')
})

test('settle ends: with a transaction that nothing can take, and with faults that last', async () => {
  const { play, client } = await begin('lag@1')
  await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0, { maxFeePerGas: 1n, tip: 1n }) })
  await play.settle()
  expect(play.recording.acts.filter(({ kind }) => kind === 'tick').length).toBeLessThan(120)
  expect(play.standingOf('chain')).not.toContain('lag')
})

test('after a fate is over its endpoints pass everything on', async () => {
  const { play, client } = await begin('late-answer@send1,refuse@send2,no-pending@0')
  const sending = client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  await expect.poll(() => play.held).toBe(1)
  play.close()
  await sending
  await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 1) })
  expect(
    await client.getTransactionCount({ address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', blockTag: 'pending' }),
  ).toBe(2)
})

test('a reader that does not read loses its subscription, as without a fate', async () => {
  const { node } = await createTestNode({ mode: 'manual' })
  const play = await playFate([{ name: 'chain', node }], parseFate('double-event@2'))
  const told: string[] = []
  const connection = play.endpointOf('chain').connect((body) => {
    told.push(body)
    return false
  })
  const call = (method: string, params: readonly unknown[]) =>
    connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  await call('eth_subscribe', ['newPartialBlocks'])
  await call('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await play.tick('chain', 3)
  expect(told).toHaveLength(2)
  expect(told[1]).toContain('read too slowly')
})

test('a fate of a thousand faults is played, one more is refused', async () => {
  const thousand = Array.from({ length: 1_000 }, (_, at) => ({ kind: 'withdraw' as const, at: (at % 20) + 1 }))
  const { node } = await createTestNode({ mode: 'manual' })
  const play = await playFate([{ name: 'chain', node }], thousand)
  const connection = play.endpointOf('chain').connect()
  const raw = await signTransfer(0, 0)
  await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] }))
  await play.settle()
  expect(play.happened.filter(({ effect }) => effect).length).toBeGreaterThan(10)
  const more = [...thousand, { kind: 'lose' as const, at: 1 }]
  await expect(playFate([{ name: 'chain', node }], more)).rejects.toThrow('a fate has at most 1000 faults, not 1001')
})

test('chains that there are not, and two of one name, are refused', async () => {
  const { node } = await createTestNode({ mode: 'manual' })
  const chain = { name: 'l1', node }
  await expect(playFate([chain], parseFate('base:lose@1'))).rejects.toThrow(
    'a fault meets the chain base, there are l1',
  )
  await expect(playFate([chain, chain], [])).rejects.toThrow('the same name')
  await expect(playFate([], [])).rejects.toThrow('at least one chain')
  const play = await playFate([chain], [])
  expect(() => play.endpointOf('base')).toThrow('there is no chain "base", there are l1')
  await expect(play.tick('l1', 0)).rejects.toThrow(RangeError)
})

test('a replacement that the sender cannot pay is said to be refused, and the play goes on', async () => {
  const { play, client, request } = await begin('replace@0')
  // Enough for the transaction alone.
  await request('anvil_setBalance', ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '210000000000001'])
  const hash = await client.sendRawTransaction({ serializedTransaction: await signTransfer(0, 0) })
  await play.settle()
  expect(play.happened[0]?.what).toMatch(/^the chain refused: insufficient funds/)
  expect(await look(client, hash)).toBe('sealed')
})
