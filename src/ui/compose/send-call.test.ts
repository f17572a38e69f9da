import { parseTransaction } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { devSigner } from '#client/signing/dev-signer.ts'
import { type Hex, toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { forgetOwn } from '#ui/own/own-transactions.ts'
import { sendCall } from './send-call.ts'

const CONTRACT = `0x${'cc'.repeat(20)}` as const

interface Asked {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A node that estimates 100,000 gas or refuses to; `nonces` has its answers about the next nonce, in order. */
function createNode({ refuses = false, nonces = ['0x7'] }: { refuses?: boolean; nonces?: string[] } = {}) {
  const sent: Hex[] = []
  const asked: Asked[] = []
  const { provider } = createProvider(async (body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest & Asked
    asked.push({ method, params })
    const results: Record<string, () => unknown> = {
      eth_chainId: () => '0x2105',
      eth_getTransactionCount: () => nonces[Math.min(sent.length, nonces.length - 1)],
      eth_getBalance: () => '0xde0b6b3a7640000',
      eth_maxPriorityFeePerGas: () => '0x1',
      eth_getBlockByNumber: () => ({ baseFeePerGas: '0x64' }),
      eth_estimateGas: () => '0x186a0',
      eth_sendRawTransaction: () => toWord(sent.push(params[0] as Hex)),
    }
    const answer =
      refuses && method === 'eth_estimateGas'
        ? { error: { code: 3, message: 'execution reverted', data: '0xdeadbeef' } }
        : { result: results[method]?.() }
    return JSON.stringify({ jsonrpc: '2.0', id, ...answer })
  })
  return { provider, sent, asked }
}

beforeEach(forgetOwn)

test('a call is signed with the next nonce and a fifth more gas than estimated', async () => {
  const { provider, sent } = createNode()
  await sendCall(provider, { sender: devSigner(0), to: CONTRACT, value: 5n, data: '0x1234' })
  expect(parseTransaction(sent[0] as Hex)).toMatchObject({
    type: 'eip1559',
    nonce: 7,
    to: CONTRACT,
    value: 5n,
    data: '0x1234',
    gas: 120_000n,
    maxPriorityFeePerGas: 1n,
  })
})

test('a new contract has no recipient', async () => {
  const { provider, sent, asked } = createNode()
  await sendCall(provider, { sender: devSigner(0), to: null, value: 0n, data: '0x6000' })
  expect(parseTransaction(sent[0] as Hex).to).toBeUndefined()
  expect(asked.find(({ method }) => method === 'eth_estimateGas')?.params[0]).not.toHaveProperty('to')
})

test('a call that would revert is not sent, unless a gas limit is given', async () => {
  const { provider, sent } = createNode({ refuses: true })
  const call = { sender: devSigner(0), to: CONTRACT, value: 0n, data: '0x' } as const
  await expect(sendCall(provider, call)).rejects.toMatchObject({ code: 3, data: '0xdeadbeef' })
  expect(sent).toEqual([])
  await sendCall(provider, { ...call, gas: 300_000n })
  expect(parseTransaction(sent[0] as Hex).gas).toBe(300_000n)
})

test('two concurrent calls use two nonces', async () => {
  const { provider, sent } = createNode({ nonces: ['0x7', '0x8'] })
  const call = { sender: devSigner(0), to: CONTRACT, value: 0n, data: '0x' } as const
  await Promise.all([sendCall(provider, call), sendCall(provider, call)])
  expect(sent.map((raw) => parseTransaction(raw).nonce)).toEqual([7, 8])
})
