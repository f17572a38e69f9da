import { beforeEach, expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const DELEGATE: Hex = `0x${'de'.repeat(20)}`
/** Code that creates an empty contract at each call, and stops. */
const CREATES: Hex = '0x60006000600055600060006000f000'
const LIMIT = 'in-flight transaction limit reached for delegated accounts'

let node: TestNode
beforeEach(async () => {
  node = await createTestNode({ mode: 'manual' })
  await node.request('anvil_setCode', [DELEGATE, CREATES])
})

/** Sends a transaction from account 5 that makes `authority` delegate. */
async function delegate(authority: number, nonce: number, senderNonce = 0): Promise<Hex> {
  const authorization = await devAccount(authority).signAuthorization({ address: DELEGATE, chainId: 31337, nonce })
  const raw = await devAccount(5).signTransaction({
    type: 'eip7702',
    chainId: 31337,
    nonce: senderNonce,
    gas: 200_000n,
    to: devAccount(9).address,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    authorizationList: [authorization],
  })
  return node.request('eth_sendRawTransaction', [raw])
}
const send = async (from: number, nonce: number, tip = 1_000_000_000n) =>
  node.request('eth_sendRawTransaction', [await signTransfer(from, nonce, { tip, maxFeePerGas: 10n * tip })])
const refused = (sent: Promise<unknown>) =>
  sent.then(
    () => 'accepted',
    (error: Error) => error.message,
  )

test('an account that delegates has one transaction in flight; it may be replaced, and the next one is accepted after it', async () => {
  await delegate(0, 0)
  await node.request('devnet_tick')
  expect(await refused(send(0, 2))).toBe('gapped-nonce tx from delegated accounts')
  await send(0, 1)
  expect(await refused(send(0, 2))).toBe(LIMIT)
  await send(0, 1, 2_000_000_000n)
  await node.request('devnet_tick')
  await send(0, 2)
  await node.request('devnet_tick')
  expect(await node.request('eth_getTransactionCount', [devAccount(0).address, 'pending'])).toBe('0x3')
})

test('an account that is about to delegate has one transaction in flight, until its delegation has left the pool', async () => {
  const hash = await delegate(0, 0)
  await send(0, 0)
  expect(await refused(send(0, 1))).toBe(LIMIT)
  await node.request('anvil_dropTransaction', [hash])
  await send(0, 1)
})

test('an account with several transactions in flight is not made to delegate', async () => {
  await send(0, 0)
  await send(0, 1)
  expect(await refused(delegate(0, 2))).toBe('authority already reserved')
  expect(await node.request('txpool_status')).toEqual({ pending: '0x2', queued: '0x0' })
})

test('an impersonated contract and an account without code have no such limit', async () => {
  await node.request('anvil_impersonateAccount', [DELEGATE])
  await node.request('anvil_setBalance', [DELEGATE, '0xde0b6b3a7640000'])
  for (let i = 0; i < 3; i++) {
    await node.request('eth_sendTransaction', [{ from: DELEGATE, to: devAccount(9).address, gas: '0x5208' }])
    await send(1, i)
  }
  expect(await node.request('txpool_status')).toEqual({ pending: '0x6', queued: '0x0' })
})

test('a queued transaction is executed at the tick after another account’s call has closed its nonce gap', async () => {
  await node.request('anvil_impersonateAccount', [DELEGATE])
  await node.request('anvil_setBalance', [DELEGATE, '0xde0b6b3a7640000'])
  await node.request('anvil_setNonce', [DELEGATE, '0x1'])
  const waiting = await node.request('eth_sendTransaction', [
    { from: DELEGATE, to: devAccount(9).address, gas: '0x5208', nonce: '0x2' },
  ])
  await node.request('devnet_tick')
  expect(await node.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x1' })
  await node.request('eth_sendTransaction', [{ from: devAccount(1).address, to: DELEGATE, gas: '0x30d40' }])
  await node.request('devnet_tick', [2])
  expect(await node.request('eth_getTransactionReceipt', [waiting])).toMatchObject({ status: '0x1' })
})

test('a pooled transaction above a lowered block gas limit is dropped, and its sender can send others', async () => {
  const large = await node.request('eth_sendTransaction', [
    {
      from: devAccount(0).address,
      to: devAccount(1).address,
      gas: '0x989680',
      maxFeePerGas: '0x1',
      maxPriorityFeePerGas: '0x0',
    },
  ])
  await node.request('devnet_tick')
  await node.request('evm_setBlockGasLimit', ['0x4c4b40'])
  await node.request('devnet_tick', [11])
  expect(await node.request('chain_transactionStatus', [large])).toEqual({ status: 'Unknown' })
  expect(await node.request('devnet_getTransactionTimeline', [large])).toMatchObject({
    events: expect.arrayContaining([
      expect.objectContaining({ kind: 'dropped', reason: 'exceeds block gas limit' }),
    ]) as unknown,
  })
  await send(0, 0)
  await node.request('devnet_tick')
  expect(await node.request('eth_getTransactionCount', [devAccount(0).address, 'pending'])).toBe('0x1')
})
