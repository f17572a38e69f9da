import { parseTransaction } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { devSigner } from '#client/signing/dev-signer.ts'
import { type Hex, toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { handIn } from './hand-in.ts'
import { useImpersonated } from './impersonated.ts'
import { forgetOwn, useOwnTransactions } from './own-transactions.ts'

const STRANGER = `0x${'cd'.repeat(20)}` as const
const TO = `0x${'ab'.repeat(20)}` as const
const TX = {
  type: 'eip1559',
  chainId: 31_337,
  nonce: 0,
  to: TO,
  value: 0n,
  data: '0x1234',
  gas: 30_000n,
  maxFeePerGas: 10n,
  maxPriorityFeePerGas: 1n,
} as const
const TOLD = { from: STRANGER, to: TO, value: 0n }
const stranger = { source: 'impersonated', address: STRANGER } as const

/** A node; `refuses` has errors by method. */
function fakeNode(refuses: Readonly<Record<string, { code: number; message: string }>> = {}) {
  const asked: { readonly method: string; readonly params: readonly unknown[] }[] = []
  const { provider } = createProvider(async (body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest & { readonly params: readonly unknown[] }
    asked.push({ method, params })
    const error = refuses[method]
    return JSON.stringify({ jsonrpc: '2.0', id, ...(error ? { error } : { result: toWord(asked.length) }) })
  })
  return { provider, asked }
}

beforeEach(() => {
  forgetOwn()
  useImpersonated.setState(new Set(), true)
})

test('a transaction of a key is signed here and handed in as bytes', async () => {
  const { provider, asked } = fakeNode()
  await handIn(provider, devSigner(0), TX, TOLD)
  expect(asked.map(({ method }) => method)).toEqual(['eth_sendRawTransaction'])
  expect(parseTransaction(asked[0]?.params[0] as Hex)).toMatchObject({ to: TO, data: '0x1234', gas: 30_000n })
  expect([...useImpersonated.getState()]).toEqual([])
})

test('for an account without a key the chain is asked to send, with every field, also those that are 0', async () => {
  const { provider, asked } = fakeNode()
  const hash = await handIn(provider, stranger, TX, TOLD)
  expect(asked).toEqual([
    { method: 'anvil_impersonateAccount', params: [STRANGER] },
    {
      method: 'eth_sendTransaction',
      params: [
        {
          from: STRANGER,
          type: '0x2',
          to: TO,
          input: '0x1234',
          gas: '0x7530',
          value: '0x0',
          nonce: '0x0',
          chainId: '0x7a69',
          maxFeePerGas: '0xa',
          maxPriorityFeePerGas: '0x1',
        },
      ],
    },
  ])
  expect(useOwnTransactions.getState().sent).toEqual([{ hash, ...TOLD }])
  expect([...useImpersonated.getState()]).toEqual([STRANGER])
})

test('an authorization that another account signed goes along', async () => {
  const { provider, asked } = fakeNode()
  const authorization = await devSigner(1).signAuthorization({ address: TO, chainId: 31_337, nonce: 4 })
  await handIn(provider, stranger, { ...TX, type: 'eip7702', authorizationList: [authorization] }, TOLD)
  expect(asked[1]?.params[0]).toMatchObject({
    type: '0x4',
    authorizationList: [{ address: TO.toLowerCase(), chainId: '0x7a69', nonce: '0x4' }],
  })
})

test('a chain that does not impersonate is named as the reason, and nothing is sent', async () => {
  const { provider, asked } = fakeNode({
    anvil_impersonateAccount: { code: -32601, message: 'the method anvil_impersonateAccount does not exist' },
  })
  await expect(handIn(provider, stranger, TX, TOLD)).rejects.toMatchObject({
    name: 'ExplainedError',
    message: 'This chain does not send for an account without its key.',
    why: expect.stringContaining('does not exist (-32601)') as string,
  })
  expect(asked).toHaveLength(1)
  expect([...useImpersonated.getState()]).toEqual([])
})

test('what the node says of the transaction itself is passed on', async () => {
  const { provider } = fakeNode({ eth_sendTransaction: { code: -32000, message: 'nonce too low' } })
  await expect(handIn(provider, stranger, TX, TOLD)).rejects.toMatchObject({ code: -32000, message: 'nonce too low' })
  expect(useOwnTransactions.getState().sent).toEqual([])
})
