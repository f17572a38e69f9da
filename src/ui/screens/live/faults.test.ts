import { expect, test } from 'vitest'
import { createProvider } from '#client/provider.ts'
import { toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import type { LiveBlock } from '#ui/feed/feed-state.ts'
import { causeFault, type Sight } from './faults.ts'

/** A chain that answers from a table and writes down what it was asked. */
function fakeChain(answers: Readonly<Record<string, unknown>>, onCall: (method: string) => void = () => {}) {
  const asked: string[] = []
  const { provider } = createProvider((body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest
    asked.push(`${method} ${JSON.stringify(params)}`)
    onCall(method)
    return Promise.resolve(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? true }))
  })
  return { provider, asked }
}

const status = (index: number) => ({ live: { number: '0x5', index } })

/** A pending block 5 in which the partial blocks at these indices brought one transaction each: word 1 at index 1. */
function sight(indices: readonly number[], own: readonly number[] = []): Sight {
  const slots = indices.map((index) => ({ index, transactions: [{ hash: toWord(index) }] }))
  const live = { number: 5, index: 9, complete: true, slots } as unknown as LiveBlock
  return { live: () => live, own: () => new Set(own.map((index) => toWord(index))) }
}

test('a drop goes back to the newest partial block that holds transactions, and names all that it withdrew', async () => {
  const { provider, asked } = fakeChain({
    devnet_status: status(6),
    devnet_dropPartialBlocks: { number: '0x5', index: 2, withdrawn: [toWord(3)] },
  })
  const report = await causeFault(provider, 'drop', 'requeue', sight([1, 3]))
  expect(report?.words).toBe(
    'Partial blocks 3 to 6 of block 5 were withdrawn. Their transaction waits in the mempool again, for the next ' +
      'partial block.',
  )
  expect(report?.hashes).toEqual([toWord(3)])
  expect(asked).toContain('devnet_dropPartialBlocks [4,"requeue"]')
})

test("a drop prefers the partial block that holds one's own transaction", async () => {
  const { provider, asked } = fakeChain({
    devnet_status: status(4),
    devnet_dropPartialBlocks: { number: '0x5', index: 1, withdrawn: [toWord(2), toWord(4)] },
  })
  await causeFault(provider, 'drop', 'lose', sight([1, 2, 4], [2]))
  expect(asked).toContain('devnet_dropPartialBlocks [3,"lose"]')
})

test('a tick between the question and the drop costs one more drop, not the fault', async () => {
  const answers: Record<string, unknown> = {
    devnet_status: status(4),
    devnet_dropPartialBlocks: { number: '0x5', index: 4, withdrawn: [] },
  }
  const { provider, asked } = fakeChain(answers, (method) => {
    if (asked.filter((line) => line.startsWith('devnet_drop')).length < 2 || method !== 'devnet_dropPartialBlocks')
      return
    answers['devnet_dropPartialBlocks'] = { number: '0x5', index: 3, withdrawn: [toWord(4)] }
  })
  const report = await causeFault(provider, 'drop', 'requeue', sight([4]))
  expect(report?.hashes).toEqual([toWord(4)])
})

test('with nothing to drop a drop does nothing, so that it can wait for transactions', async () => {
  const { provider, asked } = fakeChain({ devnet_status: status(4) })
  expect(await causeFault(provider, 'drop', 'lose', sight([]))).toBeUndefined()
  expect(asked).toEqual([])
})

test('a reorg tells of the transactions of the block that was taken back and of the live one', async () => {
  const { provider } = fakeChain({
    eth_getBlockByNumber: { hash: toWord(9), transactions: [toWord(1)] },
    devnet_reorg: { head: { number: '0x3', hash: toWord(8) }, removed: [toWord(9)] },
  })
  const report = await causeFault(provider, 'reorg', 'lose', sight([]))
  expect(report?.words).toContain('Block 4 was removed')
  expect(report?.words).toContain('2 transactions are lost')
  expect(report?.hashes).toHaveLength(2)
})

test('of a block that was sealed meanwhile nothing is claimed', async () => {
  const { provider } = fakeChain({
    eth_getBlockByNumber: { hash: toWord(7), transactions: [toWord(1)] },
    devnet_reorg: { head: { number: '0x3', hash: toWord(8) }, removed: [toWord(9)] },
  })
  expect((await causeFault(provider, 'reorg', 'requeue', sight([])))?.hashes).toEqual([])
})

test.for([
  ['stall', 'devnet_stallPartialBlocks [5]'],
  ['delay', 'devnet_delaySeal [2000]'],
] as const)('%s asks the chain once', async ([kind, call]) => {
  const { provider, asked } = fakeChain({ devnet_status: status(1) })
  await causeFault(provider, kind, 'requeue', sight([]))
  expect(asked.filter((line) => line === call)).toHaveLength(1)
})
