import { keccak256, parseTransaction } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { devSigner } from '#client/signing/dev-signer.ts'
import type { Hex } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { forgetOwn, useOwnTransactions } from '#ui/own/own-transactions.ts'
import type { CompleteTransaction } from './complete.ts'
import { sendBatch } from './send-composed.ts'

const TX: CompleteTransaction = {
  to: `0x${'ab'.repeat(20)}`,
  value: 1n,
  data: '0x',
  type: '2',
  chainId: 31_337,
  nonce: 3,
  gas: 21_000n,
  feeCap: 10n,
  tip: 1n,
}

/** A node whose account is at nonce 7; it accepts only the given number of transactions. */
function fakeNode(accepts = Number.POSITIVE_INFINITY) {
  const nonces: (number | undefined)[] = []
  const { provider } = createProvider(async (body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest & { readonly params: readonly Hex[] }
    const answer = (part: object) => JSON.stringify({ jsonrpc: '2.0', id, ...part })
    if (method === 'eth_getTransactionCount') return answer({ result: '0x7' })
    if (nonces.length === accepts) return answer({ error: { code: -32000, message: 'txpool is full' } })
    const raw = params[0] ?? '0x'
    nonces.push(parseTransaction(raw).nonce)
    return answer({ result: keccak256(raw) })
  })
  return { provider, nonces }
}

const batch = { sender: devSigner(0), tx: TX, copies: 3 }

beforeEach(forgetOwn)

test('copies have consecutive nonces from the chosen one on', async () => {
  const { provider, nonces } = fakeNode()
  const { hashes, failure } = await sendBatch(provider, { ...batch, automaticNonce: false })
  expect(nonces).toEqual([3, 4, 5])
  expect(failure).toBeUndefined()
  expect(useOwnTransactions.getState().sent.map(({ hash }) => hash)).toEqual(hashes.toReversed())
})

test('without a chosen nonce they start at the next nonce at the time of signing', async () => {
  const { provider, nonces } = fakeNode()
  await sendBatch(provider, { ...batch, automaticNonce: true })
  expect(nonces).toEqual([7, 8, 9])
})

test('a batch ends at the first refusal, and reports what was accepted before', async () => {
  const { provider, nonces } = fakeNode(2)
  const { hashes, failure } = await sendBatch(provider, { ...batch, automaticNonce: false })
  expect(nonces).toEqual([3, 4])
  expect(hashes).toHaveLength(2)
  expect(failure).toMatchObject({ code: -32000, message: 'txpool is full' })
})
