import { expect, test } from 'vitest'
import document from '#node/rpc/openrpc.json'
import { toQuantity } from '#primitives/hex.ts'
import type { LatestReading } from '#rpc-types/connection.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import type { RpcLog } from '#rpc-types/objects.ts'
import { createTestNode, devAccount } from '#testing/node/test-node.ts'

// Every way from the receipt of a pre-confirmed transaction to its block: each method of the contract that takes a block's
// number, and each that takes a range of blocks, in both readings of `latest`, before and after the seal.

const SENDER = devAccount(0).address
/** Stores 42 in slot 0, and has a log without topics; its code returns 42. */
const CREATION = '0x602a60005560006000a0600b6016600039600b6000f360005460005260206000f3'
const CREATED = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const CALL = { from: SENDER, to: CREATED }
const BLOCK = Symbol('the place of the block')
const AT_BLOCK = Symbol('the place of an object with the block')

/** Arguments of each method that takes a block, with a mark in the place of the block. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  debug_executionWitness: [BLOCK],
  debug_getRawBlock: [BLOCK],
  debug_getRawHeader: [BLOCK],
  debug_getRawReceipts: [BLOCK],
  debug_storageRangeAt: [BLOCK, 1, CREATED, '0x', 10],
  debug_traceBlockByNumber: [BLOCK, { tracer: 'callTracer' }],
  debug_traceCall: [CALL, BLOCK, { tracer: 'callTracer' }],
  devnet_getPartialBlocks: [BLOCK],
  erigon_getHeaderByNumber: [BLOCK],
  eth_call: [CALL, BLOCK],
  eth_callMany: [[{ transactions: [CALL] }], AT_BLOCK],
  eth_createAccessList: [CALL, BLOCK],
  eth_estimateGas: [CALL, BLOCK],
  eth_feeHistory: ['0x2', BLOCK, [50]],
  eth_getAccount: [CREATED, BLOCK],
  eth_getAccountInfo: [CREATED, BLOCK],
  eth_getBalance: [SENDER, BLOCK],
  eth_getBlockByNumber: [BLOCK, true],
  eth_getBlockReceipts: [BLOCK],
  eth_getBlockTransactionCountByNumber: [BLOCK],
  eth_getCode: [CREATED, BLOCK],
  eth_getHeaderByNumber: [BLOCK],
  eth_getProof: [CREATED, ['0x0'], BLOCK],
  eth_getRawTransactionByBlockNumberAndIndex: [BLOCK, '0x0'],
  eth_getStorageAt: [CREATED, '0x0', BLOCK],
  eth_getStorageValues: [{ [CREATED]: ['0x0'] }, BLOCK],
  eth_getTransactionByBlockNumberAndIndex: [BLOCK, '0x0'],
  eth_getTransactionCount: [SENDER, BLOCK],
  eth_getUncleByBlockNumberAndIndex: [BLOCK, '0x0'],
  eth_getUncleCountByBlockNumber: [BLOCK],
  eth_simulateV1: [{ blockStateCalls: [{ calls: [CALL] }] }, BLOCK],
  ots_getBlockDetails: [BLOCK],
  ots_getBlockTransactions: [BLOCK, 0, 10],
  ots_hasCode: [CREATED, BLOCK],
  trace_block: [BLOCK],
  trace_blockOpcodeGas: [BLOCK],
  trace_call: [CALL, ['trace'], BLOCK],
  trace_callMany: [[[CALL, ['trace']]], BLOCK],
  trace_replayBlockTransactions: [BLOCK, ['trace']],
}

/** Methods that answer null whatever the block. */
const HAS_NONE = new Set(['eth_getUncleByBlockNumberAndIndex'])

/** Whether a method says that there is no such block. */
const isRefused = (answer: unknown) => answer === null || answer === '0x' || Object.hasOwn(answer as object, 'error')

const takesBlock = ({ params }: (typeof document.methods)[number]) =>
  params.some(({ schema }) => /\/(?:BlockSelector|BlockNumberOrTag)"/.test(JSON.stringify(schema)))
const WALKED = document.methods.filter(takesBlock).map(({ name }) => name)

/** A chain with a pre-confirmed deployment, and what each reading answers. */
async function preconfirmed() {
  const node = await createTestNode({ mode: 'manual' })
  await node.request('devnet_tick', [10])
  const raw = await devAccount(0).signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce: 0,
    gas: 200_000n,
    data: CREATION,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1n,
  })
  const hash = await node.request('eth_sendRawTransaction', [raw])
  await node.request('devnet_tick')
  const receipt = await node.request('eth_getTransactionReceipt', [hash])
  const reader = (latest: LatestReading) => {
    const connection = node.node.connect(undefined, { latest })
    return async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const answer = JSON.parse((await connection.handle(body)) ?? 'null') as JsonRpcResponse
      return 'error' in answer ? { error: answer.error.message } : answer.result
    }
  }
  if (!receipt) throw new Error('the deployment is not pre-confirmed')
  return { ...node, receipt, number: receipt.blockNumber, sealed: reader('sealed'), live: reader('preconfirmed') }
}

test('the walk knows arguments for every method that takes a block', () => {
  expect(WALKED.toSorted()).toEqual(Object.keys(ARGUMENTS).toSorted())
})

test('where latest is pre-confirmed, the number of a receipt names its block in every method', async () => {
  const { number, sealed, live, request } = await preconfirmed()
  const at = (ref: unknown, [name, args]: readonly [string, readonly unknown[]]) =>
    [name, ...args.map((value) => (value === BLOCK ? ref : value === AT_BLOCK ? { blockNumber: ref } : value))] as const
  for (const call of WALKED.map((name) => [name, ARGUMENTS[name] ?? []] as const)) {
    const pending = await live(...at('pending', call))
    if (!HAS_NONE.has(call[0])) expect(isRefused(pending), call[0]).toBe(false)
    for (const ref of [number, Number(number)]) expect(await live(...at(ref, call)), call[0]).toEqual(pending)
    // Without that reading a block is sealed before its number names it.
    expect(isRefused(await sealed(...at(number, call))), call[0]).toBe(true)
    expect(isRefused(await live(...at(toQuantity(Number(number) + 1), call))), call[0]).toBe(true)
  }
  await request('devnet_tick', [10])
  for (const call of WALKED.map((name) => [name, ARGUMENTS[name] ?? []] as const)) {
    const answer = await sealed(...at(number, call))
    if (!HAS_NONE.has(call[0])) expect(isRefused(answer), call[0]).toBe(false)
    expect(await live(...at(number, call)), call[0]).toEqual(answer)
  }
})

test('ranges that name the block of a receipt have its logs and traces in both readings', async () => {
  const { number, receipt, sealed, live, request } = await preconfirmed()
  const before = toQuantity(Number(number) - 1)
  const after = toQuantity(Number(number) + 1)
  const ranges = [
    { fromBlock: number, toBlock: number },
    { fromBlock: before, toBlock: number },
    { fromBlock: 'earliest', toBlock: number },
    { fromBlock: number, toBlock: 'latest' },
    { fromBlock: number },
    { fromBlock: number, toBlock: 'pending' },
  ]
  const idsOf = async (ask: typeof live, filter: object) =>
    ((await ask('eth_getLogs', filter)) as readonly RpcLog[]).map(({ transactionHash }) => transactionHash)
  for (const range of ranges) {
    for (const ask of [sealed, live]) {
      expect(await idsOf(ask, range), JSON.stringify(range)).toEqual([receipt.transactionHash])
      expect(await ask('trace_filter', range), JSON.stringify(range)).toMatchObject([{ type: 'create' }])
      const filter = await ask('eth_newFilter', { ...range, toBlock: number, fromBlock: before })
      expect(await ask('eth_getFilterLogs', filter)).toMatchObject([{ transactionHash: receipt.transactionHash }])
    }
  }
  for (const range of [{}, { toBlock: 'latest' }, { fromBlock: 'latest' }, { fromBlock: before }]) {
    expect(await idsOf(live, range), JSON.stringify(range)).toEqual([receipt.transactionHash])
    expect(await idsOf(sealed, range), JSON.stringify(range)).toEqual([])
  }
  for (const ask of [sealed, live]) {
    const beyond = { error: 'block range extends beyond current head block' }
    expect(await ask('eth_getLogs', { fromBlock: number, toBlock: after })).toEqual(beyond)
    expect(await ask('eth_getLogs', { fromBlock: after })).toEqual(beyond)
  }
  await request('devnet_tick', [10])
  for (const range of ranges) {
    for (const ask of [sealed, live]) {
      expect(await idsOf(ask, range), JSON.stringify(range)).toEqual([receipt.transactionHash])
    }
  }
})

test('the number of the head is that of the newest sealed block in both readings', async () => {
  const { number, sealed, live } = await preconfirmed()
  const head = toQuantity(Number(number) - 1)
  for (const ask of [sealed, live]) {
    expect(await ask('eth_blockNumber')).toBe(head)
    expect(await ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ number: head })
  }
})
