import { concatHex, keccak256, parseGwei, parseTransaction, serializeTransaction, toRlp } from 'viem'
import { sign as signHash } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { COUNT_AT_PENDING } from '#node/tx/rejection.ts'
import type { Hex } from '#primitives/hex.ts'
import { account, ETHER, OTHER, SENDER, second, setUp, sign, TRANSFER } from '#testing/node/txpool/mempool.ts'

const CREATION = { ...TRANSFER, to: undefined, gas: 16_000_000n }
const DEPLOYER_TRANSACTION =
  '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222'

describe('the messages of eth_sendRawTransaction', () => {
  test('1: one byte or none', () => {
    const error = { code: 'too-short', message: 'typed transaction too short', data: undefined }
    expect(setUp().refused('0x')).toEqual(error)
    expect(setUp().refused('0x02')).toEqual(error)
  })

  test('2: an unknown type, and blob transactions', () => {
    const message = 'transaction type not supported'
    expect(setUp().refused('0x03c0')).toEqual({ code: 'type-not-supported', message, data: { type: '0x3' } })
    expect(setUp().refused('0x63c0')).toEqual({ code: 'type-not-supported', message, data: { type: '0x63' } })
  })

  test('3: bad RLP and a bad signature', async () => {
    const message = 'rlp: too few elements for types.DynamicFeeTx'
    expect(setUp().refused('0x02c0')).toEqual({ code: 'invalid-rlp', message, data: undefined })
    const { s } = parseTransaction(await sign())
    const bad = serializeTransaction(TRANSFER, { r: `0x${'00'.repeat(32)}`, s: s as Hex, yParity: 0 })
    expect(setUp().refused(bad)).toEqual({
      code: 'invalid-signature',
      message: 'invalid transaction v, r, s values',
      data: undefined,
    })
  })

  describe('4: no replay protection', () => {
    const unprotected = () =>
      account.signTransaction({ type: 'legacy', nonce: 0, gas: 21_000n, gasPrice: 100n, to: OTHER })

    test('is refused', async () => {
      expect(setUp().refused(await unprotected())).toEqual({
        code: 'not-replay-protected',
        message: 'only replay-protected (EIP-155) transactions allowed over RPC',
        data: undefined,
      })
    })

    test('is accepted where the chain allows it', async () => {
      const { tx } = setUp({ allowUnprotected: true }).submit(await unprotected())
      expect(tx).toMatchObject({ type: 0, chainId: null })
    })

    test('is accepted for the CREATE2 deployer', () => {
      const { tx } = setUp().submit(DEPLOYER_TRANSACTION)
      expect(tx).toMatchObject({
        sender: '0x3fab184622dc19b6109349b94811493bf2a45362',
        nonce: 0n,
        gas: 100_000n,
        gasPrice: parseGwei('100'),
      })
    })
  })

  test('5: the same hash, in the pool, being executed or in the live block', async () => {
    const error = { code: 'already-known', message: 'already known', data: undefined }
    const { submit, refused, mempool } = setUp()
    const raw = await sign()
    const { tx } = submit(raw)
    expect(refused(raw)).toEqual(error)
    mempool.claim(tx)
    expect(refused(raw)).toEqual(error)
    expect(setUp({ live: [tx.hash] }).refused(raw)).toEqual({ ...error, data: { hint: COUNT_AT_PENDING } })
  })

  test('6: more than 131,072 bytes', async () => {
    const raw = await sign({ data: `0x${'00'.repeat(131_072)}`, gas: 16_000_000n })
    const size = raw.length / 2 - 1
    expect(setUp().refused(raw)).toEqual({
      code: 'oversized',
      message: `oversized data: transaction size ${size}, limit 131072`,
      data: { size: `0x${size.toString(16)}`, limit: '0x20000' },
    })
    const fitting = await sign({ data: `0x${'00'.repeat(131_072 - (size - 131_072))}`, gas: 16_000_000n })
    expect(fitting.length / 2 - 1).toBe(131_072)
    expect(setUp().submit(fitting).tx.input).toHaveLength(131_072 - (size - 131_072))
  })

  test('7: more than 49,152 bytes of initcode', async () => {
    expect(setUp().refused(await sign({ ...CREATION, data: `0x${'00'.repeat(49_153)}` }))).toEqual({
      code: 'initcode-too-large',
      message: 'max initcode size exceeded: code size 49153 limit 49152',
      data: { codeSize: '0xc001', limit: '0xc000' },
    })
    expect(setUp().submit(await sign({ ...CREATION, data: `0x${'00'.repeat(49_152)}` })).tx.to).toBeNull()
    const call = { gas: 16_000_000n, data: `0x${'00'.repeat(49_153)}` as const }
    expect(setUp().submit(await sign(call)).tx.to).toBe(OTHER)
  })

  test('8: gas over 2^24', async () => {
    expect(setUp().refused(await sign({ gas: 16_777_217n }))).toEqual({
      code: 'gas-over-cap',
      message: 'transaction gas limit too high (cap: 16777216, tx: 16777217)',
      data: { gas: '0x1000001', cap: '0x1000000' },
    })
    expect(setUp().submit(await sign({ gas: 16_777_216n })).tx.gas).toBe(16_777_216n)
  })

  test('9: gas over the block limit', async () => {
    const node = setUp({ gasLimit: 1_000_000n })
    expect(node.refused(await sign({ gas: 1_000_001n }))).toEqual({
      code: 'gas-over-block-limit',
      message: 'exceeds block gas limit',
      data: { gas: '0xf4241', blockGasLimit: '0xf4240' },
    })
    expect(node.submit(await sign({ gas: 1_000_000n })).tx.gas).toBe(1_000_000n)
  })

  test('10: a tip over the fee cap', async () => {
    expect(setUp().refused(await tipOverFeeCap())).toEqual({
      code: 'tip-over-fee-cap',
      message: 'max priority fee per gas higher than max fee per gas',
      data: { maxFeePerGas: '0x64', maxPriorityFeePerGas: '0x65' },
    })
    expect(setUp().submit(await sign({ maxPriorityFeePerGas: 100n })).replaced).toBeUndefined()
  })

  test('11: another chain', async () => {
    expect(setUp().refused(await sign({ chainId: 1 }))).toEqual({
      code: 'wrong-chain',
      message: 'invalid sender: invalid chain id for signer: have 1 want 31337',
      data: { chainId: '0x7a69', txChainId: '0x1' },
    })
    const legacy = await account.signTransaction({ type: 'legacy', chainId: 1, nonce: 0, gas: 21_000n, to: OTHER })
    expect(setUp().refused(legacy).code).toBe('wrong-chain')
  })

  test('12: a nonce of 2^64 − 1', async () => {
    // A number cannot hold it, so viem gets a bigint.
    const nonce = (2n ** 64n - 1n) as unknown as number
    expect(setUp().refused(await sign({ nonce }))).toEqual({
      code: 'nonce-max',
      message: 'nonce has max value',
      data: { txNonce: '0xffffffffffffffff' },
    })
    const highest = (2n ** 64n - 2n) as unknown as number
    expect(setUp().submit(await sign({ nonce: highest })).tx.nonce).toBe(2n ** 64n - 2n)
  })

  test('13: gas below the intrinsic gas', async () => {
    expect(setUp().refused(await sign({ gas: 20_999n }))).toEqual({
      code: 'intrinsic-gas-too-low',
      message: 'intrinsic gas too low: gas 20999, minimum needed 21000',
      data: { gas: '0x5207', minimumGas: '0x5208' },
    })
  })

  test('13: gas below the floor of EIP-7623', async () => {
    const data: Hex = `0x${'ff'.repeat(100)}`
    expect(setUp().refused(await sign({ data, gas: 24_999n }))).toEqual({
      code: 'floor-gas-too-low',
      message: 'insufficient gas for floor data gas cost: gas 24999, minimum needed 25000',
      data: { gas: '0x61a7', minimumGas: '0x61a8' },
    })
    expect(setUp().submit(await sign({ data, gas: 25_000n })).tx.gas).toBe(25_000n)
  })

  test('14: a set code transaction without authorizations', async () => {
    const tx = { ...TRANSFER, type: 'eip7702', gas: 100_000n } as const
    expect(setUp().refused(await account.signTransaction({ ...tx, authorizationList: [] }))).toEqual({
      code: 'no-authorizations',
      message: 'set code tx must have at least one authorization tuple',
      data: undefined,
    })
    const authorization = await second.signAuthorization({ contractAddress: OTHER, chainId: 31_337, nonce: 0 })
    const raw = await account.signTransaction({ ...tx, authorizationList: [authorization] })
    expect(setUp().submit(raw).tx).toMatchObject({ type: 4, sender: SENDER })
  })

  test('15: a nonce that is used, or being used', async () => {
    const { submit, refused, mempool } = setUp({ accounts: { [SENDER]: { nonce: 5n, balance: ETHER } } })
    const error = { code: 'nonce-too-low', message: 'nonce too low' }
    expect(refused(await sign({ nonce: 3 }))).toEqual({ ...error, data: { nextNonce: '0x5', txNonce: '0x3' } })
    mempool.claim(submit(await sign({ nonce: 5 })).tx)
    const rival = await sign({ nonce: 5, maxFeePerGas: 1_000n, maxPriorityFeePerGas: 1_000n })
    const data = { nextNonce: '0x6', txNonce: '0x5', hint: COUNT_AT_PENDING }
    expect(refused(rival)).toEqual({ ...error, data })
  })

  test('16: funds below gas times fee cap and value, together with what is pooled', async () => {
    const balance = 3n * 21_000n * 100n
    const { submit, refused, mempool } = setUp({ accounts: { [SENDER]: { nonce: 0n, balance } } })
    const error = { code: 'insufficient-funds', message: 'insufficient funds for gas * price + value' }
    const cost = (wei: bigint) => `0x${wei.toString(16)}`
    expect(refused(await sign({ value: balance - 2_099_999n }))).toEqual({
      ...error,
      data: { balance: cost(balance), txCost: cost(balance + 1n), pooledCost: '0x0' },
    })
    const { tx } = submit(await sign({ value: 1n }))
    const two = { balance: cost(balance), txCost: cost(4_200_000n), pooledCost: cost(2_100_001n) }
    expect(refused(await sign({ nonce: 1, value: 2_100_000n }))).toEqual({ ...error, data: two })
    mempool.claim(tx)
    expect(refused(await sign({ nonce: 1, value: 2_100_000n }))).toEqual({ ...error, data: two })
    expect(submit(await sign({ nonce: 1, value: 2_099_999n })).evicted).toEqual([])
  })

  test('16: the cost of a replacement counts instead of the cost of the replaced transaction', async () => {
    const balance = 21_000n * 110n
    const { submit } = setUp({ accounts: { [SENDER]: { nonce: 0n, balance } } })
    const { tx } = submit(await sign())
    expect(submit(await sign({ maxFeePerGas: 110n, maxPriorityFeePerGas: 11n })).replaced).toEqual(tx)
  })

  test('17: a full pool with nothing worse to evict', async () => {
    const { submit, refused } = setUp({ limits: { maxPending: 1 } })
    const error = { code: 'pool-full', message: 'txpool is full', data: undefined }
    const { tx } = submit(await sign())
    expect(refused(await sign({}, second))).toEqual(error)
    const better = submit(await sign({ maxPriorityFeePerGas: 11n }, second))
    expect(better.evicted).toEqual([tx])
  })
})

/** A type-2 transaction with a fee cap of 100 and a tip of 101, which viem does not sign. */
async function tipOverFeeCap(): Promise<Hex> {
  const fields: Hex[] = ['0x7a69', '0x', '0x65', '0x64', '0x5208', OTHER, '0x', '0x']
  const hash = keccak256(concatHex(['0x02', toRlp([...fields, []])]))
  const { r, s, yParity } = await signHash({ hash, privateKey: `0x${'17'.repeat(32)}` })
  return concatHex(['0x02', toRlp([...fields, [], yParity === 1 ? '0x01' : '0x', r, s])])
}
