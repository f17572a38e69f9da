import { expect, test } from 'vitest'
import { type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'

const from = devAccount(0).address
/** Init code that reverts with `Error("hi")`. */
const REASON: Hex =
  '0x7f08c379a0000000000000000000000000000000000000000000000000000000005f526020600452600260245261686960f01b60445260645ffd'
/** Init code that reverts with `Panic(0x11)`. */
const PANIC: Hex = '0x634e487b7160e01b5f52601160045260245ffd'

async function paused(): Promise<TestNode> {
  const node = await createTestNode()
  await node.request('evm_setAutomine', [false])
  return node
}

const send = ({ request }: TestNode, nonce: number, transaction: object) =>
  request('eth_sendTransaction', [{ from, nonce: toQuantity(nonce), gas: '0x30d40', ...transaction }])

test('the blocks that were sealed are answered with their transactions and what each has returned', async () => {
  const node = await paused()
  const sent = [
    await send(node, 0, { to: devAccount(1).address, value: '0x1' }),
    // The identity contract.
    await send(node, 1, { to: '0x0000000000000000000000000000000000000004', data: '0x1234' }),
    await send(node, 2, { data: '0x60425f5260205ff3' }),
    await send(node, 3, { data: '0x602a5f5260205ffd' }),
    await send(node, 4, { data: REASON }),
    await send(node, 5, { data: PANIC }),
    await send(node, 6, { data: '0xfe' }),
  ]
  const blocks = await node.request('evm_mine_detailed')
  expect(blocks).toHaveLength(1)
  const [block] = blocks
  const plain = await node.request('eth_getBlockByNumber', ['0x1', true])
  expect(block).toMatchObject(plain ?? {})
  const outcomes = block?.transactions.map(({ hash, output, revertReason }) => [hash, output, revertReason])
  expect(outcomes).toEqual([
    [sent[0], '0x', undefined],
    [sent[1], '0x1234', undefined],
    [sent[2], toWord(0x42), undefined],
    [sent[3], toWord(0x2a), undefined],
    [sent[4], `0x${REASON.slice(4, 12)}${'0'.repeat(62)}20${'0'.repeat(63)}26869${'0'.repeat(60)}`, 'hi'],
    [sent[5], `0x4e487b71${toWord(0x11).slice(2)}`, 'arithmetic underflow or overflow'],
    [sent[6], undefined, undefined],
  ])
})

test('several blocks are answered oldest first, the first with the timestamp that was asked for', async () => {
  const { request, raw } = await paused()
  const blocks = await request('evm_mine_detailed', [{ timestamp: 4_000_000_000, blocks: 3 }])
  expect(blocks.map(({ number }) => number)).toEqual(['0x1', '0x2', '0x3'])
  expect(Number(blocks[0]?.timestamp)).toBe(4_000_000_000)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_mine_detailed', params: ['0xee6b2880'] })
  expect(JSON.parse((await raw(body)) ?? '')).toMatchObject({ result: [{ number: '0x4', timestamp: '0xee6b2880' }] })
  expect(await request('evm_mine_detailed', [{ blocks: 0 }])).toEqual([])
})

test('more blocks than an answer has room for are refused before any is sealed', async () => {
  const { request } = await paused()
  await expect(request('evm_mine_detailed', [{ blocks: 257 }])).rejects.toMatchObject({
    error: { code: -32602, message: expect.stringContaining('at most 256: use evm_mine') as string },
  })
  expect(await request('eth_blockNumber')).toBe('0x0')
})

test('blocks whose outputs do not fit into an answer stay sealed, and the error says so', async () => {
  const node = await createTestNode({}, { heapBytes: 1 })
  await node.request('evm_setAutomine', [false])
  const wide: Hex = `0x${'c1'.repeat(20)}`
  // Returns 100,000 bytes.
  await node.request('anvil_setCode', [wide, '0x620186a05ff3'])
  for (let nonce = 0; nonce < 6; nonce++) await send(node, nonce, { to: wide })
  await expect(node.request('evm_mine_detailed')).rejects.toMatchObject({
    error: {
      code: -32000,
      message: expect.stringMatching(/^the blocks are sealed, but .*trace is too large/) as string,
    },
  })
  expect(await node.request('eth_blockNumber')).toBe('0x2')
  expect(await node.request('eth_getBlockTransactionCountByNumber', ['0x2'])).toBe('0x6')
})
