import type { TransactionSerializable } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { account, OTHER, SENDER, setUp, sign, TRANSFER } from '#testing/node/txpool/mempool.ts'

describe('the order of the checks', () => {
  /** A type-2 contract creation that breaks rules 7 to 13 at once, unless a change fixes one. */
  const broken = {
    ...TRANSFER,
    to: undefined,
    chainId: 1,
    gas: 16_777_217n,
    nonce: (2n ** 64n - 1n) as unknown as number,
    data: `0x${'00'.repeat(49_153)}`,
  }
  const code = async (changes: Partial<TransactionSerializable>, options?: Parameters<typeof setUp>[0]) =>
    setUp(options).refused(await sign({ ...broken, ...changes } as Partial<TransactionSerializable>)).code

  test('is the one in the table', async () => {
    const short: Hex = '0x60'
    const small = { gasLimit: 20_000n }
    expect(await code({ data: `0x${'00'.repeat(131_072)}` })).toBe('oversized')
    expect(await code({})).toBe('initcode-too-large')
    expect(await code({ data: short }, small)).toBe('gas-over-cap')
    expect(await code({ data: short, gas: 20_001n }, small)).toBe('gas-over-block-limit')
    expect(await code({ data: short, gas: 20_001n })).toBe('wrong-chain')
    expect(await code({ data: short, gas: 20_001n, chainId: 31_337 })).toBe('nonce-max')
    expect(await code({ data: short, gas: 20_001n, chainId: 31_337, nonce: 0 })).toBe('intrinsic-gas-too-low')
  })

  test('a known transaction is reported as known before any other check', async () => {
    const raw = await sign({ chainId: 1 })
    const { tx } = setUp({ chainId: 1 }).submit(raw)
    expect(setUp({ live: [tx.hash] }).refused(raw).code).toBe('already-known')
  })

  test('missing replay protection is checked before a known hash, a low nonce before low funds, low funds before an underpriced replacement', async () => {
    const unprotected = await account.signTransaction({
      type: 'legacy',
      nonce: 0,
      gas: 21_000n,
      gasPrice: 1n,
      to: OTHER,
    })
    const { tx } = setUp({ allowUnprotected: true }).submit(unprotected)
    expect(setUp({ live: [tx.hash] }).refused(unprotected).code).toBe('not-replay-protected')

    expect(setUp({ accounts: { [SENDER]: { nonce: 1n, balance: 0n } } }).refused(await sign()).code).toBe(
      'nonce-too-low',
    )

    const { submit, refused } = setUp({ accounts: { [SENDER]: { nonce: 0n, balance: 2_100_000n } } })
    submit(await sign())
    expect(refused(await sign({ value: 1n })).code).toBe('insufficient-funds')
  })

  test('a replacement does not need room in a full pool', async () => {
    const { submit } = setUp({ limits: { maxPending: 1 } })
    submit(await sign())
    expect(submit(await sign({ maxFeePerGas: 110n, maxPriorityFeePerGas: 11n })).replaced).toBeDefined()
  })
})
