import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'

const from = devAccount(0).address.toLowerCase() as Hex
const to = devAccount(1).address.toLowerCase() as Hex
const GWEI = 1_000_000_000n
const gwei = (n: number): Hex => `0x${(BigInt(n) * GWEI).toString(16)}`

async function paused(): Promise<TestNode> {
  const node = await createTestNode()
  await node.request('evm_setAutomine', [false])
  return node
}

const LEGACY = { from, to, nonce: '0x0', value: '0x5', gas: '0x5208', gasPrice: gwei(3) } as const
const BIDDING = {
  from,
  to,
  nonce: '0x0',
  gas: '0x5208',
  maxFeePerGas: gwei(5),
  maxPriorityFeePerGas: gwei(1),
} as const

test('a transaction that waits is replaced by one with another price and gas limit', async () => {
  const { request } = await paused()
  const first = await request('eth_sendTransaction', [LEGACY])
  const second = await request('eth_resend', [LEGACY, gwei(4), '0x5300'])
  expect(await request('eth_getTransactionByHash', [first])).toBeNull()
  expect(await request('eth_getTransactionByHash', [second])).toMatchObject({
    type: '0x0',
    from,
    to,
    value: '0x5',
    nonce: '0x0',
    gas: '0x5300',
    gasPrice: gwei(4),
  })
  await request('evm_mine')
  expect(await request('eth_getTransactionReceipt', [second])).toMatchObject({ status: '0x1' })
})

test('what the object leaves out is as it is in the pool, and a new price stands for both of a bidding transaction', async () => {
  const { request } = await paused()
  await request('eth_sendTransaction', [{ ...BIDDING, value: '0x7' }])
  const hash = await request('eth_resend', [{ from, nonce: '0x0' }, gwei(6)])
  const tx = await request('eth_getTransactionByHash', [hash])
  expect(tx).toMatchObject({ type: '0x2', value: '0x7', maxFeePerGas: gwei(6), maxPriorityFeePerGas: gwei(6) })
  // As the node itself describes it.
  const again = await request('eth_resend', [tx, gwei(9), null])
  expect(await request('eth_pendingTransactions')).toMatchObject([
    { hash: again, maxFeePerGas: gwei(9), gas: '0x5208' },
  ])
})

test('a transaction of an impersonated account is resent without a key', async () => {
  const { request } = await paused()
  const whale: Hex = `0x${'99'.repeat(20)}`
  await request('anvil_setBalance', [whale, gwei(10_000_000)])
  await request('anvil_impersonateAccount', [whale])
  await request('eth_sendTransaction', [{ ...LEGACY, from: whale }])
  const hash = await request('eth_resend', [{ from: whale, nonce: '0x0' }, gwei(4)])
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ from: whale, gasPrice: gwei(4) })
})

test.each([
  [{ ...LEGACY, nonce: undefined }, gwei(4), 'missing transaction nonce in transaction spec'],
  [{ ...LEGACY, from: undefined }, gwei(4), 'missing "from": whose transaction is it'],
  [{ ...LEGACY, nonce: '0x1' }, gwei(4), `transaction of ${from} with nonce 1 not found in the pool`],
  [{ ...LEGACY, value: '0x6' }, gwei(4), 'transaction not found: the one in the pool with nonce 0 has another value'],
  [{ ...LEGACY, data: '0x01' }, gwei(4), 'transaction not found: the one in the pool with nonce 0 has another input'],
  [{ ...LEGACY, from: `0x${'98'.repeat(20)}` }, gwei(4), 'unknown account'],
  [LEGACY, gwei(3), 'already known'],
  [
    LEGACY,
    `0x${(3n * GWEI + 1n).toString(16)}`,
    expect.stringContaining('replacement transaction underpriced') as string,
  ],
  [LEGACY, null, 'already known'],
])('%j at %s is refused', async (transaction, price, message) => {
  const { request } = await paused()
  const first = await request('eth_sendTransaction', [LEGACY])
  await expect(request('eth_resend', [transaction, price])).rejects.toMatchObject({ error: { code: -32000, message } })
  expect(await request('eth_pendingTransactions')).toMatchObject([{ hash: first }])
})

test('a transaction that is pre-confirmed does not wait any more', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  await request('eth_sendTransaction', [LEGACY])
  await request('devnet_tick')
  await expect(request('eth_resend', [LEGACY, gwei(4)])).rejects.toMatchObject({
    error: { message: expect.stringContaining('not found in the pool') as string },
  })
})
