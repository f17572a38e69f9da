import { RLP } from '@ethereumjs/rlp'
import { expect, test } from 'vitest'
import { bigIntToBytes } from '#primitives/bytes.ts'
import { type Hex, hexToBytes } from '#primitives/hex.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import { type ChangeAnswer, forkOf } from '#testing/node/fork-of.ts'
import { createTestNode, type TestNode } from '#testing/node/test-node.ts'
import { keccak256Hex } from '../crypto/keccak.ts'

/** The transaction with which blocks of the OP Stack begin: type 0x7e, from nobody's key, without fees and a signature. */
const DEPOSIT = {
  type: '0x7e',
  hash: `0x${'d1'.repeat(32)}`,
  sourceHash: `0x${'d2'.repeat(32)}`,
  from: '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001',
  to: '0x4200000000000000000000000000000000000015',
  mint: '0x0',
  value: '0x0',
  gas: '0xf4240',
  gasPrice: '0x0',
  isSystemTx: false,
  input: '0x098999be',
  nonce: '0x1a2b3c',
  depositReceiptVersion: '0x1',
  v: '0x0',
  r: '0x0',
  s: '0x0',
  transactionIndex: '0x0',
  blockNumber: '0x3',
} as const
const RECEIPT = {
  type: '0x7e',
  transactionHash: DEPOSIT.hash,
  transactionIndex: '0x0',
  blockNumber: '0x3',
  status: '0x1',
  cumulativeGasUsed: '0xb1d6',
  gasUsed: '0xb1d6',
  effectiveGasPrice: '0x0',
  depositNonce: '0x1a2b3c',
  depositReceiptVersion: '0x1',
  l1BaseFeeScalar: '0x146b',
  l1BlobBaseFee: '0x3f5694c1f',
  contractAddress: null,
  logs: [],
}
const RAW = '0x7ef85aa0d2'

const HASHED = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom', 'difficulty'],
  ...[
    'number',
    'gasLimit',
    'gasUsed',
    'timestamp',
    'extraData',
    'mixHash',
    'nonce',
    'baseFeePerGas',
    'withdrawalsRoot',
  ],
  ...['blobGasUsed', 'excessBlobGas', 'parentBeaconBlockRoot', 'requestsHash'],
]
const QUANTITIES = new Set(
  'difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas'.split(' '),
)

/** A block whose header has another `extraData`, and the hash that belongs to it. */
function withExtraData(block: Readonly<Record<string, unknown>>, extraData: Hex) {
  const changed: Readonly<Record<string, unknown>> = { ...block, extraData }
  const items = HASHED.filter((name) => changed[name] !== undefined && changed[name] !== null).map((name) => {
    const value = changed[name] as Hex
    return QUANTITIES.has(name) ? bigIntToBytes(BigInt(value)) : hexToBytes(value)
  })
  return { ...changed, hash: keccak256Hex(RLP.encode(items)) }
}

/** A chain of the OP Stack: the states of a test's chain, in blocks with a deposit. */
function opStack(extraData: Hex): { readonly change: ChangeAnswer; readonly answers: ReadonlyMap<string, unknown> } {
  const answers = new Map<string, unknown>()
  const change: ChangeAnswer = (method, params, answer) => {
    const changed = answerOf(method, params, answer)
    answers.set(method, changed)
    return changed
  }
  function answerOf(method: string, [, full]: readonly unknown[], answer: unknown): unknown {
    switch (method) {
      case 'eth_getBlockByNumber':
      case 'eth_getBlockByHash':
        return {
          ...withExtraData(answer as Readonly<Record<string, unknown>>, extraData),
          transactions: [full === true ? DEPOSIT : DEPOSIT.hash],
        }
      case 'eth_getTransactionByHash':
      case 'eth_getTransactionByBlockNumberAndIndex':
        return DEPOSIT
      case 'eth_getTransactionReceipt':
        return RECEIPT
      case 'eth_getBlockReceipts':
        return [RECEIPT]
      case 'eth_getRawTransactionByHash':
        return RAW
      default:
        return answer
    }
  }
  return { change, answers }
}

async function originalChain(): Promise<TestNode> {
  const original = await createTestNode({ mode: 'manual' })
  await original.request('devnet_seal', [3])
  return original
}

test('deposits of the OP Stack, of type 0x7e, are read as the endpoint has them', async () => {
  const { change, answers } = opStack('0x00000000fa00000006')
  const { node } = await forkOf(await originalChain(), change)
  const calls: readonly (readonly [method: MethodName, params: readonly unknown[], expected?: unknown])[] = [
    ['eth_getBlockByNumber', ['latest', true]],
    ['eth_getBlockByNumber', ['0x1', false]],
    ['eth_getTransactionByHash', [DEPOSIT.hash], DEPOSIT],
    ['eth_getTransactionByBlockNumberAndIndex', ['latest', '0x0'], DEPOSIT],
    ['eth_getTransactionReceipt', [DEPOSIT.hash], RECEIPT],
    ['eth_getBlockReceipts', ['0x3'], [RECEIPT]],
    ['eth_getRawTransactionByHash', [DEPOSIT.hash], RAW],
  ]
  for (const [method, params, expected] of calls) {
    // Methods that are not in the contract of our own chain.
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { result } = JSON.parse((await node.raw(body)) ?? '{}') as { readonly result?: unknown }
    expect(result, method).toEqual(answers.get(method))
    if (expected !== undefined) expect(result, method).toEqual(expected)
  }
  await node.request('devnet_seal')
  expect(await node.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
    number: '0x4',
    transactions: [],
  })
})

test.each<[what: string, extraData: Hex, denominator: bigint, minimum: bigint]>([
  ['Holocene’s 9 bytes', '0x000000003200000002', 50n, 0n],
  ['Holocene’s zeros, which stand for the chain’s own', '0x000000000000000000', 250n, 0n],
  ['Jovian’s 17 bytes, with a minimum', '0x0100000032000000020000000077359400', 50n, 2_000_000_000n],
  ['any other text', '0x626c6f636b', 8n, 0n],
])('the base fee after the fork follows from %s in extraData', async (_what, extraData, denominator, minimum) => {
  const { change } = opStack(extraData)
  const original = await originalChain()
  const { baseFeePerGas = '0x0' } = (await original.request('eth_getBlockByNumber', ['latest', false])) ?? {}
  const { node } = await forkOf(original, change)
  // The fork's block is empty.
  const fallen = BigInt(baseFeePerGas) - BigInt(baseFeePerGas) / denominator
  const pending = await node.request('eth_getBlockByNumber', ['pending', false])
  expect(BigInt(pending?.baseFeePerGas ?? 0)).toBe(fallen > minimum ? fallen : minimum)
})
