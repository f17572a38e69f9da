import { describe, expect, test } from 'vitest'
import { type Hex, toQuantity } from '#primitives/hex.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import { type ChangeAnswer, forkOf } from '#testing/node/fork-of.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'

/** Logs nothing, under no topic. */
const EMITTER: Hex = '0x5f5fa000'
const emitter: Hex = `0x${'51'.repeat(20)}`
const HOLDER: Hex = `0x${'99'.repeat(20)}`

const emit = (nonce: number, tip = 10n ** 9n) =>
  devAccount(0).signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce,
    to: emitter,
    gas: 100_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: tip,
  })

async function mine(node: TestNode, ...raw: readonly Hex[]): Promise<void> {
  for (const each of raw) await node.request('eth_sendRawTransaction', [each])
  await node.request('devnet_seal')
}

/** Blocks 1 to 4: with a log, an edit of the holder's balance, two transactions, nothing. */
async function originalChain(): Promise<TestNode> {
  const original = await createTestNode({ mode: 'manual', genesis: { [emitter]: { code: EMITTER } } })
  await mine(original, await emit(0))
  await original.request('anvil_setBalance', [HOLDER, '0x5'])
  await mine(original, await emit(1, 5n), await signTransfer(1, 0, { to: HOLDER }))
  await mine(original)
  return original
}

const hashOf = async (node: TestNode, number: number) =>
  (await node.request('eth_getBlockByNumber', [toQuantity(number), false]))?.hash as Hex
const headOf = async (node: TestNode) => Number(await node.request('eth_blockNumber'))

describe('blocks before the fork by their hashes', () => {
  test('have their transactions, also the fork’s own, of which only the header is here', async () => {
    const original = await originalChain()
    await mine(original, await emit(2))
    const { node } = await forkOf(original)
    const hash = await hashOf(original, await headOf(original))
    for (const [method, ...params] of [
      ['eth_getBlockByHash', true],
      ['eth_getBlockTransactionCountByHash'],
      ['eth_getTransactionByBlockHashAndIndex', '0x0'],
    ] as const) {
      const call = [hash, ...params]
      expect(await node.request(method, call), method).toEqual(await original.request(method, call))
    }
    expect(await node.request('eth_getBlockTransactionCountByHash', [hash])).toBe('0x1')
  })

  test('have their receipts, and so have those after it', async () => {
    const original = await originalChain()
    const { node } = await forkOf(original)
    const forkedAt = await headOf(original)
    for (let number = 0; number <= forkedAt; number++) {
      const hash = await hashOf(original, number)
      for (const ref of [hash, { blockHash: hash }]) {
        expect(await node.request('eth_getBlockReceipts', [ref])).toEqual(
          await original.request('eth_getBlockReceipts', [ref]),
        )
      }
    }
    await mine(node, await emit(2))
    const [receipt] = (await node.request('eth_getBlockReceipts', [await hashOf(node, forkedAt + 1)])) ?? []
    expect(receipt).toMatchObject({ to: emitter, status: '0x1' })
  })

  test('have their states; the fork’s own is proven and not asked for', async () => {
    const original = await originalChain()
    const { asked, node } = await forkOf(original)
    const forkedAt = await headOf(original)
    const balanceAt = async (number: number, from: TestNode) => {
      const at = { blockHash: await hashOf(from, number), requireCanonical: true }
      return node.request('eth_getBalance', [HOLDER, at])
    }
    expect(await balanceAt(1, original)).toBe('0x0')
    expect(await balanceAt(2, original)).toBe('0x5')
    expect(asked.filter((method) => method === 'eth_getBalance')).toHaveLength(2)
    expect(await balanceAt(forkedAt, original)).toBe('0x6')
    await mine(node, await signTransfer(1, 1, { to: HOLDER }))
    expect(await balanceAt(forkedAt + 1, node)).toBe('0x7')
    expect(asked.filter((method) => method === 'eth_getBalance')).toHaveLength(2)
    const hash = await hashOf(original, 2)
    expect(await node.request('eth_call', [{ to: emitter }, { blockHash: hash }])).toBe('0x')
    await expect(
      node.requestLoosely('eth_getBalance', [HOLDER, { blockHash: hash, blockNumber: '0x2' }]),
    ).rejects.toMatchObject({ error: { code: -32602 } })
  })
})

test('what the endpoint may say otherwise later is asked for each time, and what is settled once', async () => {
  const original = await originalChain()
  const settled = (await original.request('eth_getBlockByNumber', ['0x1', false]))?.transactions[0] as Hex
  const { asked, node } = await forkOf(original)
  const hash = await original.request('eth_sendRawTransaction', [await emit(2)])
  const found = (of: Hex) => node.request('eth_getTransactionByHash', [of])
  const count = (method: MethodName) => asked.filter((each) => each === method).length
  // In no block, then in one after the fork's: it may still go back into none, or the chain be another one.
  expect(await found(hash)).toBeNull()
  await mine(original)
  expect(await found(hash)).toBeNull()
  expect(await node.request('eth_getTransactionReceipt', [hash])).toBeNull()
  expect(count('eth_getTransactionByHash')).toBe(2)
  await found(settled)
  await found(settled)
  expect(count('eth_getTransactionByHash')).toBe(3)
  // The number of the block of a hash is asked once.
  for (const method of ['debug_traceTransaction', 'trace_transaction', 'eth_getRawTransactionByHash'] as const) {
    await node.request(method, [settled])
  }
  expect(count('eth_getTransactionByHash')).toBe(3)
  const block = await hashOf(original, 1)
  for (const method of ['eth_getBlockReceipts', 'trace_block', 'debug_getRawHeader'] as const) {
    await node.request(method, [block])
  }
  expect(count('eth_getBlockByHash')).toBe(1)
})

test('transactions and blocks before the fork are traced by the endpoint, and those after it here', async () => {
  const original = await originalChain()
  const { asked, node } = await forkOf(original)
  const { transactions: [old] = [] } = (await original.request('eth_getBlockByNumber', ['0x3', false])) ?? {}
  const calls: readonly (readonly [method: MethodName, ...params: readonly unknown[]])[] = [
    ['debug_getRawTransaction', old],
    ['debug_traceTransaction', old, { tracer: 'callTracer' }],
    ['debug_traceBlockByNumber', '0x3'],
    ['debug_traceBlockByHash', await hashOf(original, 3)],
    ['trace_transaction', old],
    ['trace_get', old, []],
    ['trace_block', '0x3'],
    ['trace_block', await hashOf(original, 3)],
    ['trace_replayTransaction', old, ['trace']],
    ['trace_replayBlockTransactions', '0x3', ['trace']],
  ]
  for (const [method, ...params] of calls) {
    expect(await node.request(method, params), method).toEqual(await original.request(method, params))
  }
  await mine(node, await emit(2))
  const forkedAt = await headOf(original)
  const { hash, transactions: [own] = [] } =
    (await node.request('eth_getBlockByNumber', [toQuantity(forkedAt + 1), false])) ?? {}
  const before = asked.length
  expect(await node.request('debug_traceTransaction', [own, { tracer: 'callTracer' }])).toMatchObject({ to: emitter })
  expect(await node.request('trace_transaction', [own])).toMatchObject([{ transactionHash: own }])
  expect(await node.request('trace_block', [hash])).toMatchObject([{ blockHash: hash }])
  expect(await node.request('debug_traceBlockByHash', [hash])).toMatchObject([{ txHash: own }])
  await expect(node.request('debug_traceTransaction', ['0x12'])).rejects.toMatchObject({ error: { code: -32602 } })
  expect(asked.slice(before)).toEqual([])
})

test('a filter finds the logs of both chains, and its changes are those of this one', async () => {
  const original = await originalChain()
  const { node } = await forkOf(original)
  const criteria = { fromBlock: '0x0', address: emitter, topics: [] }
  const filter = await node.request('eth_newFilter', [criteria])
  const before = await original.request('eth_getLogs', [criteria])
  expect(before).toHaveLength(2)
  expect(await node.request('eth_getFilterLogs', [filter])).toEqual(before)
  await mine(node, await emit(2))
  const after = await node.request('eth_getLogs', [criteria])
  expect(after).toHaveLength(3)
  expect(await node.request('eth_getFilterLogs', [filter])).toEqual(after)
  expect(await node.request('eth_getFilterChanges', [filter])).toEqual(after.slice(2))
  const blockHash = await hashOf(original, 1)
  const ofBlock = await node.request('eth_newFilter', [{ blockHash, address: [emitter], topics: [null] }])
  expect(await node.request('eth_getFilterLogs', [ofBlock])).toEqual([])
  const ofAnyTopic = await node.request('eth_newFilter', [{ blockHash }])
  expect(await node.request('eth_getFilterLogs', [ofAnyTopic])).toEqual(before.slice(0, 1))
})

describe('eth_feeHistory', () => {
  test('of a range over the fork is that of the chain that made the same blocks', async () => {
    const original = await originalChain()
    const { node } = await forkOf(original)
    const forkedAt = await headOf(original)
    for (const each of [original, node]) {
      await mine(each, await emit(2, 7n), await signTransfer(1, 1, { to: HOLDER }))
      await mine(each)
      await mine(each, await emit(3))
    }
    expect(await hashOf(node, forkedAt + 3)).toBe(await hashOf(original, forkedAt + 3))
    for (const params of [
      ['0x5', 'latest', [10, 50, 90]],
      ['0x3', 'latest', [50]],
      ['0x4', 'latest', []],
      ['0x400', 'latest'],
      ['0x2', toQuantity(forkedAt + 1), [50]],
      ['0x2', toQuantity(forkedAt), [50]],
      ['0x3', toQuantity(2)],
      ['0x6', 'pending', [50]],
      ['0x0', 'latest'],
    ] as const) {
      expect(await node.request('eth_feeHistory', params), JSON.stringify(params)).toEqual(
        await original.request('eth_feeHistory', params),
      )
    }
    await expect(node.request('eth_feeHistory', ['0x5', 'latest', [50, 10]])).rejects.toMatchObject({
      error: { message: expect.stringMatching(/^invalid reward percentile/) as unknown },
    })
  })

  const wrong: readonly (readonly [name: string, answer: unknown])[] = [
    ['baseFeePerGas', null],
    ['baseFeePerGas', { gasUsedRatio: [0], baseFeePerGas: 7, reward: [['0x1']] }],
    ['baseFeePerGas', { gasUsedRatio: Array<number>(9).fill(0), baseFeePerGas: Array<Hex>(10).fill('0x1') }],
    ['reward', { gasUsedRatio: [0], baseFeePerGas: ['0x1', '0x1'] }],
  ]
  test.each(wrong)('is refused if the endpoint answers no %s: %j', async (name, answer) => {
    const change: ChangeAnswer = (method, _params, right) => (method === 'eth_feeHistory' ? answer : right)
    const { node } = await forkOf(await originalChain(), change)
    await mine(node)
    await expect(node.request('eth_feeHistory', ['0x2', 'latest', [50]])).rejects.toMatchObject({
      error: {
        code: -32000,
        message: `remote.example answers eth_feeHistory with what is no ${name}`,
      },
    })
  })
})
