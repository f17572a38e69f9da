import {
  createTestClient,
  createWalletClient,
  custom,
  type EIP1193RequestFn,
  type Hex,
  pad,
  parseEther,
  publicActions,
} from 'viem'
import { foundry } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { jsonHeaderHash } from '#testing/node/rpc/json-header-hash.ts'
import { createTestNode, devAccount, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const ADDRESS: Hex = `0x${'a1'.repeat(20)}`
/** Answers slot 0. */
const CODE = '0x5f545f5260205ff3'

/** A transport for viem; errors keep their code. */
function transportOf({ request }: TestNode) {
  const forward = async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
    try {
      return await request(method as 'eth_chainId', params)
    } catch (error) {
      if (error instanceof Error && 'error' in error) throw Object.assign(error, error.error)
      throw error
    }
  }
  return custom({ request: forward as EIP1193RequestFn })
}

const testClientOf = (node: TestNode, mode: 'anvil' | 'hardhat') =>
  createTestClient({ mode, chain: foundry, transport: transportOf(node), cacheTime: 0 }).extend(publicActions)

describe.each(['anvil', 'hardhat'] as const)("viem's test client in mode %s", (mode) => {
  const start = async () => {
    const node = await createTestNode({ mode: 'manual' })
    return { ...node, client: testClientOf(node, mode) }
  }

  test('edits of an account are visible at latest and at pending, with correct state roots', async () => {
    const { client, request } = await start()
    await client.setBalance({ address: ADDRESS, value: parseEther('1') })
    await client.setNonce({ address: ADDRESS, nonce: 420 })
    await client.setCode({ address: ADDRESS, bytecode: CODE })
    await client.setStorageAt({ address: ADDRESS, index: 0, value: pad('0x2a') })
    expect(await client.getBlockNumber()).toBe(4n)
    for (const blockTag of ['latest', 'pending'] as const) {
      expect(await client.getBalance({ address: ADDRESS, blockTag })).toBe(parseEther('1'))
      expect(await client.getTransactionCount({ address: ADDRESS, blockTag })).toBe(420)
      expect(await client.getCode({ address: ADDRESS, blockTag })).toBe(CODE)
      expect((await client.call({ to: ADDRESS, blockTag })).data).toBe(pad('0x2a'))
      const block = await request('eth_getBlockByNumber', [blockTag, true])
      expect(block && jsonHeaderHash(block)).toBe(block?.hash)
      expect((await request('eth_getProof', [ADDRESS, [], blockTag])).nonce).toBe('0x1a4')
    }
  })

  test('an account without a key is impersonated until that is stopped', async () => {
    const node = await start()
    const { client, request } = node
    await client.setBalance({ address: ADDRESS, value: parseEther('1') })
    const wallet = createWalletClient({ chain: foundry, transport: transportOf(node), account: ADDRESS })
    await client.impersonateAccount({ address: ADDRESS })
    const hash = await wallet.sendTransaction({ to: devAccount(0).address, value: 5n })
    await client.mine({ blocks: 1 })
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ from: ADDRESS, status: 'success' })
    await client.stopImpersonatingAccount({ address: ADDRESS })
    await expect(wallet.sendTransaction({ to: devAccount(0).address, value: 5n })).rejects.toThrow('unknown account')
    const unsigned = await client.sendUnsignedTransaction({ from: ADDRESS, to: devAccount(0).address, value: 7n })
    await client.mine({ blocks: 1 })
    expect(await client.getTransaction({ hash: unsigned })).toMatchObject({ from: ADDRESS, value: 7n })
    expect(await request('eth_getTransactionCount', [ADDRESS, 'latest'])).toBe('0x2')
  })

  test('blocks are mined, as many and as far apart as asked', async () => {
    const { client } = await start()
    await client.mine({ blocks: 3, interval: 60 })
    expect(await client.getBlockNumber()).toBe(3n)
    const [second, third] = await Promise.all([2n, 3n].map((blockNumber) => client.getBlock({ blockNumber })))
    expect((third?.timestamp ?? 0n) - (second?.timestamp ?? 0n)).toBe(60n)
  })

  test('time travels', async () => {
    const { client } = await start()
    const { timestamp } = await client.getBlock()
    expect(await client.increaseTime({ seconds: 420 })).toBe('0x1a4')
    await client.mine({ blocks: 1 })
    const later = await client.getBlock()
    expect(later.timestamp).toBeGreaterThanOrEqual(timestamp + 420n)
    await client.setNextBlockTimestamp({ timestamp: later.timestamp + 69n })
    await client.mine({ blocks: 1 })
    expect((await client.getBlock()).timestamp).toBe(later.timestamp + 69n)
    await client.setBlockTimestampInterval({ interval: 5 })
    await client.mine({ blocks: 2 })
    expect((await client.getBlock()).timestamp).toBe(later.timestamp + 79n)
    await client.removeBlockTimestampInterval()
  })

  test('headers have the requested fields', async () => {
    const { client } = await start()
    await client.setCoinbase({ address: ADDRESS })
    await client.setBlockGasLimit({ gasLimit: 30_000_000n })
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 20_000_000_000n })
    await client.mine({ blocks: 1 })
    expect(await client.getBlock()).toMatchObject({
      miner: ADDRESS,
      gasLimit: 30_000_000n,
      baseFeePerGas: 20_000_000_000n,
    })
    await expect(client.setMinGasPrice({ gasPrice: 1n })).rejects.toThrow(
      `${mode}_setMinGasPrice is not supported when EIP-1559 is active`,
    )
  })

  test('the state is dumped and loaded again', async () => {
    const { client } = await start()
    const id = await client.snapshot()
    await client.setBalance({ address: ADDRESS, value: 1n })
    await client.revert({ id })
    expect(await client.getBalance({ address: ADDRESS })).toBe(0n)

    await client.setBalance({ address: ADDRESS, value: 2n })
    const state = await client.dumpState()
    await client.reset()
    expect(await client.getBlockNumber()).toBe(0n)
    expect(await client.getBalance({ address: ADDRESS })).toBe(0n)
    await client.loadState({ state })
    expect(await client.getBalance({ address: ADDRESS })).toBe(2n)
  })

  test('transactions are taken out of the pool', async () => {
    const { client, request } = await start()
    const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
    expect((await client.getTxpoolStatus()).pending).toBe(1)
    expect(await client.getTxpoolContent()).toMatchObject({ pending: {} })
    expect(Object.keys((await client.inspectTxpool()).pending)).toHaveLength(1)
    await client.dropTransaction({ hash })
    expect((await client.getTxpoolStatus()).pending).toBe(0)
    expect((await request('devnet_getTransactionTimeline', [hash]))?.events.at(-1)).toMatchObject({ kind: 'dropped' })
  })

  test('automine is turned on and off, and blocks are as far apart as asked', async () => {
    const { client, clock, request } = await start()
    expect(await client.getAutomine()).toBe(false)
    await client.setAutomine(true)
    expect(await client.getAutomine()).toBe(true)
    await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
    expect(await client.getBlockNumber()).toBe(1n)
    await client.setIntervalMining({ interval: 1 })
    expect(await client.getAutomine()).toBe(false)
    await clock.advance(2_000)
    const before = await client.getBlockNumber()
    await clock.advance(5_000)
    expect(await client.getBlockNumber()).toBe(before + 5n)
    await client.setIntervalMining({ interval: 0 })
    await clock.advance(60_000)
    expect(await client.getBlockNumber()).toBe(before + 5n)
  })

  test('methods that need a host are refused with a clear message', async () => {
    const { client } = await start()
    await client.setLoggingEnabled(false)
    await client.setLoggingEnabled(true)
    await expect(client.setRpcUrl('https://eth.example')).rejects.toThrow('cannot be made a fork')
    const forking = client.reset({ blockNumber: 5n, jsonRpcUrl: 'https://eth.example' })
    await expect(forking).rejects.toThrow('cannot be made a fork')
    await client.reset()
  })
})

test('amounts come as numbers, as decimal and as hexadecimal text', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  for (const amount of [1_000, '1000', '0x3e8', '0x03e8']) {
    await request('anvil_setBalance', [ADDRESS, 0])
    expect(await request('anvil_setBalance', [ADDRESS, amount])).toBeNull()
    expect(await request('eth_getBalance', [ADDRESS])).toBe('0x3e8')
  }
  await request('anvil_addBalance', [ADDRESS, `0x${'f'.repeat(64)}`])
  expect(await request('eth_getBalance', [ADDRESS])).toBe(`0x${'f'.repeat(64)}`)
  for (const wrong of [-1, 1.5, 'ten', `0x1${'0'.repeat(64)}`, null, {}]) {
    await expect(request('anvil_setBalance', [ADDRESS, wrong])).rejects.toMatchObject({ error: { code: -32602 } })
  }
})

test('an edit keeps the pool, but drops transactions that the account can no longer pay', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const poor = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  const late = await request('eth_sendRawTransaction', [await signTransfer(1, 0)])
  const kept = await request('eth_sendRawTransaction', [await signTransfer(2, 0)])
  await request('anvil_setBalance', [devAccount(0).address, 1])
  await request('anvil_setNonce', [devAccount(1).address, 4])
  expect((await request('devnet_status')).pool).toEqual({ pending: 1, queued: 0 })
  expect(await request('eth_getTransactionReceipt', [kept])).toBeNull()
  for (const [hash, reason] of [
    [poor, 'insufficient funds for gas * price + value'],
    [late, 'nonce too low'],
  ]) {
    expect((await request('devnet_getTransactionTimeline', [hash]))?.events.at(-1)).toMatchObject({ reason })
  }
  expect(await request('eth_getTransactionCount', [devAccount(1).address, 'pending'])).toBe('0x4')
})

test("hardhat's setNonce refuses to lower a nonce, and anvil's does not", async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  expect(await request('hardhat_setNonce', [ADDRESS, '0x5'])).toBe(true)
  await expect(request('hardhat_setNonce', [ADDRESS, '0x4'])).rejects.toThrow(
    'New nonce (4) must not be smaller than the existing nonce',
  )
  expect(await request('eth_blockNumber')).toBe('0x1')
  await request('anvil_setNonce', [ADDRESS, '0x4'])
  expect(await request('eth_getTransactionCount', [ADDRESS])).toBe('0x4')
})

test('every account is impersonated while auto-impersonation is on', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  await request('anvil_setBalance', [ADDRESS, `0x${(10n ** 18n).toString(16)}`])
  await request('anvil_autoImpersonateAccount', [true])
  await request('eth_sendTransaction', [{ from: ADDRESS, to: ADDRESS }])
  await request('anvil_autoImpersonateAccount', [false])
  await expect(request('eth_sendTransaction', [{ from: ADDRESS, to: ADDRESS }])).rejects.toThrow('unknown account')
  expect(await request('hardhat_stopImpersonatingAccount', [ADDRESS])).toBe(false)
})

test('a transaction that only an edit made possible can be traced', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  await request('devnet_faucet', [ADDRESS])
  await request('anvil_impersonateAccount', [ADDRESS])
  const hash = await request('eth_sendTransaction', [{ from: ADDRESS, to: devAccount(0).address, value: '0x5' }])
  await request('devnet_tick')
  for (const stage of ['pre-confirmed', 'sealed']) {
    const trace = await request('debug_traceTransaction', [hash, { tracer: 'callTracer' }])
    expect(trace, stage).toMatchObject({ from: ADDRESS, value: '0x5' })
    await request('devnet_seal')
  }
})

test('impersonated accounts have a limit, and those that are stopped make room', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const account = (i: number) => `0x${i.toString(16).padStart(40, '0')}` as const
  for (let i = 0; i < 1_000; i++) await request('anvil_impersonateAccount', [account(i)])
  await request('anvil_impersonateAccount', [account(7)])
  await expect(request('hardhat_impersonateAccount', [account(1_000)])).rejects.toMatchObject({
    error: {
      code: -32005,
      message:
        'too many impersonated accounts: there are 1000, stop some of them, or call anvil_autoImpersonateAccount',
    },
  })
  await request('hardhat_stopImpersonatingAccount', [account(7)])
  expect(await request('hardhat_impersonateAccount', [account(1_000)])).toBe(true)
})
