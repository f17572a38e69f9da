import { beforeEach, expect, test } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { forgetOwn, useOwnTransactions } from './own-transactions.ts'
import { submitForeign } from './submit-raw.ts'

const FROM = `0x${'aa'.repeat(20)}` as const
const TX = { hash: toWord(1), from: FROM, to: null, value: '0x5' }

/** A node that accepts only these bytes. */
function nodeThatTakes(accepted: string) {
  return createProvider(async (body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest & { readonly params: readonly unknown[] }
    const answer =
      method === 'eth_getTransactionByHash'
        ? { result: TX }
        : params[0] === accepted
          ? { result: TX.hash }
          : { error: { code: -32000, message: 'invalid transaction v, r, s values' } }
    return JSON.stringify({ jsonrpc: '2.0', id, ...answer })
  }).provider
}

beforeEach(forgetOwn)

test('bytes signed elsewhere become an own transaction once the node has accepted them', async () => {
  expect(await submitForeign(nodeThatTakes('0x02ab'), '0x02ab')).toBe(TX.hash)
  expect(useOwnTransactions.getState().sent).toEqual([{ hash: TX.hash, from: FROM, to: null, value: 5n }])
})

test('the node decides about bytes that no library can read', async () => {
  await expect(submitForeign(nodeThatTakes('0x02ab'), '0xc0')).rejects.toMatchObject({
    code: -32000,
    message: 'invalid transaction v, r, s values',
  })
  expect(useOwnTransactions.getState().sent).toEqual([])
})
