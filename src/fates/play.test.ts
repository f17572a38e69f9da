import { createPublicClient, custom, type Hash } from 'viem'
import { expect, test } from 'vitest'
import type { RpcConnection } from '#rpc-types/connection.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { parseFate } from './fault.ts'
import { playFate } from './play.ts'

/** A dapp on a chain while a fate is played. */
async function begin(fate: string, options = {}) {
  const { node, request } = await createTestNode({ mode: 'manual', ...options })
  const play = await playFate([{ name: 'chain', node }], parseFate(fate))
  const events: { readonly subscription: string; readonly result?: unknown; readonly error?: unknown }[] = []
  const connection = play.endpointOf('chain').connect((body) => {
    events.push(JSON.parse(body).params)
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
    const { result, error } = JSON.parse(body ?? '{}')
    if (error) throw Object.assign(new Error(error.message), error)
    return result
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
  expect(play.recording.acts.map(({ kind }) => kind)).toEqual(['send', ...Array(10).fill('tick')])
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
  ['broken-stream@1', [1, 1, 0]],
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
  if (fate === 'broken-stream@1') expect(seen).toEqual([2, 0, 0])
  else expect(seen).toEqual(counts)
})
