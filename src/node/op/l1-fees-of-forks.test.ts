import { toHex } from 'viem'
import { expect, test } from 'vitest'
import { remoteOf } from '#testing/node/fork-of.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { openFork } from '../fork/open-fork.ts'
import { L1_BLOCK } from './l1-block.ts'

async function forkOfOp(original: TestNode) {
  const clock = new FakeClock()
  const { remote } = remoteOf(original)
  const fork = await openFork({ remote, clock }, ['0x4200000000000000000000000000000000000011'])
  return createTestNode({ mode: 'manual', op: true }, { clock, fork })
}

test('on a fork, transactions pay what the other chain’s L1Block says, and its L1 stands still', async () => {
  const original = await createTestNode({ mode: 'manual', op: true })
  await original.request('anvil_setStorageAt', [L1_BLOCK, toHex(1), toHex(10n ** 9n, { size: 32 })])
  await original.request('devnet_seal', [9])
  const { request } = await forkOfOp(original)
  const place = await request('eth_getStorageAt', [L1_BLOCK, toHex(0), 'latest'])
  expect(BigInt(place)).toBeGreaterThan(0n)
  const from = devAccount(0).address
  const balance = async () => BigInt(await request('eth_getBalance', [from, 'pending']))
  const before = await balance()
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0, { value: 0n })])
  await request('devnet_seal', [9])
  const receipt = (await request('eth_getTransactionReceipt', [hash])) ?? expect.fail('it is in no block')
  const l1Fee = (100n * (5_227n * 16n + 1_014_213n) * 10n ** 9n) / 10n ** 6n
  expect(receipt).toMatchObject({ l1GasPrice: toHex(10n ** 9n), l1Fee: toHex(l1Fee) })
  expect(before - (await balance())).toBe(21_000n * BigInt(receipt.effectiveGasPrice) + l1Fee)
  expect(await request('eth_getStorageAt', [L1_BLOCK, toHex(0), 'latest'])).toBe(place)
})

test('on a fork of a chain without L1Block, nothing is paid for L1', async () => {
  const original = await createTestNode({ mode: 'manual' })
  await original.request('devnet_seal', [3])
  const { request } = await forkOfOp(original)
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_seal')
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1', l1Fee: '0x0' })
})
