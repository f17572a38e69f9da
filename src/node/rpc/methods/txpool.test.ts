import { expect, test } from 'vitest'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'

const MANUAL = { mode: 'manual' } as const

test('senders and targets in txpool_* are checksummed, as in geth', async () => {
  const { request } = await createTestNode(MANUAL)
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  const { address } = devAccount(0)
  expect(Object.keys((await request('txpool_content')).pending)).toEqual([address])
  const { pending } = await request('txpool_inspect')
  expect(Object.keys(pending)).toEqual([address])
  expect(Object.values(Object.values(pending)[0] ?? {})[0]).toContain(`${devAccount(9).address}: 1 wei`)
})

test('pending transactions are all of the pool, those that can be executed first', async () => {
  const { request } = await createTestNode(MANUAL)
  expect(await request('eth_pendingTransactions')).toEqual([])
  const queued = await request('eth_sendRawTransaction', [await signTransfer(0, 5)])
  const hashes = [
    await request('eth_sendRawTransaction', [await signTransfer(1, 0, { tip: 2_000_000_000n })]),
    await request('eth_sendRawTransaction', [await signTransfer(2, 0)]),
    queued,
  ]
  const pending = await request('eth_pendingTransactions')
  expect(pending.map(({ hash }) => hash)).toEqual(hashes)
  expect(pending[0]).toEqual(await request('eth_getTransactionByHash', [hashes[0] as `0x${string}`]))
  await request('devnet_tick')
  expect((await request('eth_pendingTransactions')).map(({ hash }) => hash)).toEqual([queued])
})
