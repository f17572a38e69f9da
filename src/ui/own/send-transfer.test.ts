import { parseTransaction } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import type { Hex } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { forgetOwn, useOwnTransactions } from './own-transactions.ts'
import { sendTransfer } from './send-transfer.ts'

const [sender, { address: to }] = DEV_ACCOUNTS as unknown as [(typeof DEV_ACCOUNTS)[number], { address: Hex }]
const HASH = `0x${'ab'.repeat(32)}`

/** A node that answers what waits when `answer` is called. */
function slowNode(balance: Hex, estimate: object = { result: '0x5208' }) {
  const results: Record<string, object> = {
    eth_chainId: { result: '0x2105' },
    eth_getTransactionCount: { result: '0x7' },
    eth_getBalance: { result: balance },
    eth_maxPriorityFeePerGas: { result: '0x1' },
    eth_getBlockByNumber: { result: { baseFeePerGas: '0x64' } },
    eth_estimateGas: estimate,
    eth_sendRawTransaction: { result: HASH },
  }
  const sent: Hex[] = []
  const waiting: (() => void)[] = []
  const { provider } = createProvider(async (body) => {
    const { id, method, params = [] } = JSON.parse(body) as JsonRpcRequest
    if (method === 'eth_sendRawTransaction') sent.push(params[0] as Hex)
    await new Promise<void>((resolve) => waiting.push(resolve))
    return JSON.stringify({ jsonrpc: '2.0', id, ...results[method] })
  })
  /** Answers, and lets whoever asked go on. */
  async function answer(): Promise<void> {
    for (const resolve of waiting.splice(0)) resolve()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { provider, sent, answer }
}

beforeEach(forgetOwn)

test('a transfer asks the node twice: for all that it needs, and to take it', async () => {
  const node = slowNode('0xde0b6b3a7640000')
  const hash = sendTransfer(node.provider, { sender, to, value: 5n })
  await Promise.resolve()
  await node.answer()
  expect(node.sent.map((raw) => parseTransaction(raw as `0x02${string}`))).toMatchObject([
    { chainId: 8453, nonce: 7, to, value: 5n, gas: 21_000n, maxFeePerGas: 201n },
  ])
  await node.answer()
  expect(await hash).toBe(HASH)
  expect(useOwnTransactions.getState().sent).toMatchObject([{ hash: HASH, from: sender.address, value: 5n }])
})

test('missing funds are said in words, whatever the estimate says', async () => {
  const node = slowNode('0x1', { error: { code: -32000, message: 'insufficient funds for transfer' } })
  const sending = sendTransfer(node.provider, { sender, to, value: 5n })
  const refusal = sending.catch((reason: unknown) => reason)
  await Promise.resolve()
  await node.answer()
  expect(await refusal).toHaveProperty('message', 'Account 0 has insufficient funds.')
  expect(node.sent).toEqual([])
})

test('a recipient that refuses is the error, and nothing is sent', async () => {
  const node = slowNode('0xde0b6b3a7640000', { error: { code: 3, message: 'execution reverted', data: '0x' } })
  const sending = sendTransfer(node.provider, { sender, to, value: 5n })
  const refusal = sending.catch((reason: unknown) => reason)
  await Promise.resolve()
  await node.answer()
  expect(await refusal).toHaveProperty('code', 3)
  expect(node.sent).toEqual([])
})
