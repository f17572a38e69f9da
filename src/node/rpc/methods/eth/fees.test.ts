import { expect, test } from 'vitest'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'

const GWEI = 1_000_000_000n

test('the gas price is the live block’s base fee plus the suggested tip', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const { baseFeePerGas } = (await request('eth_getBlockByNumber', ['pending', false])) ?? {}
  const tip = BigInt(await request('eth_maxPriorityFeePerGas'))
  expect(tip).toBe(GWEI)
  expect(BigInt(await request('eth_gasPrice'))).toBe(BigInt(baseFeePerGas ?? 0) + tip)
})

async function chainWithFees() {
  const node = await createTestNode({ mode: 'manual', gasLimit: 5_000_000 })
  const { request } = node
  await request('devnet_tick', [10])
  for (let i = 0; i < 4; i++) {
    await request('eth_sendRawTransaction', [await signTransfer(i, 0, { tip: BigInt(i + 1) * GWEI })])
  }
  await request('devnet_tick', [10])
  await request('eth_sendRawTransaction', [await signTransfer(0, 1, { tip: 7n })])
  await request('devnet_tick', [1])
  return node
}

test('the fee history has each block’s base fee, and the next one at the end', async () => {
  const { request, requestLoosely } = await chainWithFees()
  const baseFees: unknown[] = []
  for (const block of ['0x0', '0x1', '0x2', 'pending']) {
    baseFees.push((await request('eth_getBlockByNumber', [block, false]))?.baseFeePerGas)
  }
  expect(new Set(baseFees).size).toBe(4)
  const latest = await request('eth_feeHistory', ['0x5', 'latest'])
  expect(latest).toEqual({
    oldestBlock: '0x0',
    baseFeePerGas: baseFees,
    gasUsedRatio: [0, 0, (4 * 21_000) / 5_000_000],
    baseFeePerBlobGas: ['0x1', '0x1', '0x1', '0x1'],
    blobGasUsedRatio: [0, 0, 0],
  })
  expect(await request('eth_feeHistory', [1, '0x1'])).toMatchObject({
    oldestBlock: '0x1',
    baseFeePerGas: baseFees.slice(1, 3),
  })
  const pending = await requestLoosely('eth_feeHistory', ['2', 'pending'])
  expect(pending).toMatchObject({ oldestBlock: '0x2', gasUsedRatio: [0.0168, 0.0042] })
  expect(pending.baseFeePerGas.slice(0, 2)).toEqual(baseFees.slice(2))
  await request('devnet_tick', [9])
  const next = await request('eth_getBlockByNumber', ['pending', false])
  expect(pending.baseFeePerGas[2]).toBe(next?.baseFeePerGas)
})

test('rewards are the tips at the percentiles of the block’s gas, zero in an empty block', async () => {
  const { request } = await chainWithFees()
  const { reward } = await request('eth_feeHistory', [2, 'latest', [0, 25, 26, 50, 100]])
  const tips = [1n, 1n, 2n, 2n, 4n].map((tip) => `0x${(tip * GWEI).toString(16)}`)
  expect(reward).toEqual([Array(5).fill('0x0'), tips])
})

test('the fee history stops at 1,024 blocks and at block 0', async () => {
  const { request } = await createTestNode({ mode: 'manual', partialsPerBlock: 1 })
  await request('devnet_tick', [1_100])
  const history = await request('eth_feeHistory', ['0xffff', 'latest', []])
  expect(history.gasUsedRatio).toHaveLength(1_024)
  expect(history.baseFeePerGas).toHaveLength(1_025)
  expect(history.oldestBlock).toBe('0x4d')
  expect(history).not.toHaveProperty('reward')
  expect((await request('eth_feeHistory', [10, '0x1'])).gasUsedRatio).toHaveLength(2)
  expect(await request('eth_feeHistory', [0, 'latest'])).toMatchObject({ oldestBlock: '0x0', baseFeePerGas: [] })
})

test.each([
  [['0x1', '0x5'], 'request beyond head block: requested 5, head 0'],
  [['0x1', 'latest', [101]], 'invalid reward percentile: 101.000000'],
  [['0x1', 'latest', [5, 5]], 'invalid reward percentile: #0:5.000000 >= #1:5.000000'],
  [
    ['0x1', 'latest', Array.from({ length: 101 }, (_, i) => i / 2)],
    'invalid reward percentile: over the query limit 100',
  ],
])('a fee history of %j is refused', async (params, message) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request('eth_feeHistory', params)).rejects.toMatchObject({ error: { code: -32000, message } })
})
