import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { createTestNode } from '#testing/node/test-node.ts'

function isAnswer(value: unknown): value is JsonRpcResponse {
  if (typeof value !== 'object' || value === null) return false
  const { jsonrpc, id, result, error, ...rest } = value as Record<string, unknown>
  const idIsValid = id === null || typeof id === 'string' || typeof id === 'number'
  if (jsonrpc !== '2.0' || !idIsValid || Object.keys(rest).length > 0) return false
  if (error === undefined) return result !== undefined
  const { code, message } = error as Record<string, unknown>
  return result === undefined && Number.isInteger(code) && typeof message === 'string'
}

/** All except those that take time by design. */
const METHODS = [
  'web3_clientVersion net_version eth_chainId eth_blockNumber eth_gasPrice eth_maxPriorityFeePerGas eth_feeHistory',
  'eth_getBlockByNumber eth_getBlockByHash eth_getBlockTransactionCountByNumber eth_getBalance eth_getTransactionCount',
  'eth_getCode eth_getStorageAt eth_getProof eth_call eth_estimateGas eth_sendRawTransaction eth_getTransactionByHash',
  'eth_getTransactionReceipt eth_getBlockReceipts eth_accounts eth_subscribe eth_unsubscribe chain_transactionStatus',
  'devnet_status devnet_pause devnet_resume devnet_setSpeed devnet_faucet devnet_getTransactionTimeline txpool_content',
].flatMap((line) => line.split(' '))

const hexText = (min: number, max: number) =>
  fc
    .string({ unit: fc.constantFrom(...'0123456789abcdefAF'.split('')), minLength: min, maxLength: max })
    .map((s) => `0x${s}`)
const argument = fc.oneof(
  fc.constantFrom(
    'latest',
    'pending',
    'safe',
    'finalized',
    'earliest',
    'newHeads',
    'newPartialBlocks',
    '',
    '0x',
    '0x0',
  ),
  hexText(40, 40),
  hexText(64, 64),
  hexText(0, 70),
  fc.jsonValue(),
  fc.array(hexText(1, 66), { maxLength: 3 }),
  fc.array(fc.double({ min: -1, max: 101, noNaN: true }), { maxLength: 3 }),
  fc.record(
    {
      from: hexText(40, 40),
      to: fc.oneof(hexText(40, 40), fc.constant(null)),
      gas: fc.constantFrom('0x5208', '0x0', '0x100000', '0xffffffffffffffff'),
      gasPrice: fc.constantFrom('0x0', '0x1', '0x77359400'),
      maxFeePerGas: fc.constantFrom('0x0', '0x1', '0x77359400'),
      value: hexText(1, 5),
      data: hexText(0, 8),
      input: hexText(0, 8),
      accessList: fc.jsonValue(),
      authorizationList: fc.jsonValue(),
      address: fc.jsonValue(),
      topics: fc.jsonValue(),
      blockNumber: fc.constantFrom('latest', '0x0', 3),
      blockHash: hexText(64, 64),
    },
    { requiredKeys: [] },
  ),
)
const call = fc
  .record({ method: fc.constantFrom(...METHODS), params: fc.array(argument, { maxLength: 4 }) })
  .map(({ method, params }) => ({ jsonrpc: '2.0', id: 1, method, params }))

test('any text gets a well-formed JSON-RPC answer', async () => {
  const { raw, logged } = await createTestNode({ mode: 'manual' })
  const body = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(fc.oneof(call, fc.jsonValue())).map((b) => JSON.stringify(b)),
  )
  await fc.assert(
    fc.asyncProperty(body, async (text) => {
      const answer = await raw(text)
      if (answer === undefined) return
      const parsed: unknown = JSON.parse(answer)
      expect(Array.isArray(parsed) ? parsed.every(isAnswer) : isAnswer(parsed)).toBe(true)
    }),
    { numRuns: 300 },
  )
  expect(logged).toEqual([])
})

test('no wrong arguments cause an internal error', async () => {
  const { raw, logged } = await createTestNode({ mode: 'manual' })
  await fc.assert(
    fc.asyncProperty(call, async (message) => {
      const answer: unknown = JSON.parse((await raw(JSON.stringify(message))) ?? '')
      expect(isAnswer(answer)).toBe(true)
      expect(answer).not.toMatchObject({ error: { code: -32603 } })
    }),
    { numRuns: 1_500 },
  )
  expect(logged).toEqual([])
})
