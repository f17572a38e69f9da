import { expect, test } from 'vitest'
import { toQuantity, toWord } from '#primitives/hex.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'

/** Block 1 with two transactions, and a pre-confirmed one. */
async function createChain() {
  const node = await createTestNode({ mode: 'manual' })
  const raws = [await signTransfer(0, 0), await signTransfer(0, 1), await signTransfer(0, 2)]
  const send = (raw: string | undefined) => node.request('eth_sendRawTransaction', [raw])
  await send(raws[0])
  await send(raws[1])
  await node.request('devnet_tick', [10])
  await send(raws[2])
  await node.request('devnet_tick')
  const sealed = await node.request('eth_getBlockByNumber', ['latest', true])
  const live = await node.request('eth_getBlockByNumber', ['pending', true])
  if (!sealed || !live) throw new Error('a block is missing')
  return { ...node, raws, sealed, live }
}

test('transactions are found by block and position, pre-confirmed ones at pending', async () => {
  const { request, raws, sealed, live } = await createChain()
  for (const [i, transaction] of sealed.transactions.entries()) {
    const position = toQuantity(i)
    for (const ref of ['latest', '0x1']) {
      expect(await request('eth_getTransactionByBlockNumberAndIndex', [ref, position])).toEqual(transaction)
      expect(await request('eth_getRawTransactionByBlockNumberAndIndex', [ref, position])).toBe(raws[i])
    }
    expect(await request('eth_getTransactionByBlockHashAndIndex', [sealed.hash, position])).toEqual(transaction)
    expect(await request('eth_getRawTransactionByBlockHashAndIndex', [sealed.hash, position])).toBe(raws[i])
  }
  expect(sealed.transactions).toHaveLength(2)
  expect(await request('eth_getTransactionByBlockNumberAndIndex', ['pending', '0x0'])).toEqual(live.transactions[0])
  expect(await request('eth_getRawTransactionByBlockNumberAndIndex', ['pending', '0x0'])).toBe(raws[2])
})

test('an unknown position or block has no transaction', async () => {
  const { request, sealed, live } = await createChain()
  for (const [ref, position] of [
    ['0x1', '0x2'],
    ['0x2', '0x0'],
    ['pending', '0x1'],
    ['latest', '0xffffffffffffffff'],
  ]) {
    expect(await request('eth_getTransactionByBlockNumberAndIndex', [ref, position])).toBeNull()
    expect(await request('eth_getRawTransactionByBlockNumberAndIndex', [ref, position])).toBe('0x')
  }
  for (const [hash, position] of [
    [sealed.hash, '0x2'],
    [live.hash, '0x0'],
    [toWord(1), '0x0'],
  ]) {
    expect(await request('eth_getTransactionByBlockHashAndIndex', [hash, position])).toBeNull()
    expect(await request('eth_getRawTransactionByBlockHashAndIndex', [hash, position])).toBe('0x')
  }
})

test('headers are blocks without their bodies', async () => {
  const { request, sealed, live } = await createChain()
  const strip = (block: object) =>
    Object.fromEntries(
      Object.entries(block).filter(([name]) => !['transactions', 'uncles', 'withdrawals', 'size'].includes(name)),
    )
  expect(await request('eth_getHeaderByNumber', ['latest'])).toEqual(strip(sealed))
  expect(await request('eth_getHeaderByHash', [sealed.hash])).toEqual(strip(sealed))
  expect(await request('eth_getHeaderByNumber', ['pending'])).toEqual(strip(live))
  expect(await request('eth_getHeaderByNumber', ['0x2'])).toBeNull()
  expect(await request('eth_getHeaderByHash', [live.hash])).toBeNull()
})

test('transactions and uncles are counted; there are never any uncles', async () => {
  const { request, sealed, live } = await createChain()
  expect(await request('eth_getBlockTransactionCountByHash', [sealed.hash])).toBe('0x2')
  expect(await request('eth_getBlockTransactionCountByHash', [live.hash])).toBeNull()
  expect(await request('eth_getUncleCountByBlockHash', [sealed.hash])).toBe('0x0')
  expect(await request('eth_getUncleCountByBlockHash', [live.hash])).toBeNull()
  expect(await request('eth_getUncleCountByBlockNumber', ['pending'])).toBe('0x0')
  expect(await request('eth_getUncleCountByBlockNumber', ['0x2'])).toBeNull()
  expect(await request('eth_getUncleByBlockNumberAndIndex', ['latest', '0x0'])).toBeNull()
  expect(await request('eth_getUncleByBlockHashAndIndex', [sealed.hash, '0x0'])).toBeNull()
})

test.each([
  [['latest'], 'missing value for required argument 1'],
  [['latest', 0], 'invalid argument 1: json: cannot unmarshal non-string into Go value of type hexutil.Uint'],
  [
    ['latest', '0x01'],
    'invalid argument 1: json: cannot unmarshal hex number with leading zero digits into Go value of type hexutil.Uint',
  ],
])('an invalid position is refused: %j', async (params, message) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request('eth_getTransactionByBlockNumberAndIndex', params)).rejects.toMatchObject({
    error: { code: -32602, message },
  })
})
