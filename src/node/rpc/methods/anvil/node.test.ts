import { expect, test } from 'vitest'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'

const manual = () => createTestNode({ mode: 'manual' })
const ADDRESS = `0x${'31'.repeat(20)}`
const toHex = (text: string) => `0x${Buffer.from(text).toString('hex')}`

test("the node's metadata are those of anvil and Hardhat, and its instance id stays until a reset", async () => {
  const { request } = await manual()
  await request('devnet_seal', [2])
  const head = await request('eth_getBlockByNumber', ['latest', false])
  const id = await request('anvil_snapshot')
  expect(await request('anvil_nodeInfo')).toEqual({
    currentBlockNumber: '0x2',
    currentBlockTimestamp: Number(head?.timestamp),
    currentBlockHash: head?.hash,
    hardFork: 'osaka',
    transactionOrder: 'fees',
    environment: {
      baseFee: (await request('eth_getBlockByNumber', ['pending', false]))?.baseFeePerGas,
      chainId: 31337,
      gasLimit: '0x17d78400',
      gasPrice: await request('eth_gasPrice'),
    },
    forkConfig: { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
  })
  const hardhat = await request('hardhat_metadata')
  expect(hardhat.instanceId).toMatch(/^0x[0-9a-f]{64}$/)
  expect(hardhat).toEqual({
    clientVersion: await request('web3_clientVersion'),
    chainId: 31337,
    instanceId: hardhat.instanceId,
    latestBlockNumber: 2,
    latestBlockHash: head?.hash,
  })
  expect(await request('anvil_metadata')).toEqual({
    ...hardhat,
    forkedNetwork: null,
    snapshots: { [id]: [2, head?.hash] },
  })
  await request('hardhat_reset')
  expect((await request('hardhat_metadata')).instanceId).not.toBe(hardhat.instanceId)
})

test("anvil's own state, unpacked, is added to the state, as text or as JSON", async () => {
  const { request } = await manual()
  const state = {
    block: { number: '0x5' },
    accounts: {
      [ADDRESS]: { nonce: 3, balance: '0x10', code: '0x5f545f5260205ff3', storage: { '0x0': '0x2a' } },
    },
    best_block_number: 5,
  }
  const before = await request('eth_getBalance', [devAccount(0).address])
  for (const form of [state, toHex(JSON.stringify(state))]) {
    await request('anvil_setStorageAt', [ADDRESS, 1, '0x7'])
    expect(await request('anvil_loadState', [form])).toBe(true)
    expect(await request('eth_getTransactionCount', [ADDRESS])).toBe('0x3')
    expect(await request('eth_call', [{ to: ADDRESS }])).toBe(`0x${'0'.repeat(62)}2a`)
    // The account is what the dump says, and nothing of what it was.
    expect(Number(await request('eth_getStorageAt', [ADDRESS, '0x1']))).toBe(0)
    expect(await request('eth_getBalance', [devAccount(0).address])).toBe(before)
  }
  for (const wrong of ['0x1f8b08', '0x7b', '0x1', 5, { accounts: [] }]) {
    await expect(request('anvil_loadState', [wrong])).rejects.toMatchObject({ error: { code: -32602 } })
  }
})

test('the pool is emptied, of one sender or of all', async () => {
  const { request } = await manual()
  const mine = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('eth_sendRawTransaction', [await signTransfer(1, 0)])
  await request('eth_sendRawTransaction', [await signTransfer(1, 7)])
  await request('anvil_removePoolTransactions', [devAccount(0).address])
  expect(await request('chain_transactionStatus', [mine])).toEqual({ status: 'Unknown' })
  expect((await request('devnet_status')).pool).toEqual({ pending: 1, queued: 1 })
  await request('anvil_dropAllTransactions')
  expect((await request('devnet_status')).pool).toEqual({ pending: 0, queued: 0 })
  expect(await request('eth_getTransactionCount', [devAccount(0).address, 'pending'])).toBe('0x0')
})

test('pre-confirmed transactions are not dropped from the pool', async () => {
  const { request } = await manual()
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_tick')
  expect(await request('anvil_dropTransaction', [hash])).toBeNull()
  await expect(request('hardhat_dropTransaction', [hash])).rejects.toThrow('already mined')
  expect(await request('hardhat_dropTransaction', [`0x${'12'.repeat(32)}`])).toBe(false)
  const next = await request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  expect(await request('hardhat_dropTransaction', [next])).toBe(true)
  expect(await request('eth_getTransactionReceipt', [hash])).not.toBeNull()
})

test('a rollback loses the transactions of its blocks', async () => {
  const { request } = await manual()
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('anvil_mine')
  expect(await request('anvil_rollback', [1])).toBeNull()
  expect(await request('eth_blockNumber')).toBe('0x0')
  expect(await request('chain_transactionStatus', [hash])).toEqual({ status: 'Unknown' })
})

test('the block interval is read in seconds or milliseconds, and keeps the tick length if possible', async () => {
  const { request } = await manual()
  const timing = async () => {
    await request('devnet_seal')
    const { partialMs, partialsPerBlock } = await request('devnet_status')
    return [partialMs, partialsPerBlock]
  }
  expect(await request('anvil_getIntervalMining')).toBeNull()
  await request('evm_setIntervalMining', [5])
  expect(await timing()).toEqual([200, 25])
  expect(await request('anvil_getIntervalMining')).toBe(5)
  await request('evm_setIntervalMining', [3_000])
  expect(await timing()).toEqual([200, 15])
  await request('anvil_setIntervalMining', [60])
  expect(await timing()).toEqual([600, 100])
  await expect(request('anvil_setIntervalMining', [10_000_000])).rejects.toMatchObject({ error: { code: -32602 } })
  await request('anvil_setIntervalMining', [0])
  expect(await request('anvil_getAutomine')).toBe(false)
})

test('a node with logging disabled logs nothing', async () => {
  const { node, request, logged } = await manual()
  // What cannot be sent is worth a line in the log.
  const broken = () => {
    throw new Error('the line is cut')
  }
  const subscribe = async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })
    await node.connect(broken).handle(body)
    await request('devnet_seal')
  }
  await request('anvil_setLoggingEnabled', [false])
  await subscribe()
  expect(logged).toEqual([])
  await request('hardhat_setLoggingEnabled', [true])
  await subscribe()
  expect(logged).toHaveLength(1)
})

test.each([
  ['anvil_loadState', {}],
  ['devnet_importState', { format: 'blinknet-state', version: 1 }],
] as const)('%s of many slots hands the thread over in between, while the chain stands still', async (method, rest) => {
  /** Tells each time that others may have the thread. */
  class SharedClock extends FakeClock {
    onYield = () => {}
    override async yield(): Promise<void> {
      this.onYield()
    }
  }
  const clock = new SharedClock()
  const { request } = await createTestNode({ mode: 'manual' }, { clock })
  const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
  const slots = Array.from({ length: 4_000 }, (_, i) => [word(i), word(1)])
  const accounts = {
    [ADDRESS]: { nonce: '0x0', balance: '0x5', storage: Object.fromEntries(slots) as Record<string, string> },
  }
  const seen: Promise<unknown>[] = []
  clock.onYield = () => seen.push(request('eth_getBalance', [ADDRESS, 'pending']))
  const loaded = request(method, [{ ...rest, accounts }])
  const tick = request('devnet_tick')
  await loaded
  clock.onYield = () => {}
  expect(seen.length).toBeGreaterThanOrEqual(4)
  expect(new Set(await Promise.all(seen.slice(0, 4)))).toEqual(new Set(['0x0']))
  await tick
  expect(await request('eth_getBalance', [ADDRESS, 'pending'])).toBe('0x5')
  expect(await request('eth_getStorageAt', [ADDRESS, '0xf9f', 'pending'])).toMatch(/1$/)
})
