import { expect, test } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { replacementOf, replaceTransaction } from './replace-transaction.ts'

const FROM = `0x${'aa'.repeat(20)}` as const
const TO = `0x${'bb'.repeat(20)}` as const
const BASE = {
  hash: `0x${'11'.repeat(32)}`,
  from: FROM,
  to: TO,
  nonce: '0x7',
  gas: '0xc350',
  gasPrice: '0x64',
  value: '0x5',
  input: '0x1234',
  v: '0x0',
  r: '0x1',
  s: '0x1',
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
} as const
const ACCESS_LIST = [{ address: TO, storageKeys: [] }] as const
const DYNAMIC: RpcTransaction = {
  ...BASE,
  type: '0x2',
  chainId: '0x7a69',
  yParity: '0x0',
  accessList: ACCESS_LIST,
  maxFeePerGas: '0x64',
  maxPriorityFeePerGas: '0xa',
}
const OFFER = { feeCap: 110n, tip: 11n }

test('speeding up sends the same content with higher fees', () => {
  expect(replacementOf(DYNAMIC, 'speed-up', OFFER, 31_337)).toEqual({
    type: 'eip1559',
    chainId: 31_337,
    nonce: 7,
    to: TO,
    value: 5n,
    data: '0x1234',
    gas: 50_000n,
    accessList: ACCESS_LIST,
    maxFeePerGas: 110n,
    maxPriorityFeePerGas: 11n,
  })
})

test('a new contract is sped up without a recipient', () => {
  expect(replacementOf({ ...DYNAMIC, to: null }, 'speed-up', OFFER, 31_337)).not.toHaveProperty('to')
})

test('cancelling uses the nonce and does nothing else', () => {
  expect(replacementOf(DYNAMIC, 'cancel', OFFER, 31_337)).toEqual({
    type: 'eip1559',
    chainId: 31_337,
    nonce: 7,
    to: FROM,
    value: 0n,
    gas: 21_000n,
    accessList: [],
    maxFeePerGas: 110n,
    maxPriorityFeePerGas: 11n,
  })
})

test('types with a single gas price keep it', () => {
  const legacy: RpcTransaction = { ...BASE, type: '0x0', chainId: '0x7a69' }
  expect(replacementOf(legacy, 'speed-up', OFFER, 31_337)).toMatchObject({ type: 'legacy', gasPrice: 110n })
  const listed: RpcTransaction = { ...BASE, type: '0x1', chainId: '0x7a69', yParity: '0x0', accessList: ACCESS_LIST }
  expect(replacementOf(listed, 'speed-up', OFFER, 31_337)).toMatchObject({
    type: 'eip2930',
    gasPrice: 110n,
    accessList: ACCESS_LIST,
  })
})

test('a transaction of an account without a key is replaced by one that the chain sends', async () => {
  const asked: JsonRpcRequest[] = []
  const { provider } = createProvider(async (body) => {
    const request = JSON.parse(body) as JsonRpcRequest
    asked.push(request)
    const result = request.method === 'eth_chainId' ? '0x7a69' : null
    return JSON.stringify({ jsonrpc: '2.0', id: request.id, result })
  })
  const signer = { source: 'impersonated', address: FROM } as const
  await replaceTransaction(provider, { tx: DYNAMIC, kind: 'speed-up', offer: OFFER, signer })
  expect(asked.map(({ method }) => method)).toEqual(['eth_chainId', 'anvil_impersonateAccount', 'eth_sendTransaction'])
  expect(asked[2]?.params).toMatchObject([{ from: FROM, nonce: '0x7', maxFeePerGas: '0x6e', input: '0x1234' }])
})
