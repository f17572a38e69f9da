import { expect, test } from 'vitest'
import { createTestNode, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const manual = () => createTestNode({ mode: 'manual' })
const send = async ({ request }: TestNode) => request('eth_sendRawTransaction', [await signTransfer(0, 0)])

test('a stalled chain pre-confirms nothing, and seals on time', async () => {
  const node = await createTestNode()
  const { request, clock } = node
  await request('devnet_stallPartialBlocks', [12])
  const hash = await send(node)
  await clock.advance(1_800)
  expect((await request('devnet_status')).faults.stalledTicks).toBe(3)
  expect((await request('devnet_status')).live.index).toBe(0)
  await clock.advance(200)
  expect(await request('eth_blockNumber')).toBe('0x1')
  expect(await request('eth_getBlockByNumber', ['pending', false])).toMatchObject({ number: '0x2', transactions: [] })
  await clock.advance(400)
  expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()
  await clock.advance(200)
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ blockNumber: '0x2' })
  expect((await request('devnet_status')).faults.stalledTicks).toBe(0)
})

test('a stalled block can be sealed at once with the pooled transactions', async () => {
  const node = await manual()
  await node.request('devnet_stallPartialBlocks', [100])
  const hash = await send(node)
  await node.request('devnet_tick', [3])
  expect((await node.request('devnet_seal')).number).toBe('0x1')
  expect(await node.request('eth_getTransactionReceipt', [hash])).toMatchObject({ blockNumber: '0x1' })
})

test('the seal of one block can be delayed; the last delay counts, and the next block is on time', async () => {
  const { request, clock } = await createTestNode()
  await request('devnet_delaySeal', [5_000])
  await request('devnet_delaySeal', [1_000])
  expect((await request('devnet_status')).faults.sealDelayMs).toBe(1_000)
  await clock.advance(2_800)
  expect(await request('devnet_status')).toMatchObject({ head: { number: '0x0' }, live: { index: 9 } })
  await clock.advance(200)
  expect(await request('eth_blockNumber')).toBe('0x1')
  expect((await request('devnet_status')).faults.sealDelayMs).toBe(0)
  await clock.advance(2_000)
  expect(await request('eth_blockNumber')).toBe('0x2')
})

test('a delayed seal can be put back on time', async () => {
  const { request, clock } = await createTestNode()
  await request('devnet_delaySeal', [60_000])
  await clock.advance(2_100)
  expect(await request('eth_blockNumber')).toBe('0x0')
  await request('devnet_delaySeal', [0])
  await clock.advance(0)
  expect(await request('eth_blockNumber')).toBe('0x1')
})

test('blocks are sealed by hand while the chain is paused', async () => {
  const node = await createTestNode()
  const { request, clock } = node
  await request('devnet_pause')
  const hash = await send(node)
  const sealed = await request('devnet_seal', [3])
  expect(sealed).toMatchObject({ number: '0x3', hash: (await request('eth_getBlockByNumber', ['0x3', false]))?.hash })
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ blockNumber: '0x1' })
  await clock.advance(10_000)
  expect(await request('eth_blockNumber')).toBe('0x3')
})

test('the timing changes at once, counted from the start of the live block, and the status says so', async () => {
  const { request, clock } = await createTestNode()
  await clock.advance(200)
  await request('devnet_setTiming', [{ partialMs: 100, partialsPerBlock: 5 }])
  expect(await request('devnet_status')).toMatchObject({ partialMs: 100, partialsPerBlock: 5 })
  await clock.advance(300)
  expect(await request('eth_blockNumber')).toBe('0x1')
  await clock.advance(500)
  expect(await request('eth_blockNumber')).toBe('0x2')
})

test('impossible timings are refused', async () => {
  const { request } = await manual()
  for (const timing of [{ partialMs: 9 }, { partialsPerBlock: 101 }, { partialMs: 1.5 }, { blockMs: 5 }, 7]) {
    await expect(request('devnet_setTiming', [timing])).rejects.toMatchObject({ error: { code: -32602 } })
  }
})
