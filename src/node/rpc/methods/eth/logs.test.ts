import { getContractAddress } from 'viem'
import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { signLogger } from '#testing/node/rpc/log-contract.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const [A, B, C] = [toWord(0xa), toWord(0xb), toWord(0xc)]
const ZERO_HASH = toWord(0)
const contract = (nonce: number) =>
  getContractAddress({ from: devAccount(0).address, nonce: BigInt(nonce) }).toLowerCase()

/** Block 1 logs A and B, block 2 nothing, block 3 logs B; C is pre-confirmed in block 4. */
async function createChain(): Promise<TestNode> {
  const node = await createTestNode({ mode: 'manual' })
  const { request } = node
  await request('eth_sendRawTransaction', [await signLogger(0, 0, A, B)])
  await request('devnet_tick', [20])
  await request('eth_sendRawTransaction', [await signLogger(0, 1, B)])
  await request('devnet_tick', [10])
  await request('eth_sendRawTransaction', [await signLogger(0, 2, C)])
  await request('devnet_tick')
  return node
}

const topics = (logs: readonly unknown[]) =>
  (logs as readonly { topics: readonly string[] }[]).map((log) => log.topics[0])

test.each([
  [{}, [B]],
  [{ fromBlock: '0x0' }, [A, B, B]],
  [{ fromBlock: null, toBlock: null, address: null, topics: null }, [B]],
  [{ fromBlock: 'earliest', toBlock: '0x2' }, [A, B]],
  [{ fromBlock: '0x2', toBlock: '0x2' }, []],
  [{ fromBlock: 'earliest', toBlock: 'safe' }, []],
  [{ fromBlock: '0x0', toBlock: 'pending' }, [A, B, B, C]],
  [{ fromBlock: 'latest', toBlock: 'pending' }, [B, C]],
  [{ toBlock: 'pending' }, [B, C]],
  [{ fromBlock: 'pending', toBlock: 'pending' }, [C]],
  [{ fromBlock: '0x4', toBlock: 'pending' }, [C]],
  [{ fromBlock: '0x0', toBlock: '0x4' }, [A, B, B, C]],
  [{ fromBlock: '0x4' }, [C]],
  [{ fromBlock: '0x0', topics: [A] }, [A]],
  [{ fromBlock: '0x0', toBlock: 'pending', topics: [[A, C]] }, [A, C]],
  [{ fromBlock: '0x0', topics: [null, A] }, []],
  [{ fromBlock: '0x0', address: contract(1) }, [B]],
  [{ fromBlock: '0x0', address: [contract(0), contract(1)], topics: [B] }, [B, B]],
  [{ fromBlock: '0x0', address: devAccount(0).address }, []],
])('eth_getLogs of %j', async (query, expected) => {
  const { request } = await createChain()
  expect(topics(await request('eth_getLogs', [query]))).toEqual(expected)
})

test('logs are those of the receipts, pre-confirmed or sealed, by range or by hash', async () => {
  const { request } = await createChain()
  const receipts = async (block: string) =>
    (await request('eth_getBlockReceipts', [block]))?.flatMap(({ logs }) => logs)
  const live = await request('eth_getLogs', [{ fromBlock: 'pending', toBlock: 'pending' }])
  expect(live).toEqual(await receipts('pending'))
  expect(live).toMatchObject([{ blockHash: ZERO_HASH, blockNumber: '0x4', data: '0x2a', removed: false }])

  await request('devnet_tick', [10])
  const { hash } = (await request('eth_getBlockByNumber', ['0x4', false])) ?? {}
  const sealed = await request('eth_getLogs', [{ blockHash: hash }])
  expect(sealed).toEqual(live.map((log) => ({ ...log, blockHash: hash })))
  expect(await request('eth_getLogs', [{ fromBlock: '0x4', toBlock: 'pending' }])).toEqual(sealed)
})

test.each([
  [[], -32602, 'missing value for required argument 0'],
  [['0x1'], -32602, 'invalid argument 0: json: cannot unmarshal string into Go value of type filters.input'],
  [[{ fromBlock: '0x2', toBlock: '0x1' }], -32602, 'invalid block range params'],
  [[{ fromBlock: 'pending' }], -32602, 'invalid block range params'],
  [[{ blockHash: toWord(1) }], -32000, 'unknown block'],
  [
    [{ blockHash: toWord(1), fromBlock: '0x1' }],
    -32602,
    'invalid argument 0: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other',
  ],
  [[{ topics: [A, A, A, A, A] }], -32602, 'invalid argument 0: exceed max topics'],
  [
    [{ topics: [Array.from({ length: 1001 }, () => A)] }],
    -32602,
    'invalid argument 0: exceed max addresses or topics per search position',
  ],
  [[{ fromBlock: '1' }], -32602, 'invalid argument 0: hex string without 0x prefix'],
])('eth_getLogs %# is refused', async (params, code, message) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request('eth_getLogs', params)).rejects.toMatchObject({ error: { code, message } })
})

test.each([
  [{ fromBlock: '0x0', toBlock: '0x5' }, 'block range extends beyond current head block'],
  [{ fromBlock: '0x4', toBlock: '0x9' }, 'block range extends beyond current head block'],
  [{ fromBlock: '0x5' }, 'block range extends beyond current head block'],
  [{ fromBlock: '0x5', toBlock: 'pending' }, 'block range extends beyond current head block'],
  [{ fromBlock: '0x9', toBlock: '0x8' }, 'invalid block range params'],
  [{ fromBlock: 'latest', toBlock: '0x2' }, 'invalid block range params'],
  [{ fromBlock: 'pending' }, 'invalid block range params'],
  [{ fromBlock: 'latest', toBlock: 'earliest' }, 'invalid block range params'],
])('eth_getLogs of %j, with block 4 the live one, is refused', async (query, message) => {
  const { request } = await createChain()
  await expect(request('eth_getLogs', [query])).rejects.toMatchObject({ error: { code: -32602, message } })
})

test('a filter returns each log once, when its block is sealed', async () => {
  const { request } = await createChain()
  const id = await request('eth_newFilter', [{ topics: [[A, C]] }])
  const poll = () => request('eth_getFilterChanges', [id])
  expect(await poll()).toEqual([])
  await request('devnet_tick', [10])
  const changes = await poll()
  expect(changes).toEqual(await request('eth_getLogs', [{ fromBlock: '0x4' }]))
  expect(topics(changes)).toEqual([C])
  await request('devnet_tick', [10])
  expect(await poll()).toEqual([])
})

test('a filter up to pending returns each log once, when it is pre-confirmed', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const id = await request('eth_newFilter', [{ fromBlock: '0x0', toBlock: 'pending' }])
  await request('eth_sendRawTransaction', [await signLogger(0, 0, A)])
  await request('devnet_tick')
  const changes = await request('eth_getFilterChanges', [id])
  expect(changes).toMatchObject([{ topics: [A], blockHash: ZERO_HASH }])
  await request('devnet_tick', [10])
  expect(await request('eth_getFilterChanges', [id])).toEqual([])
})

test('eth_getFilterLogs returns all logs of the query, polled or not', async () => {
  const { request } = await createChain()
  const id = await request('eth_newFilter', [{ fromBlock: '0x1', topics: [B] }])
  await request('eth_getFilterChanges', [id])
  expect(topics(await request('eth_getFilterLogs', [id]))).toEqual([B, B])
  const blocks = await request('eth_newBlockFilter')
  await expect(request('eth_getFilterLogs', [blocks])).rejects.toMatchObject({
    error: { code: -32000, message: 'filter not found' },
  })
})

test('filters for blocks and for transactions return everything since the last poll', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const [blocks, hashes, full] = [
    await request('eth_newBlockFilter'),
    await request('eth_newPendingTransactionFilter'),
    await request('eth_newPendingTransactionFilter', [true]),
  ]
  expect(new Set([blocks, hashes, full]).size).toBe(3)
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  const pooled = await request('eth_getTransactionByHash', [hash])
  await request('devnet_tick', [20])
  const sealed = [
    (await request('eth_getBlockByNumber', ['0x1', false]))?.hash,
    (await request('eth_getBlockByNumber', ['0x2', false]))?.hash,
  ]
  expect(await request('eth_getFilterChanges', [blocks])).toEqual(sealed)
  expect(await request('eth_getFilterChanges', [hashes])).toEqual([hash])
  expect(await request('eth_getFilterChanges', [full])).toEqual([pooled])
  for (const id of [blocks, hashes, full]) expect(await request('eth_getFilterChanges', [id])).toEqual([])
})

test('any connection of the node can poll a filter; an uninstalled one is gone for all', async () => {
  const { node, request } = await createTestNode({ mode: 'manual' })
  const id = await request('eth_newBlockFilter')
  const other = node.connect()
  const call = async (method: string): Promise<unknown> =>
    JSON.parse((await other.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [id] }))) ?? '')
  expect(await call('eth_getFilterChanges')).toMatchObject({ result: [] })
  expect(await call('eth_uninstallFilter')).toMatchObject({ result: true })
  expect(await call('eth_uninstallFilter')).toMatchObject({ result: false })
  await expect(request('eth_getFilterChanges', [id])).rejects.toMatchObject({
    error: { code: -32000, message: 'filter not found' },
  })
})

test.each([
  [{ fromBlock: '0x2', toBlock: '0x1' }],
  [{ fromBlock: 'pending' }],
  [{ fromBlock: 'pending', toBlock: 'latest' }],
  [{ fromBlock: 'latest', toBlock: '0x9' }],
  [{ toBlock: 'earliest' }],
])('a filter for %j is refused, as nothing can follow', async (query) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request('eth_newFilter', [query])).rejects.toMatchObject({
    error: { code: -32602, message: 'invalid block range params' },
  })
})
