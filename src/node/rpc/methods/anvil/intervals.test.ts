import { expect, test } from 'vitest'
import { createTestNode, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const height = ({ request }: TestNode) => request('eth_blockNumber').then(Number)
const sealsInMs = async ({ request }: TestNode) => {
  const { live, chainTimeMs } = await request('devnet_status')
  return live.sealsAtMs - chainTimeMs
}
const secondOf = async ({ request }: TestNode, tag: 'latest' | 'pending') =>
  Number((await request('eth_getBlockByNumber', [tag, false]))?.timestamp)

test.each([false, true])(
  'a shorter interval is counted from the start of the live block, which may hold a transaction: %s',
  async (isTouched) => {
    const node = await createTestNode()
    await node.request('anvil_setIntervalMining', [25])
    const started = await height(node)
    if (isTouched) await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
    await node.clock.advance(9_300)
    await node.request('anvil_setIntervalMining', [12])
    expect(await sealsInMs(node)).toBe(2_700)
    await node.clock.advance(2_700)
    expect(await height(node)).toBe(started + 1)
    await node.clock.advance(12_000)
    expect(await height(node)).toBe(started + 2)
  },
)

test.each([false, true])(
  'where the shorter interval has passed, the block is sealed at once, with a transaction: %s',
  async (isTouched) => {
    const node = await createTestNode()
    await node.request('anvil_setIntervalMining', [25])
    const started = await height(node)
    if (isTouched) await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
    await node.clock.advance(20_300)
    await node.request('evm_setIntervalMining', [1])
    await node.clock.advance(0)
    expect(await height(node)).toBeGreaterThanOrEqual(started + 1)
    const sealed = await height(node)
    await node.clock.advance(4_000)
    expect(await height(node)).toBe(sealed + 4)
  },
)

test('a longer interval is counted from there as well, and an empty block gets the timestamp of its new seal', async () => {
  const node = await createTestNode()
  await node.clock.advance(1_500)
  const begun = await secondOf(node, 'pending')
  await node.request('anvil_setIntervalMining', [20])
  expect(await secondOf(node, 'pending')).toBe(begun + 18)
  await node.clock.advance(18_499)
  expect(await height(node)).toBe(0)
  await node.clock.advance(1)
  expect(await height(node)).toBe(1)
  expect(await secondOf(node, 'latest')).toBe(begun + 18)
})

test('a shorter tick that leaves too few for the partial blocks that there are seals the block first', async () => {
  const node = await createTestNode()
  await node.request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await node.clock.advance(1_000)
  await node.request('devnet_setTiming', [{ partialMs: 5_000, partialsPerBlock: 2 }])
  expect(await height(node)).toBe(1)
  expect(await node.request('devnet_status')).toMatchObject({
    partialMs: 5_000,
    partialsPerBlock: 2,
    live: { index: 0 },
  })
  await node.clock.advance(9_000)
  expect(await height(node)).toBe(2)
})

test('after a pause each interval is whole, and the timestamps make up for the pause', async () => {
  for (const pauseMs of [1_500, 1_900, 525, 60_100]) {
    const node = await createTestNode()
    await node.clock.advance(2_700)
    await node.request('evm_setIntervalMining', [0])
    await node.clock.advance(pauseMs)
    await node.request('evm_setIntervalMining', [2])
    const started = await height(node)
    for (const block of [1, 2, 3, 4]) {
      await node.clock.advance(1_999)
      expect(await height(node)).toBe(started + block - 1)
      await node.clock.advance(1)
      expect(await height(node)).toBe(started + block)
    }
    expect((await secondOf(node, 'latest')) - Math.floor(node.clock.wallNow() / 1000)).toBeGreaterThanOrEqual(-1)
    expect((await secondOf(node, 'latest')) - Math.floor(node.clock.wallNow() / 1000)).toBeLessThanOrEqual(0)
  }
})

test('evm_setIntervalMining counts in seconds below 100, and in milliseconds from there on', async () => {
  const { request, requestLoosely } = await createTestNode()
  for (const [interval, seconds] of [
    [99, 99],
    [100, 0.1],
    [250, 0.25],
    [999, 0.999],
    [1_000, 1],
    [2, 2],
  ] as const) {
    await request('evm_setIntervalMining', [interval])
    expect(await request('anvil_getIntervalMining')).toBe(seconds)
  }
  await expect(requestLoosely('evm_setIntervalMining', [[300, 600]])).rejects.toMatchObject({
    error: { code: -32602, message: /an interval at random, \[min, max\], is not supported/ },
  })
})
