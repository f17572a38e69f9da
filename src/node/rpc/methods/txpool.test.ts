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

test('an unknown block hash and an unknown block number give different errors (B7)', async () => {
  const { request } = await createTestNode(MANUAL)
  const at = (block: unknown) => request('eth_getBalance', [devAccount(0).address, block])
  await expect(at({ blockHash: `0x${'ab'.repeat(32)}` })).rejects.toMatchObject({
    error: { code: -32000, message: 'header for hash not found' },
  })
  await expect(at('0x99')).rejects.toMatchObject({ error: { code: -32000, message: 'header not found' } })
})

test('more than 10,000 blocks are mined by one call while others are answered (B7)', async () => {
  const { request } = await createTestNode(MANUAL)
  let mined = false
  const mining = request('hardhat_mine', ['0x2af8']).then(() => {
    mined = true
  })
  expect(await request('eth_chainId')).toBe('0x7a69')
  expect(mined).toBe(false)
  await mining
  expect(await request('eth_blockNumber')).toBe('0x2af8')
  await expect(request('anvil_mine', ['0x186a1'])).rejects.toMatchObject({
    error: {
      code: -32602,
      message: 'invalid argument 0: 100001 blocks are too many for one call, mine at most 100000 at a time',
    },
  })
}, 60_000)
