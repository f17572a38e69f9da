import { beforeAll, expect, test } from 'vitest'
import type { LatestReading } from '#rpc-types/connection.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'

// One chain, read over two connections: a transfer and a deployment are pre-confirmed, the block is not sealed yet.

const SENDER = devAccount(0).address
const PAID = `0x${'ab'.repeat(20)}` as const
/** Stores 42 in slot 0; its code returns that on every call. */
const CREATION = '0x602a600055600b6011600039600b6000f360005460005260206000f3'
const CREATED = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const WORD_42 = `0x${'2a'.padStart(64, '0')}`

let node: TestNode
const asked: { [Reading in LatestReading]?: (method: string, ...params: readonly unknown[]) => Promise<unknown> } = {}

beforeAll(async () => {
  node = await createTestNode({ mode: 'manual' })
  const creation = devAccount(0).signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce: 0,
    gas: 200_000n,
    data: CREATION,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1n,
  })
  await node.request('devnet_tick', [10])
  await node.request('eth_sendRawTransaction', [await creation])
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 1, { to: PAID, value: 7n })])
  await node.request('devnet_tick')
  for (const latest of ['sealed', 'preconfirmed'] as const) {
    const connection = node.node.connect(undefined, { latest })
    asked[latest] = async (method, ...params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const answer = JSON.parse((await connection.handle(body)) ?? 'null') as JsonRpcResponse
      return 'error' in answer ? answer.error : answer.result
    }
  }
})

async function both(method: string, ...params: readonly unknown[]) {
  return { sealed: await asked.sealed?.(method, ...params), live: await asked.preconfirmed?.(method, ...params) }
}

test.each([
  ['eth_getBalance', [PAID], '0x0', '0x7'],
  ['eth_getTransactionCount', [SENDER], '0x0', '0x2'],
  ['eth_getCode', [CREATED], '0x', '0x60005460005260206000f3'],
  ['eth_getStorageAt', [CREATED, '0x0'], `0x${'0'.repeat(64)}`, WORD_42],
  ['eth_call', [{ to: CREATED }], '0x', WORD_42],
] as const)(
  '%s at latest, explicit or by default, reads the live block if the connection says so',
  async (method, params, sealed, live) => {
    expect(await both(method, ...params, 'latest')).toEqual({ sealed, live })
    expect(await both(method, ...params)).toEqual({ sealed, live })
    expect(await both(method, ...params, 'pending')).toEqual({ sealed: live, live })
  },
)

test('so do slot values, proofs and access lists', async () => {
  const values = await both('eth_getStorageValues', { [CREATED]: ['0x0'] }, 'latest')
  expect(values.live).toEqual({ [CREATED]: [WORD_42] })
  expect(values.sealed).toEqual({ [CREATED]: [`0x${'0'.repeat(64)}`] })
  const proofs = await both('eth_getProof', CREATED, ['0x0'], 'latest')
  expect(proofs).toMatchObject({ sealed: { nonce: '0x0' }, live: { nonce: '0x1', storageProof: [{ value: '0x2a' }] } })
  const lists = await both('eth_createAccessList', { from: SENDER, to: CREATED }, 'latest')
  expect(lists).toMatchObject({ sealed: { accessList: [] }, live: { accessList: [{ address: CREATED }] } })
})

test('so do estimates at latest; estimates without a block read the live block on every connection', async () => {
  const transfer = { from: PAID, to: SENDER, value: '0x7', gasPrice: '0x0' }
  const { sealed, live } = await both('eth_estimateGas', transfer, 'latest')
  expect(live).toBe('0x5208')
  expect(sealed).toHaveProperty('message', expect.stringContaining('insufficient funds'))
  expect(await both('eth_estimateGas', transfer)).toEqual({ sealed: '0x5208', live: '0x5208' })
})

test('so do simulations and traced calls', async () => {
  const blocks = [{ calls: [{ to: CREATED }] }]
  expect(await both('eth_simulateV1', { blockStateCalls: blocks }, 'latest')).toMatchObject({
    sealed: [{ number: '0x2', calls: [{ returnData: '0x' }] }],
    live: [{ number: '0x3', calls: [{ returnData: WORD_42 }] }],
  })
  const tracer = { tracer: 'callTracer' }
  const traces = await both('debug_traceCall', { to: CREATED }, 'latest', tracer)
  expect(traces.live).toHaveProperty('output', WORD_42)
  expect(traces.sealed).not.toHaveProperty('output')
})

test('the fee history ends with the live block', async () => {
  expect(await both('eth_feeHistory', '0x1', 'latest')).toMatchObject({
    sealed: { oldestBlock: '0x1', gasUsedRatio: [0] },
    live: { oldestBlock: '0x2', gasUsedRatio: [expect.any(Number)] },
  })
})

test('blocks and the head are still those of the newest sealed block', async () => {
  for (const [method, ...params] of [
    ['eth_blockNumber'],
    ['eth_getBlockByNumber', 'latest', false],
    ['eth_getBlockReceipts', 'latest'],
    ['eth_getBlockTransactionCountByNumber', 'latest'],
  ] as const) {
    const { sealed, live } = await both(method, ...params)
    expect(live, method).toEqual(sealed)
  }
  expect(await asked.preconfirmed?.('eth_blockNumber')).toBe('0x1')
})

test('safe, finalized, earliest and numbers are not affected', async () => {
  for (const ref of ['safe', 'finalized', 'earliest', '0x1']) {
    expect(await both('eth_getBalance', PAID, ref)).toEqual({ sealed: '0x0', live: '0x0' })
  }
})

test('a batch and a connection with notifications read the same way', async () => {
  const pushing = node.node.connect(() => true, { latest: 'preconfirmed' })
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [PAID, 'latest'] }
  const answer = await pushing.handle(JSON.stringify([call, { ...call, id: 2 }]))
  expect(JSON.parse(answer ?? '')).toMatchObject([{ result: '0x7' }, { result: '0x7' }])
  pushing.close()
})
