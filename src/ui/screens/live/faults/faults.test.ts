import { expect, test } from 'vitest'
import { createProvider } from '#client/session/provider.ts'
import { toWord } from '#primitives/hex.ts'
import type { JsonRpcRequest } from '#rpc-types/envelope.ts'
import type { Withdrawal } from '#rpc-types/methods/devnet.ts'
import { causeFault, withdrawalReport } from './faults.ts'

/** A chain that answers from a table and records its calls. */
function fakeChain(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = []
  const { provider } = createProvider((body) => {
    const { id, method, params } = JSON.parse(body) as JsonRpcRequest
    asked.push(`${method} ${JSON.stringify(params)}`)
    return Promise.resolve(JSON.stringify({ jsonrpc: '2.0', id, result: method in answers ? answers[method] : true }))
  })
  return { provider, asked }
}

const withdrawal: Withdrawal = { id: 1, number: '0x5', first: 3, last: 6, fate: 'requeue', withdrawn: [toWord(3)] }

test("a withdrawal calls the chain once, with the page's own transactions, and names everything withdrawn", async () => {
  const { provider, asked } = fakeChain({ devnet_withdrawNext: withdrawal })
  const report = await causeFault(provider, 'drop', 'requeue', [toWord(3)])
  expect(report?.words).toBe(
    'Partial blocks 4 to 7 of block 5 were withdrawn. Their transaction waits in the mempool again, for the next ' +
      'partial block.',
  )
  expect(report?.hashes).toEqual([toWord(3)])
  expect(asked).toEqual([`devnet_withdrawNext ["requeue",["${toWord(3)}"]]`])
})

test('a planned withdrawal reports nothing yet', async () => {
  const { provider } = fakeChain({ devnet_withdrawNext: null })
  expect(await causeFault(provider, 'drop', 'lose', [])).toBeUndefined()
})

test('a withdrawal that does not name all transactions still counts them all', () => {
  const report = withdrawalReport({ ...withdrawal, first: 6, fate: 'lose', withdrawn: [toWord(3)] }, 40)
  expect(report).toMatchObject({ count: 40, hashes: [toWord(3)] })
  expect(report.words).toContain('Partial block 7 of block 5 was withdrawn. Its 40 transactions are lost')
})

test('a reorg names the transactions of the removed block and of the live one', async () => {
  const { provider } = fakeChain({
    eth_getBlockByNumber: { hash: toWord(9), transactions: [toWord(1)] },
    devnet_reorg: { head: { number: '0x3', hash: toWord(8) }, removed: [toWord(9)] },
  })
  const report = await causeFault(provider, 'reorg', 'lose', [])
  expect(report?.words).toContain('Block 4 was removed')
  expect(report?.words).toContain('2 transactions are lost')
  expect(report?.hashes).toHaveLength(2)
})

test('a reorg of empty blocks says so', async () => {
  const { provider } = fakeChain({
    eth_getBlockByNumber: { hash: toWord(9), transactions: [] },
    devnet_reorg: { head: { number: '0x3', hash: toWord(8) }, removed: [toWord(9)] },
  })
  expect((await causeFault(provider, 'reorg', 'requeue', []))?.words).toContain('Neither held a transaction.')
})

test('nothing is claimed about a block that was sealed meanwhile', async () => {
  const { provider } = fakeChain({
    eth_getBlockByNumber: { hash: toWord(7), transactions: [toWord(1)] },
    devnet_reorg: { head: { number: '0x3', hash: toWord(8) }, removed: [toWord(9)] },
  })
  expect((await causeFault(provider, 'reorg', 'requeue', []))?.hashes).toEqual([])
})

test.for([
  ['stall', 'devnet_stallPartialBlocks [5]'],
  ['delay', 'devnet_delaySeal [2000]'],
] as const)('%s calls the chain once', async ([kind, call]) => {
  const { provider, asked } = fakeChain({ devnet_status: { live: { number: '0x5' } } })
  await causeFault(provider, kind, 'requeue', [])
  expect(asked.filter((line) => line === call)).toHaveLength(1)
})
