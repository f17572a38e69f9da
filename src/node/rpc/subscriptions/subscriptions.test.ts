import { getContractAddress } from 'viem'
import { expect, test } from 'vitest'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const MANUAL = { mode: 'manual' } as const
const TOPIC = `0x${'0'.repeat(63)}7`
const BASE_FIELDS = [
  'parentHash miner mixHash number gasLimit timestamp extraData baseFeePerGas parentBeaconBlockRoot',
].flatMap((line) => line.split(' '))

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Everything that the subscription has pushed so far. */
const results = ({ notifications }: TestNode, id: unknown) =>
  notifications.filter(({ subscription }) => subscription === id).map(({ result }) => result)

/** Creates a contract whose constructor logs TOPIC. */
const signLogger = (nonce: number) =>
  devAccount(0).signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce,
    gas: 200_000n,
    data: `0x7f${TOPIC.slice(2)}5f5fa100`,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1n,
  })

test('newly pre-confirmed transactions arrive as hashes, each once', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const id = await request('eth_subscribe', ['newPartialBlockTransactions'])
  const first = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  expect(results(node, id)).toEqual([])
  await request('devnet_tick')
  expect(results(node, id)).toEqual([first])
  const more = [
    await request('eth_sendRawTransaction', [await signTransfer(0, 1, { tip: 5n })]),
    await request('eth_sendRawTransaction', [await signTransfer(1, 0, { tip: 4n })]),
  ]
  await request('devnet_tick', [25])
  expect(results(node, id)).toEqual([first, ...more])
})

test('with true they arrive in full, with their outcomes', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const id = await request('eth_subscribe', ['newPartialBlockTransactions', true])
  const hash = await request('eth_sendRawTransaction', [await signLogger(0)])
  await request('devnet_tick')
  const receipt = await request('eth_getTransactionReceipt', [hash])
  if (!receipt) throw new Error('no receipt')
  const { logs, logsBloom, gasUsed, cumulativeGasUsed, status, contractAddress } = receipt
  expect(logs).toHaveLength(1)
  expect(results(node, id)).toEqual([
    {
      ...(await request('eth_getTransactionByHash', [hash])),
      ...{ logs, logsBloom, gasUsed, cumulativeGasUsed, status, contractAddress },
    },
  ])
})

test('with a filter only transactions with matching logs arrive', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const subscribe = (filter: object) => request('eth_subscribe', ['newPartialBlockTransactions', filter])
  const byTopic = await subscribe({ topics: [TOPIC] })
  const byEither = await subscribe({ topics: [[`0x${'0'.repeat(64)}`, TOPIC]] })
  const everyLog = await subscribe({})
  const tooMany = await subscribe({ topics: [null, null] })
  const elsewhere = await subscribe({ address: devAccount(0).address, topics: [TOPIC] })
  await request('eth_sendRawTransaction', [await signTransfer(1, 0)])
  const logger = await request('eth_sendRawTransaction', [await signLogger(0)])
  await request('devnet_tick')
  for (const id of [byTopic, byEither, everyLog]) expect(results(node, id)).toMatchObject([{ hash: logger }])
  for (const id of [tooMany, elsewhere]) expect(results(node, id)).toEqual([])

  const contract = getContractAddress({ from: devAccount(0).address, nonce: 1n })
  const there = await subscribe({ address: [`0x${'00'.repeat(20)}`, contract] })
  const next = await request('eth_sendRawTransaction', [await signLogger(1)])
  await request('devnet_tick')
  expect(results(node, there)).toMatchObject([{ hash: next, to: null }])
})

test('partial blocks arrive as diffs: first the whole block, then the changes at each index', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const early = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_tick')
  const id = await request('eth_subscribe', ['newPartialBlocks'])
  const late = await request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  await request('devnet_tick')
  const live = await request('eth_getBlockByNumber', ['pending', true])
  const base = Object.fromEntries(Object.entries(live ?? {}).filter(([name]) => BASE_FIELDS.includes(name)))
  const [first] = results(node, id)
  expect(Object.keys(base)).toHaveLength(BASE_FIELDS.length)
  expect(first).toEqual({
    index: 2,
    payloadId: expect.stringMatching(/^0x[0-9a-f]{16}$/) as unknown,
    base,
    diff: {
      blockHash: live?.hash,
      stateRoot: live?.stateRoot,
      transactionsRoot: live?.transactionsRoot,
      receiptsRoot: live?.receiptsRoot,
      logsBloom: live?.logsBloom,
      gasUsed: '0xa410',
      blobGasUsed: '0x0',
      size: live?.size,
      transactions: live?.transactions,
      receipts: await request('eth_getBlockReceipts', ['pending']),
    },
    metadata: { blockNumber: '0x1', transactionCount: 2, cutAtMs: node.clock.now(), tookMs: 0 },
  })
  expect(live?.transactions).toMatchObject([{ hash: early }, { hash: late }])

  const third = await request('eth_sendRawTransaction', [await signTransfer(0, 2)])
  await request('devnet_tick', [9])
  const [second, ...rest] = results(node, id).slice(1)
  expect(second).not.toHaveProperty('base')
  expect(second).toMatchObject({
    index: 3,
    metadata: { transactionCount: 3 },
    diff: { transactions: [{ hash: third }] },
  })
  const indices = rest.map((diff) => isObject(diff) && [diff['index'], 'base' in diff, diff['payloadId']])
  const payloadIds = indices.map((entry) => entry && entry[2])
  expect(indices.map((entry) => entry && entry.slice(0, 2))).toEqual([
    ...[4, 5, 6, 7, 8, 9].map((index) => [index, false]),
    [0, true],
    [1, false],
  ])
  expect(new Set(payloadIds).size).toBe(2)
  expect(rest.at(-1)).toMatchObject({ diff: { transactions: [], receipts: [] }, metadata: { transactionCount: 0 } })
})

test('each subscription to diffs has its own first message', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  await request('devnet_tick')
  const one = await request('eth_subscribe', ['newPartialBlocks', 'diff'])
  await request('devnet_tick')
  const two = await request('eth_subscribe', ['newPartialBlocks'])
  await request('devnet_tick')
  const bases = (id: unknown) => results(node, id).map((diff) => isObject(diff) && 'base' in diff)
  expect(bases(one)).toEqual([true, false])
  expect(bases(two)).toEqual([true])
})

test('partial blocks arrive whole on request, also under the name in Base', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const ours = await request('eth_subscribe', ['newPartialBlocks', 'block'])
  const theirs = await request('eth_subscribe', ['newFlashblocks'])
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_tick')
  const live = await request('eth_getBlockByNumber', ['pending', true])
  expect(live?.transactions).toHaveLength(1)
  expect(results(node, ours)).toEqual([live])
  expect(results(node, theirs)).toEqual([live])
})

test('the name in Base for pre-confirmed transactions works, too', async () => {
  const node = await createTestNode(MANUAL)
  const id = await node.request('eth_subscribe', ['newFlashblockTransactions'])
  const hash = await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.request('devnet_tick')
  expect(results(node, id)).toEqual([hash])
})

test('sealed blocks arrive as headers', async () => {
  const node = await createTestNode(MANUAL)
  const id = await node.request('eth_subscribe', ['newHeads'])
  await node.request('devnet_tick', [20])
  const heads = []
  for (const number of ['0x1', '0x2']) {
    const block = await node.request('eth_getBlockByNumber', [number, false])
    const body = new Set(['transactions', 'uncles', 'withdrawals', 'size'])
    heads.push(Object.fromEntries(Object.entries(block ?? {}).filter(([name]) => !body.has(name))))
  }
  expect(results(node, id)).toEqual(heads)
})

test('pooled transactions arrive at once, as hashes or in full', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const hashes = await request('eth_subscribe', ['newPendingTransactions'])
  const full = await request('eth_subscribe', ['newPendingTransactions', true])
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  expect(results(node, hashes)).toEqual([hash])
  expect(results(node, full)).toEqual([await request('eth_getTransactionByHash', [hash])])
})

test('an unknown kind is refused', async () => {
  const { request } = await createTestNode(MANUAL)
  await expect(request('eth_subscribe', ['newThings'])).rejects.toMatchObject({
    error: { code: -32601, message: 'no "newThings" subscription in eth namespace' },
  })
})

test('a connection may have a thousand subscriptions, and one more is refused with a clear message', async () => {
  const node = await createTestNode({ mode: 'manual' })
  const [first] = await Promise.all(Array.from({ length: 1_000 }, () => node.request('eth_subscribe', ['newHeads'])))
  await expect(node.request('eth_subscribe', ['newHeads'])).rejects.toMatchObject({
    error: {
      code: -32005,
      message: 'too many subscriptions of one connection: at most 1000, unsubscribe from some first',
    },
  })
  await node.request('eth_unsubscribe', [first])
  await node.request('eth_subscribe', ['newHeads'])
})

test('receipts come in lists with each partial block, and again with the sealed block', async () => {
  const node = await createTestNode(MANUAL)
  const { request } = node
  const all = await request('eth_subscribe', ['transactionReceipts'])
  const hashes = [
    await request('eth_sendRawTransaction', [await signTransfer(0, 0, { tip: 5n })]),
    await request('eth_sendRawTransaction', [await signTransfer(1, 0, { tip: 4n })]),
  ]
  const [first, second] = hashes
  const one = await request('eth_subscribe', [
    'transactionReceipts',
    { transactionHashes: [second, `0x${'ab'.repeat(32)}`] },
  ])
  await request('devnet_tick')
  const preconfirmed = await request('eth_getBlockReceipts', ['pending'])
  expect(preconfirmed?.map(({ transactionHash }) => transactionHash)).toEqual([first, second])
  expect(results(node, all)).toEqual([preconfirmed])
  expect(results(node, one)).toEqual([[preconfirmed?.[1]]])
  await request('devnet_tick')
  const third = await request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  await request('devnet_tick', [10])
  const sealed = await request('eth_getBlockReceipts', ['latest'])
  const [, later, whole] = results(node, all)
  expect(later).toMatchObject([{ transactionHash: third, blockHash: `0x${'00'.repeat(32)}` }])
  expect(whole).toEqual(sealed)
  expect(results(node, one)).toEqual([[preconfirmed?.[1]], [sealed?.[1]]])
  // Blocks without transactions say nothing.
  await request('devnet_tick', [20])
  expect(results(node, all)).toHaveLength(3)
})

test.each([
  [5, 'json: cannot unmarshal number into Go value of type filters.TransactionReceiptsQuery'],
  [{ transactionHashes: 5 }, 'json: cannot unmarshal number into Go struct field'],
  [{ transactionHashes: ['0x1'] }, 'json: cannot unmarshal hex string of odd length'],
  [
    { transactionHashes: Array.from({ length: 201 }, () => `0x${'ab'.repeat(32)}`) },
    'exceed max number of transaction hashes',
  ],
])('receipts of %j are refused', async (query, message) => {
  const { requestLoosely } = await createTestNode(MANUAL)
  await expect(requestLoosely('eth_subscribe', ['transactionReceipts', query])).rejects.toMatchObject({
    error: { code: -32602, message: expect.stringContaining(message) as string },
  })
})

test('a chain that has nothing to catch up with tells nothing of it', async () => {
  const node = await createTestNode(MANUAL)
  const id = await node.request('eth_subscribe', ['syncing'])
  await node.request('devnet_tick', [25])
  expect(results(node, id)).toEqual([])
  expect(await node.request('eth_unsubscribe', [id])).toBe(true)
  await expect(node.requestLoosely('eth_subscribe', ['syncing', true])).rejects.toMatchObject({
    error: { code: -32602 },
  })
})
