import { expect, test } from 'vitest'
import { type Hex, toWord } from '#primitives/hex.ts'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'

const from = devAccount(0).address.toLowerCase() as Hex
const SOMEBODY: Hex = `0x${'5b'.repeat(20)}`
const COUNTER: Hex = `0x${'5c'.repeat(20)}`
/** Adds 1 to slot 0 and returns it. */
const COUNTS = { code: '0x5f546001015f555f545f5260205ff3' } as const
/** Returns the number of the block and its timestamp. */
const TELLS = { code: '0x435f524260205260405ff3' } as const
const count = { from, to: COUNTER }

test('each call of all bundles sees what those before have changed, and the chain does not', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const bundles = [{ transactions: [count, count] }, { transactions: [count] }]
  expect(await request('eth_callMany', [bundles, {}, { [COUNTER]: COUNTS }])).toEqual([
    [{ value: toWord(1) }, { value: toWord(2) }],
    [{ value: toWord(3) }],
  ])
  expect(await request('eth_getCode', [COUNTER])).toBe('0x')
  expect(await request('eth_callMany', [[]])).toEqual([])
})

test('a call that fails says why, and the others go on', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const reverting = { [SOMEBODY]: { code: '0x5f5ffd' }, [COUNTER]: COUNTS } as const
  const transactions = [
    { from, to: SOMEBODY },
    { from: SOMEBODY, to: from, value: '0x1' },
    { from, to: SOMEBODY, gas: '0x1' },
    count,
  ]
  const [outcomes] = await request('eth_callMany', [[{ transactions }], {}, reverting])
  expect(outcomes).toEqual([
    { error: 'execution reverted' },
    { error: expect.stringContaining('insufficient funds') as string },
    { error: expect.stringContaining('intrinsic gas too low') as string },
    { value: toWord(1) },
  ])
})

test('a bundle has a block of its own, and all begin at a moment of the chain', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const tells = { from, to: COUNTER }
  const blockOverride = { number: '0x63', time: '0x70000000' }
  const bundles = [{ transactions: [tells], blockOverride }, { transactions: [tells] }]
  const [first, second] = await request('eth_callMany', [bundles, { blockNumber: 'latest' }, { [COUNTER]: TELLS }])
  expect(first).toEqual([{ value: `${toWord(0x63)}${toWord(0x70000000).slice(2)}` }])
  expect(second?.[0]?.value?.startsWith(toWord(0))).toBe(true)
  for (const nonce of [0, 1]) {
    await request('eth_sendRawTransaction', [await signTransfer(0, nonce, { to: SOMEBODY, value: 5n })])
  }
  await request('evm_mine')
  const spend = [{ transactions: [{ from: SOMEBODY, to: from, value: '0x6' }] }]
  const fails = [[{ error: expect.stringContaining('insufficient funds') as string }]]
  for (const [transactionIndex, outcome] of [
    [0, fails],
    [1, fails],
    [-1, [[{ value: '0x' }]]],
    [undefined, [[{ value: '0x' }]]],
  ] as const) {
    const at = transactionIndex === undefined ? {} : { transactionIndex }
    expect(await request('eth_callMany', [spend, { blockNumber: '0x1', ...at }])).toEqual(outcome)
  }
  await expect(request('eth_callMany', [spend, { blockNumber: '0x1', transactionIndex: 2 }])).rejects.toThrow(
    'out of range',
  )
})

test.each([
  [[{ transactions: 5 }], 'Bundle.transactions'],
  [[5], 'ethapi.Bundle'],
  [[{ transactions: Array.from({ length: 257 }, () => ({})) }], 'want at most 256'],
])('bundles %# are refused', async (bundles, message) => {
  const { requestLoosely } = await createTestNode({ mode: 'manual' })
  await expect(requestLoosely('eth_callMany', [bundles])).rejects.toMatchObject({
    error: { code: -32602, message: expect.stringContaining(message) as string },
  })
})

test('what all calls return has a bound', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  // Returns a megabyte.
  const returns = { [COUNTER]: { code: '0x621000005ff3' } } as const
  const transactions = Array.from({ length: 200 }, () => count)
  await expect(request('eth_callMany', [[{ transactions }], {}, returns])).rejects.toThrow(/too large|limit/)
  expect((await request('eth_callMany', [[{ transactions: [count] }], {}, returns]))[0]?.[0]?.value).toHaveLength(
    2 + 2 ** 21,
  )
})
