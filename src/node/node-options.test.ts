import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { toQuantity, toWord } from '#primitives/hex.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { createNode } from './node.ts'
import { InvalidOptionError } from './spec/invalid-option-error.ts'

const KEY = toWord(0xb11c)
const OWN = privateKeyToAccount(KEY).address.toLowerCase() as `0x${string}`
const FUNDED = `0x${'fd'.repeat(20)}` as const
const ETHER = 10n ** 18n

async function nodeWith(options: NodeOptions) {
  const { request } = await createTestNode({ mode: 'manual', ...options })
  return request
}

test('the node signs and sends for an account that it was given with its key', async () => {
  const request = await nodeWith({
    accounts: [
      { address: FUNDED, balance: '1' },
      { address: OWN, privateKey: KEY, balance: String(ETHER) },
    ],
  })
  expect(await request('eth_accounts')).toEqual([OWN])
  expect(await request('eth_requestAccounts')).toEqual([OWN])
  expect(await request('wallet_getPermissions')).toMatchObject([{ caveats: [{ value: [OWN] }] }])
  expect(await request('devnet_status')).toMatchObject({ accounts: [FUNDED, OWN] })

  const hash = await request('eth_sendTransaction', [{ from: OWN, to: FUNDED, value: '0x1' }])
  await request('devnet_tick')
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ from: OWN, status: '0x1' })
  expect(await request('eth_getBalance', [FUNDED, 'pending'])).toBe('0x2')
  expect(await request('personal_sign', ['0x01', OWN])).toBe(
    await privateKeyToAccount(KEY).signMessage({ message: { raw: '0x01' } }),
  )
})

test('the node signs neither for an account without a key nor for the default ones that it does not have', async () => {
  const request = await nodeWith({ accounts: [{ address: FUNDED, balance: String(ETHER) }] })
  for (const from of [FUNDED, '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266']) {
    await expect(request('eth_sendTransaction', [{ from, to: OWN }])).rejects.toThrow('unknown account')
    await expect(request('personal_sign', ['0x01', from])).rejects.toThrow('unknown account')
  }
  expect(await request('eth_accounts')).toEqual([])
})

test('the genesis accounts are in block 0, and visible to calls', async () => {
  // Returns the word in slot 1.
  const code = '0x60015460005260206000f3'
  const request = await nodeWith({
    genesis: { [FUNDED]: { balance: '0x5', nonce: 9, code, storage: { '0x1': '0x2a' } } },
  })
  expect(await request('eth_getBalance', [FUNDED, 'earliest'])).toBe('0x5')
  expect(await request('eth_getTransactionCount', [FUNDED, 'earliest'])).toBe('0x9')
  expect(await request('eth_getCode', [FUNDED, 'earliest'])).toBe(code)
  expect(await request('eth_getStorageAt', [FUNDED, '0x1', 'earliest'])).toBe(toWord(42))
  expect(await request('eth_call', [{ to: FUNDED }, 'pending'])).toBe(toWord(42))
})

test('fees, the coinbase and the timestamp of block 0 are as asked for, and later blocks follow', async () => {
  const request = await nodeWith({
    baseFee: 1_000,
    minBaseFee: 990,
    baseFeeDenominator: 10,
    baseFeeElasticity: 2,
    coinbase: FUNDED,
    genesisTimestamp: 1_000,
  })
  expect(await request('eth_getBlockByNumber', ['0x0', false])).toMatchObject({
    baseFeePerGas: toQuantity(1_000),
    miner: FUNDED,
    timestamp: toQuantity(1_000),
    extraData: '0x010000000a0000000200000000000003de',
  })
  await request('devnet_tick', [10])
  // An empty block lowers it by a tenth, but not below the floor.
  expect(await request('eth_getBlockByNumber', ['0x1', false])).toMatchObject({
    baseFeePerGas: toQuantity(990),
    miner: FUNDED,
    timestamp: toQuantity(1_002),
  })
})

test('a chain on the clock starts now after a genesis of the past, and at a genesis of the future', async () => {
  const past = await createTestNode({ genesisTimestamp: 5 })
  const nowSeconds = past.clock.now() / 1000
  expect(await past.request('eth_getBlockByNumber', ['0x0', false])).toHaveProperty('timestamp', '0x5')
  await past.clock.advance(2_000)
  expect(await past.request('eth_getBlockByNumber', ['0x1', false])).toHaveProperty(
    'timestamp',
    toQuantity(nowSeconds + 2),
  )

  const future = await createTestNode({ genesisTimestamp: nowSeconds + 1_000 })
  await future.clock.advance(4_000)
  expect(await future.request('eth_getBlockByNumber', ['0x2', false])).toHaveProperty(
    'timestamp',
    toQuantity(nowSeconds + 1_004),
  )
})

test('safe and finalized are as many blocks behind as set', async () => {
  const request = await nodeWith({ safeDistance: 1, finalizedDistance: 2 })
  await request('devnet_tick', [30])
  expect(await request('eth_blockNumber')).toBe('0x3')
  expect(await request('eth_getBlockByNumber', ['safe', false])).toHaveProperty('number', '0x2')
  expect(await request('eth_getBlockByNumber', ['finalized', false])).toHaveProperty('number', '0x1')
})

test('invalid options are refused before a node runs', async () => {
  const deps = { clock: (await createTestNode()).clock, log: () => {} }
  await expect(createNode({ genesis: { x: {} } }, deps)).rejects.toThrow(InvalidOptionError)
})

test('web3_clientVersion answers the given name, and unreadable names are refused', async () => {
  const request = await nodeWith({ clientVersion: 'anvil/v1.0.0' })
  expect(await request('web3_clientVersion')).toBe('anvil/v1.0.0')
  expect((await request('devnet_status')).clientVersion).toBe('anvil/v1.0.0')
  for (const clientVersion of ['', 'two words', 'x'.repeat(101)]) {
    await expect(nodeWith({ clientVersion })).rejects.toThrow(InvalidOptionError)
  }
})
