import { expect, test } from 'vitest'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const from = devAccount(1).address
const to = devAccount(9).address

/** Hashes of the transactions of a block. */
const contents = async ({ request }: TestNode, number: number) =>
  (await request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]))?.transactions

/** Five blocks, each with a transfer of account 0. */
async function withBlocks(automine = false) {
  const node = await createTestNode({ mode: 'manual' })
  if (automine) await node.request('evm_setAutomine', [true])
  const hashes = []
  for (let nonce = 0; nonce < 5; nonce++) {
    hashes.push(await node.request('eth_sendRawTransaction', [await signTransfer(0, nonce)]))
    if (!automine) await node.request('devnet_seal')
  }
  return { node, hashes }
}

test('blocks are replaced by as many others, and their transactions are lost', async () => {
  const { node, hashes } = await withBlocks()
  const old = await node.request('eth_getBlockByNumber', ['0x4', false])
  expect(await node.request('anvil_reorg', [2])).toBeNull()
  expect(await node.request('eth_blockNumber')).toBe('0x5')
  expect([await contents(node, 3), await contents(node, 4), await contents(node, 5)]).toEqual([[hashes[2]], [], []])
  expect((await node.request('eth_getBlockByNumber', ['0x4', false]))?.hash).not.toBe(old?.hash)
  expect(await node.request('eth_getTransactionByHash', [hashes[4]])).toBeNull()
  expect(await node.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
})

test.each([[false], [true]])(
  'transactions go into the new block that is named, with automine: %s',
  async (automine) => {
    const { node, hashes } = await withBlocks(automine)
    const again = await signTransfer(0, 2, { value: 77n })
    const placed = [
      [{ from, to, value: '0x7' }, 2],
      [again, 0],
      [{ from, to, value: '0x8' }, 2],
    ]
    expect(await node.request('anvil_reorg', [3, placed])).toBeNull()
    expect(await node.request('eth_blockNumber')).toBe('0x5')
    expect(await contents(node, 2)).toEqual([hashes[1]])
    const block = (number: string) => node.request('eth_getBlockByNumber', [number, true])
    expect((await block('0x3'))?.transactions).toMatchObject([{ value: '0x4d', nonce: '0x2' }])
    expect((await block('0x4'))?.transactions).toEqual([])
    expect((await block('0x5'))?.transactions).toMatchObject([
      { value: '0x7', nonce: '0x0' },
      { value: '0x8', nonce: '0x1' },
    ])
  },
)

test.each([
  [[0], 'invalid argument 0: 0 is not a whole number from 1 to 100000'],
  [[100_001], 'invalid argument 0: 100001 is not a whole number from 1 to 100000'],
  [
    [2, [[{ from, to }, 2]]],
    'Block number for reorg tx will exceed the reorged chain height. Block number 2 must not exceed (depth-1) 1',
  ],
  [[1, [[{ from, to }]]], 'invalid argument 1: not a transaction and the number of a block'],
  [
    [1, [['0x1', 0]]],
    'invalid argument 1: json: cannot unmarshal hex string of odd length into Go value of type hexutil.Bytes',
  ],
  [[1, Array.from({ length: 1_001 }, () => [{ from, to }, 0])], 'invalid argument 1: bring at most 1000 transactions'],
  [[1, {}], 'invalid argument 1: json: cannot unmarshal object into Go value of type [](transaction, block)'],
])('anvil_reorg of %j is refused, and the chain stays', async (params, message) => {
  const { node } = await withBlocks()
  const head = await node.request('eth_getBlockByNumber', ['latest', false])
  await expect(node.requestLoosely('anvil_reorg', params)).rejects.toMatchObject({ error: { code: -32_602, message } })
  expect(await node.request('eth_getBlockByNumber', ['latest', false])).toEqual(head)
})

test('a reorg beyond block 0, or with bytes that are not a transaction, is refused, and the chain stays as it was', async () => {
  const { node } = await withBlocks()
  const head = await node.request('eth_getBlockByNumber', ['latest', false])
  await expect(node.request('anvil_reorg', [6])).rejects.toMatchObject({ error: { code: -32_602 } })
  await expect(node.request('anvil_reorg', [1, [['0x1234', 0]]])).rejects.toMatchObject({ error: { code: -32_000 } })
  expect(await node.request('eth_getBlockByNumber', ['latest', false])).toEqual(head)
})

test('a transaction that the pool refuses shortens no chain: the blocks are made, with the other transactions', async () => {
  const { node, hashes } = await withBlocks()
  const usedNonce = await signTransfer(0, 0)
  const refused = node.request('anvil_reorg', [
    3,
    [
      [usedNonce, 0],
      [{ from, to, value: '0x7' }, 2],
    ],
  ])
  await expect(refused).rejects.toMatchObject({ error: { code: -32_000, message: 'nonce too low' } })
  expect(await node.request('eth_blockNumber')).toBe('0x5')
  expect(await contents(node, 2)).toEqual([hashes[1]])
  expect([await contents(node, 3), await contents(node, 4)]).toEqual([[], []])
  expect(await node.request('eth_getBlockByNumber', ['0x5', true])).toMatchObject({
    transactions: [{ value: '0x7' }],
  })
})

test('a transaction of an account that the node does not sign for is refused, and the chain stays', async () => {
  const { node } = await withBlocks()
  const head = await node.request('eth_getBlockByNumber', ['latest', false])
  const stranger = `0x${'5b'.repeat(20)}` as const
  await expect(node.request('anvil_reorg', [2, [[{ from: stranger, to }, 0]]])).rejects.toMatchObject({
    error: { code: -32_000, message: 'unknown account' },
  })
  expect(await node.request('eth_getBlockByNumber', ['latest', false])).toEqual(head)
})
