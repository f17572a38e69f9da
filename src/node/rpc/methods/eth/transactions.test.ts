import { expect, test, vi } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'
import { COUNT_AT_PENDING } from '../../../tx/rejection.ts'

const ZERO_HASH = `0x${'0'.repeat(64)}`
const TOPIC = `0x${'0'.repeat(63)}7`
/** Init code that logs 42 under TOPIC, twice, and leaves no code. */
const LOG_TWICE = `0x602a600052${`7f${TOPIC.slice(2)}60206000a1`.repeat(2)}00` as const

const signDeployment = (nonce: number) =>
  devAccount(0).signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce,
    gas: 200_000n,
    data: LOG_TWICE,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1n,
  })

test('a transaction is in the mempool, then pre-confirmed, then sealed', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  const status = () => request('chain_transactionStatus', [hash])
  const transaction = () => request('eth_getTransactionByHash', [hash])
  const receipt = () => request('eth_getTransactionReceipt', [hash])

  const pooled = await transaction()
  expect(pooled).toMatchObject({ blockHash: null, blockNumber: null, transactionIndex: null, gasPrice: '0x2540be400' })
  expect(await receipt()).toBeNull()
  expect(await status()).toEqual({ status: 'Known' })

  await request('devnet_tick')
  const { baseFeePerGas } = (await request('eth_getBlockByNumber', ['pending', false])) ?? {}
  const gasPrice = `0x${(BigInt(baseFeePerGas ?? 0) + 1_000_000_000n).toString(16)}`
  expect(await transaction()).toEqual({ ...pooled, blockNumber: '0x1', transactionIndex: '0x0', gasPrice })
  const preconfirmed = await receipt()
  expect(preconfirmed).toEqual({
    type: '0x2',
    status: '0x1',
    transactionHash: hash,
    transactionIndex: '0x0',
    blockHash: ZERO_HASH,
    blockNumber: '0x1',
    from: devAccount(0).address.toLowerCase(),
    to: devAccount(9).address.toLowerCase(),
    contractAddress: null,
    cumulativeGasUsed: '0x5208',
    gasUsed: '0x5208',
    effectiveGasPrice: gasPrice,
    logs: [],
    logsBloom: `0x${'00'.repeat(256)}`,
  })
  expect(await request('eth_getBlockReceipts', ['pending'])).toEqual([preconfirmed])
  expect(await status()).toEqual({ status: 'Known' })

  await request('devnet_tick', [10])
  const block = await request('eth_getBlockByNumber', ['latest', false])
  expect(await transaction()).toEqual({
    ...pooled,
    gasPrice,
    blockHash: block?.hash,
    blockNumber: '0x1',
    blockTimestamp: block?.timestamp,
    transactionIndex: '0x0',
  })
  expect(await receipt()).toEqual({ ...preconfirmed, blockHash: block?.hash })
  expect(await status()).toEqual({ status: 'Known' })
})

test('a transaction that was never sent is unknown', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const hash = `0x${'12'.repeat(32)}`
  expect(await request('eth_getTransactionByHash', [hash])).toBeNull()
  expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()
  expect(await request('chain_transactionStatus', [hash])).toEqual({ status: 'Unknown' })
  expect(await request('devnet_getTransactionTimeline', [hash])).toBeNull()
})

test('the name that Base uses for the transaction status works, too', async () => {
  const { raw } = await createTestNode({ mode: 'manual' })
  const body = { jsonrpc: '2.0', id: 1, method: 'base_transactionStatus', params: [ZERO_HASH] }
  expect(await raw(JSON.stringify(body))).toBe('{"jsonrpc":"2.0","id":1,"result":{"status":"Unknown"}}')
})

test('logs are numbered through the block and have its timestamp; its hash only once it is sealed', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  await request('eth_sendRawTransaction', [await signDeployment(0)])
  const second = await request('eth_sendRawTransaction', [await signDeployment(1)])
  await request('devnet_tick')
  const live = await request('eth_getBlockByNumber', ['pending', false])
  const receipt = await request('eth_getTransactionReceipt', [second])
  const log = {
    address: receipt?.contractAddress,
    topics: [TOPIC],
    data: `0x${'0'.repeat(62)}2a`,
    blockHash: ZERO_HASH,
    blockNumber: '0x1',
    blockTimestamp: live?.timestamp,
    transactionHash: second,
    transactionIndex: '0x1',
    removed: false,
  }
  expect(receipt).toMatchObject({ to: null, status: '0x1' })
  expect(receipt?.contractAddress).toMatch(/^0x[0-9a-f]{40}$/)
  expect(receipt?.logs).toEqual([
    { ...log, logIndex: '0x2' },
    { ...log, logIndex: '0x3' },
  ])

  await request('devnet_tick', [10])
  const blockHash = (await request('eth_getBlockByNumber', ['latest', false]))?.hash
  expect(await request('eth_getTransactionReceipt', [second])).toEqual({
    ...receipt,
    blockHash,
    logs: receipt?.logs.map((entry) => ({ ...entry, blockHash })),
  })
})

test.each([
  ['already known', [[0, 0]], [0, 0]],
  ['nonce too low', [[0, 0], 'tick'], [0, 0, 5n]],
  ['replacement transaction underpriced', [[0, 0]], [0, 0, 5n]],
] as const)('a refused transaction: %s', async (message, before, [from, nonce, value]) => {
  const { request } = await createTestNode({ mode: 'manual' })
  for (const step of before) {
    if (step === 'tick') await request('devnet_tick')
    else await request('eth_sendRawTransaction', [await signTransfer(...step)])
  }
  const raw = await signTransfer(from, nonce, value === undefined ? {} : { value })
  await expect(request('eth_sendRawTransaction', [raw])).rejects.toMatchObject({ error: { code: -32000, message } })
})

test('the details of a refusal are in its data', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_seal')
  await expect(request('eth_sendRawTransaction', [await signTransfer(0, 0, { value: 2n })])).rejects.toMatchObject({
    error: { code: -32000, message: 'nonce too low', data: { nextNonce: '0x1', txNonce: '0x0' } },
  })
})

test('a sender that counted its nonce at latest is told where to count, until the block is sealed', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const first = await signTransfer(0, 0)
  const other = await signTransfer(0, 0, { value: 2n })
  const refused = (raw: Hex, data: unknown) =>
    expect(request('eth_sendRawTransaction', [raw])).rejects.toMatchObject({ error: { code: -32_000, data } })
  await request('eth_sendRawTransaction', [first])
  await expect(request('eth_sendRawTransaction', [first])).rejects.not.toHaveProperty('error.data')
  await request('devnet_tick')
  await refused(first, { hint: COUNT_AT_PENDING })
  await refused(other, { nextNonce: '0x1', txNonce: '0x0', hint: COUNT_AT_PENDING })
  await request('devnet_seal')
  await expect(request('eth_sendRawTransaction', [other])).rejects.not.toHaveProperty('error.data.hint')
})

test('the pool’s contents are sorted by sender and nonce', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const first = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  const gap = await request('eth_sendRawTransaction', [await signTransfer(0, 2)])
  const sender = devAccount(0).address
  expect(await request('txpool_content')).toEqual({
    pending: { [sender]: { 0: await request('eth_getTransactionByHash', [first]) } },
    queued: { [sender]: { 2: await request('eth_getTransactionByHash', [gap]) } },
  })
  await request('devnet_tick')
  expect(await request('txpool_content')).toMatchObject({ pending: {}, queued: { [sender]: { 2: { hash: gap } } } })
})

test('the pool is counted, described, and shown for one sender', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const sender = devAccount(0).address
  const to = devAccount(9).address
  const next = await request('eth_sendRawTransaction', [await signTransfer(0, 0, { value: 5n })])
  await request('eth_sendRawTransaction', [await signDeployment(2)])
  await request('eth_sendRawTransaction', [await signTransfer(1, 0)])
  expect(await request('txpool_status')).toEqual({ pending: '0x2', queued: '0x1' })
  const { pending, queued } = await request('txpool_inspect')
  expect(pending[sender]).toEqual({ 0: `${to}: 5 wei + 21000 gas × 10000000000 wei` })
  expect(queued).toEqual({ [sender]: { 2: 'contract creation: 0 wei + 200000 gas × 10000000000 wei' } })
  expect(Object.keys(pending)).toHaveLength(2)
  expect(await request('txpool_contentFrom', [devAccount(0).address])).toEqual({
    pending: { 0: await request('eth_getTransactionByHash', [next]) },
    queued: (await request('txpool_content')).queued[sender],
  })
  expect(await request('txpool_contentFrom', [to])).toEqual({ pending: {}, queued: {} })
})

test('a transaction is found by its sender and nonce wherever it stands, and the newest where a nonce came twice', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const sender = devAccount(0).address
  const found = (nonce: unknown) => request('eth_getTransactionBySenderAndNonce', [sender, nonce])
  expect(await found('0x0')).toBeNull()
  const hashes = []
  for (const nonce of [0, 1]) hashes.push(await request('eth_sendRawTransaction', [await signTransfer(0, nonce)]))
  await request('eth_sendRawTransaction', [await signTransfer(1, 0)])
  expect(await found('0x1')).toMatchObject({ hash: hashes[1], blockNumber: null })
  await request('devnet_tick')
  expect(await found(1)).toMatchObject({ hash: hashes[1], blockHash: null, blockNumber: '0x1' })
  await request('devnet_seal', [3])
  expect(await found('0x0')).toEqual(await request('eth_getTransactionByHash', [hashes[0]]))
  expect(await found('0x2')).toBeNull()
  await request('anvil_setNonce', [sender, 0])
  const again = await request('eth_sendRawTransaction', [await signTransfer(0, 0, { value: 2n })])
  expect(await found(0)).toMatchObject({ hash: again, blockNumber: null })
  await request('devnet_seal')
  expect(await found(0)).toMatchObject({ hash: again })
})

test('a search for a transaction ends when its time is up', async () => {
  const { request, clock } = await createTestNode({ mode: 'manual' })
  await request('devnet_seal', [50])
  let now = clock.now()
  vi.spyOn(clock, 'now').mockImplementation(() => (now += 500))
  await expect(request('eth_getTransactionBySenderAndNonce', [devAccount(0).address, '0x0'])).rejects.toMatchObject({
    error: { code: -32000, message: 'query timeout exceeded' },
  })
})

test('a header is also found by the name that Erigon gave the method', async () => {
  const { raw, request } = await createTestNode({ mode: 'manual' })
  await request('devnet_seal')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'erigon_getHeaderByNumber', params: ['0x1'] })
  const { result } = JSON.parse((await raw(body)) ?? '') as { result: unknown }
  expect(result).toEqual(await request('eth_getHeaderByNumber', ['0x1']))
})
