import { type Hex, keccak256, parseEther, parseTransaction, recoverTransactionAddress } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { toQuantity } from '#primitives/hex.ts'
import { viemWallet } from '#testing/node/rpc/viem-client.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'

const account = devAccount(0)
const FROM = account.address.toLowerCase() as Hex
const TO = devAccount(1).address.toLowerCase() as Hex
const STRANGER = `0x${'99'.repeat(20)}` as const
const TIP = 1_000_000_000n

let node: TestNode
let request: TestNode['request']
beforeEach(async () => {
  node = await createTestNode({ mode: 'manual' })
  request = node.request
})

const baseFee = async () => BigInt((await request('eth_getBlockByNumber', ['pending', false]))?.baseFeePerGas ?? 0)

describe('eth_signTransaction', () => {
  const settled = {
    from: FROM,
    to: TO,
    value: '0x7',
    nonce: '0x0',
    gas: '0x5208',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x1',
  }

  test('a wallet gets bytes that viem parses and the node accepts', async () => {
    const wallet = viemWallet(node, account.address)
    const fees = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n }
    const signed = await wallet.signTransaction({ to: TO, value: 7n, nonce: 0, gas: 21_000n, ...fees })
    expect(parseTransaction(signed)).toMatchObject({
      type: 'eip1559',
      chainId: 31337,
      to: TO,
      value: 7n,
      gas: 21_000n,
      ...fees,
    })
    expect(await recoverTransactionAddress({ serializedTransaction: signed })).toBe(account.address)
    const hash = await wallet.sendRawTransaction({ serializedTransaction: signed })
    await request('devnet_tick')
    expect(await wallet.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  })

  test.each([
    ['gas', 'gas not specified'],
    ['maxFeePerGas', 'missing gasPrice or maxFeePerGas/maxPriorityFeePerGas'],
    ['nonce', 'nonce not specified'],
    ['from', 'unknown account'],
  ])('requires %s', async (name, message) => {
    await expect(request('eth_signTransaction', [{ ...settled, [name]: undefined }])).rejects.toMatchObject({
      error: { code: -32000, message },
    })
  })

  test('refuses another chain', async () => {
    await expect(request('eth_signTransaction', [{ ...settled, chainId: '0x1' }])).rejects.toMatchObject({
      error: { code: -32000, message: "chainId does not match node's (have=1, want=31337)" },
    })
  })
})

describe('eth_fillTransaction', () => {
  test('returns the filled transaction, and its bytes with an empty signature', async () => {
    const { raw, tx } = await request('eth_fillTransaction', [{ from: FROM, to: TO, value: '0x7' }])
    expect(tx).toEqual({
      type: '0x2',
      gasPrice: null,
      hash: keccak256(raw),
      chainId: '0x7a69',
      nonce: '0x0',
      gas: '0x5208',
      to: TO,
      value: '0x7',
      input: '0x',
      maxFeePerGas: toQuantity(TIP + 2n * (await baseFee())),
      maxPriorityFeePerGas: toQuantity(TIP),
      accessList: [],
      v: '0x0',
      r: '0x0',
      s: '0x0',
      yParity: '0x0',
    })
    // Three empty strings at the end: v, r and s.
    expect(raw).toMatch(/^0x02.*c0808080$/)
  })

  test.each([
    [{ type: '0x0' }, { type: '0x0' }, ['accessList', 'maxFeePerGas', 'yParity']],
    [{ type: '0x1' }, { type: '0x1', accessList: [], yParity: '0x0' }, ['maxFeePerGas']],
  ])('%j', async (fields, expected, absent) => {
    const { tx } = await request('eth_fillTransaction', [{ from: FROM, to: TO, ...fields }])
    expect(tx).toMatchObject({ ...expected, gasPrice: toQuantity(TIP + (await baseFee())) })
    for (const name of absent) expect(tx).not.toHaveProperty(name)
  })

  test('fills in a transaction of an account without a key, and counts pooled transactions', async () => {
    const from = devAccount(5).address
    await request('eth_sendTransaction', [{ from, to: STRANGER, value: toQuantity(parseEther('1')) }])
    expect((await request('eth_fillTransaction', [{ from, to: TO }])).tx.nonce).toBe('0x1')
    expect((await request('eth_fillTransaction', [{ from: STRANGER, to: TO, gas: '0x5208' }])).tx.nonce).toBe('0x0')
  })

  test('viem prepares a transaction with it', async () => {
    const wallet = viemWallet(node, account.address)
    const filled = await wallet.fillTransaction({ to: TO, value: 7n })
    expect(filled.transaction).toMatchObject({ type: 'eip1559', from: account.address, to: TO, nonce: 0, gas: 21_000n })
    expect(filled.transaction).not.toHaveProperty('gasPrice', expect.anything())
  })

  test('a local viem account signs and sends what the node filled in', async () => {
    const called: string[] = []
    const recording: Pick<TestNode, 'request'> = {
      request(method, params) {
        called.push(method)
        return request(method, params)
      },
    }
    const hash = await viemWallet(recording, account.address).sendTransaction({ account, to: TO, value: 7n })
    await request('devnet_tick')
    expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
    expect(called).toContain('eth_fillTransaction')
    expect(called).not.toContain('eth_estimateGas')
  })
})
