import { describe, expect, test } from 'vitest'
import { account, OTHER, setUp, sign } from '#testing/node/txpool/mempool.ts'

describe('the messages of eth_sendRawTransaction, 18: a replacement', () => {
  test.each([
    [109n, 20n],
    [200n, 10n],
    [110n, 10n],
  ])('with fee cap %d and tip %d instead of 100 and 10 is refused', async (maxFeePerGas, maxPriorityFeePerGas) => {
    const { submit, refused, mempool } = setUp()
    const { tx } = submit(await sign())
    expect(refused(await sign({ maxFeePerGas, maxPriorityFeePerGas }))).toEqual({
      code: 'replacement-underpriced',
      message: 'replacement transaction underpriced',
      data: {
        maxFeePerGas: `0x${maxFeePerGas.toString(16)}`,
        requiredMaxFeePerGas: '0x6e',
        maxPriorityFeePerGas: `0x${maxPriorityFeePerGas.toString(16)}`,
        requiredMaxPriorityFeePerGas: '0xb',
      },
    })
    expect(mempool.reader.get(tx.hash)).toBe(tx)
  })

  test('with exactly 10% more is accepted', async () => {
    const { submit, mempool } = setUp()
    const { tx } = submit(await sign())
    const added = submit(await sign({ maxFeePerGas: 110n, maxPriorityFeePerGas: 11n }))
    expect(added).toMatchObject({ replaced: tx, evicted: [] })
    expect(mempool.reader.get(tx.hash)).toBeUndefined()
    expect(mempool.reader.size()).toEqual({ pending: 1, queued: 0 })
  })

  test('rounds up what it requires', async () => {
    const { submit, refused } = setUp()
    submit(await sign({ maxFeePerGas: 101n, maxPriorityFeePerGas: 1n }))
    expect(refused(await sign({ maxFeePerGas: 111n, maxPriorityFeePerGas: 2n })).data).toMatchObject({
      requiredMaxFeePerGas: '0x70',
      requiredMaxPriorityFeePerGas: '0x2',
    })
    expect(submit(await sign({ maxFeePerGas: 112n, maxPriorityFeePerGas: 2n })).replaced).toBeDefined()
  })

  test('of a transaction with tip 0 only needs a higher fee cap', async () => {
    const { submit } = setUp()
    submit(await sign({ maxPriorityFeePerGas: 0n }))
    const added = submit(await sign({ maxFeePerGas: 110n, maxPriorityFeePerGas: 0n }))
    expect(added.replaced).toBeDefined()
  })

  test('takes a legacy price as fee cap and tip', async () => {
    const { submit, refused } = setUp()
    const legacy = { type: 'legacy', chainId: 31_337, nonce: 0, gas: 21_000n, to: OTHER, gasPrice: 50n } as const
    submit(await account.signTransaction(legacy))
    expect(refused(await sign({ maxFeePerGas: 100n, maxPriorityFeePerGas: 54n })).data).toMatchObject({
      requiredMaxFeePerGas: '0x37',
      requiredMaxPriorityFeePerGas: '0x37',
    })
    expect(submit(await sign({ maxFeePerGas: 100n, maxPriorityFeePerGas: 55n })).replaced).toBeDefined()
  })
})
