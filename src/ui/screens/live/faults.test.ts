import { expect, test } from 'vitest'
import { createProvider } from '#client/provider.ts'
import { toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import { causeFault } from './faults.ts'

/** A chain that answers from a table and writes down what it was asked. */
function fakeChain(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = []
  const { provider } = createProvider((body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest
    asked.push(`${method} ${JSON.stringify(params)}`)
    return Promise.resolve(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? true }))
  })
  return { provider, asked }
}

const status = (index: number) => ({ live: { number: '0x5', index } })

test('a dropped partial block is named, with the transactions that it had brought', async () => {
  const { provider, asked } = fakeChain({
    devnet_status: status(4),
    devnet_dropPartialBlocks: { number: '0x5', index: 3, withdrawn: [toWord(1), toWord(2)] },
  })
  const report = await causeFault(provider, 'drop', 'requeue')
  expect(report.words).toBe(
    'Partial block 4 of block 5 was withdrawn. Its 2 transactions wait in the mempool again, for the next partial block.',
  )
  expect(report.hashes).toEqual([toWord(1), toWord(2)])
  expect(asked).toContain('devnet_dropPartialBlocks [1,"requeue"]')
})

test('the first partial block stays when it is dropped, and may have brought nothing', async () => {
  const { provider } = fakeChain({
    devnet_status: status(0),
    devnet_dropPartialBlocks: { number: '0x5', index: 0, withdrawn: [] },
  })
  expect((await causeFault(provider, 'drop', 'lose')).words).toBe(
    'Partial block 0 of block 5 was withdrawn. It had brought no transactions.',
  )
})

test('a reorg tells of the transactions of the block that was taken back and of the live one', async () => {
  const { provider } = fakeChain({
    eth_getBlockByNumber: { hash: toWord(9), transactions: [toWord(1)] },
    devnet_reorg: { head: { number: '0x3', hash: toWord(8) }, removed: [toWord(9)] },
  })
  const report = await causeFault(provider, 'reorg', 'lose')
  expect(report.words).toContain('Block 4 was taken back')
  expect(report.words).toContain('2 transactions are lost')
  expect(report.hashes).toHaveLength(2)
})

test('of a block that was sealed meanwhile nothing is claimed', async () => {
  const { provider } = fakeChain({
    eth_getBlockByNumber: { hash: toWord(7), transactions: [toWord(1)] },
    devnet_reorg: { head: { number: '0x3', hash: toWord(8) }, removed: [toWord(9)] },
  })
  expect((await causeFault(provider, 'reorg', 'requeue')).hashes).toEqual([])
})

test.for([
  ['stall', 'devnet_stallPartialBlocks [5]'],
  ['delay', 'devnet_delaySeal [2000]'],
] as const)('%s asks the chain once', async ([kind, call]) => {
  const { provider, asked } = fakeChain({ devnet_status: status(1) })
  await causeFault(provider, kind, 'requeue')
  expect(asked.filter((line) => line === call)).toHaveLength(1)
})
