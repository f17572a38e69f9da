import { expect, test } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { toQuantity, toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { lookBack } from './look-back.ts'

/** A chain of `length` blocks of which only these have transactions. */
function chainWith(counts: Readonly<Record<number, number>>) {
  const asked: string[] = []
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_feeHistory([size, newest]) {
      const oldest = Number(newest) - Number(size) + 1
      const ratios = Array.from({ length: Number(size) }, (_, i) => (counts[oldest + i] ? 0.001 : 0))
      return { oldestBlock: toQuantity(oldest), gasUsedRatio: ratios }
    },
    eth_getBlockByNumber: ([number]) => ({ hash: toWord(Number(number)) }),
    eth_getBlockByHash: ([hash]) => ({
      number: toQuantity(Number(hash)),
      transactions: Array.from({ length: counts[Number(hash)] ?? 0 }, () => ({})),
    }),
    eth_getBlockReceipts: () => [],
    devnet_getPartialBlocks: () => ({ transactionsByPartial: [0] }),
  }
  const { provider } = createProvider((body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest
    asked.push(method)
    return Promise.resolve(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params ?? []) ?? null }))
  })
  const find = async (how: { before: number; wanted: number; first?: number; isStopped?: () => boolean }) => {
    const found: number[] = []
    for await (const { block } of lookBack(provider, { first: 0, isStopped: () => false, ...how })) {
      found.push(Number(block.number))
    }
    return found
  }
  return { find, asked }
}

test('transactions are found however old they are, and empty blocks are not fetched', async () => {
  const { find, asked } = chainWith({ 4_990: 3, 17: 2, 12: 40, 3: 1 })
  expect(await find({ before: 5_000, wanted: 20 })).toEqual([4_990, 17, 12])
  expect(asked.filter((method) => method === 'eth_getBlockByHash')).toHaveLength(3)
  expect(asked.filter((method) => method === 'eth_feeHistory')).toHaveLength(5)
})

test('nothing before the first own block is asked for', async () => {
  expect(await chainWith({ 90: 1, 110: 1 }).find({ before: 200, wanted: 20, first: 100 })).toEqual([110])
  expect(await chainWith({}).find({ before: 0, wanted: 20 })).toEqual([])
})

test('the search has a bound, and ends when the page follows another chain', async () => {
  const { find, asked } = chainWith({ 1: 1 })
  expect(await find({ before: 1_000_000, wanted: 1 })).toEqual([])
  expect(asked).toHaveLength(64)
  expect(await chainWith({ 5: 1 }).find({ before: 10, wanted: 1, isStopped: () => true })).toEqual([])
})
