import { expect, test } from 'vitest'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'

const MANUAL = { mode: 'manual' } as const

test('senders and targets in txpool_* are checksummed, as in geth (B7)', async () => {
  const { request } = await createTestNode(MANUAL)
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  const { address } = devAccount(0)
  expect(Object.keys((await request('txpool_content')).pending)).toEqual([address])
  const { pending } = await request('txpool_inspect')
  expect(Object.keys(pending)).toEqual([address])
  expect(Object.values(Object.values(pending)[0] ?? {})[0]).toContain(`${devAccount(9).address}: 1 wei`)
})
