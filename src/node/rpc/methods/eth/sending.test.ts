import { getContractAddress, type Hex, keccak256, parseEther } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { toQuantity } from '#primitives/hex.ts'
import { DEPLOY_GATE } from '#testing/node/rpc/gate-contracts.ts'
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

test('a wallet transfers ether, and the node fills in the rest', async () => {
  const wallet = viemWallet(node, account.address)
  const maxFeePerGas = TIP + 2n * (await baseFee())
  const hash = await wallet.sendTransaction({ to: TO, value: parseEther('1') })
  expect(await wallet.getTransaction({ hash })).toMatchObject({
    type: 'eip1559',
    from: FROM,
    to: TO,
    nonce: 0,
    gas: 21_000n,
    value: parseEther('1'),
    maxFeePerGas,
    maxPriorityFeePerGas: TIP,
    chainId: 31337,
  })
  await request('devnet_tick')
  expect(await wallet.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', from: FROM })
  expect(await wallet.getBalance({ address: TO, blockTag: 'pending' })).toBe(parseEther('10001'))
})

test('a sent transaction is signed: sender and hash follow from its bytes', async () => {
  const hash = await request('eth_sendTransaction', [
    { from: FROM, to: TO, nonce: '0x0', gas: '0x5208', gasPrice: '0x77359400' },
  ])
  const signed = await account.signTransaction({
    type: 'legacy',
    chainId: 31337,
    nonce: 0,
    gas: 21_000n,
    gasPrice: 2_000_000_000n,
    to: TO,
  })
  expect(hash).toBe(keccak256(signed))
})

test('a wallet deploys a contract and calls it with the gas that the node estimates', async () => {
  const wallet = viemWallet(node, account.address)
  const deployment = await wallet.sendTransaction({ data: DEPLOY_GATE })
  await request('devnet_tick')
  const { contractAddress } = await wallet.getTransactionReceipt({ hash: deployment })
  expect(contractAddress?.toLowerCase()).toBe(getContractAddress({ from: FROM, nonce: 0n }).toLowerCase())

  const call = { from: FROM, to: contractAddress?.toLowerCase() as Hex, input: '0x01' as Hex }
  const estimate = await request('eth_estimateGas', [call])
  const hash = await request('eth_sendTransaction', [call])
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ gas: estimate, input: '0x01' })
  await request('devnet_tick')
  expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
})

const accessList = [{ address: STRANGER, storageKeys: [`0x${'01'.repeat(32)}`] }]
const transfer = { from: FROM, to: TO }
test.each([
  ['a gas price', { gasPrice: '0x77359400' }, { type: '0x0', gasPrice: '0x77359400' }],
  [
    'a gas price and an access list',
    { gasPrice: '0x77359400', accessList },
    { type: '0x1', gasPrice: '0x77359400', accessList },
  ],
  ['an access list', { accessList }, { type: '0x2', accessList, maxPriorityFeePerGas: toQuantity(TIP) }],
  ['type 0', { type: '0x0' }, { type: '0x0' }],
  ['type 1', { type: '0x1' }, { type: '0x1', accessList: [] }],
  ['a tip', { maxPriorityFeePerGas: '0x5' }, { type: '0x2', maxPriorityFeePerGas: '0x5' }],
  [
    'a fee cap',
    { maxFeePerGas: '0x77359400' },
    { type: '0x2', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: toQuantity(TIP) },
  ],
  [
    'a fee cap below the suggested tip',
    { maxFeePerGas: '0x5', gas: '0x5208' },
    { type: '0x2', maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x5' },
  ],
  ['both data and input, equal', { data: '0x01', input: '0x01' }, { input: '0x01' }],
  ['the chain id', { chainId: '0x7a69' }, { chainId: '0x7a69' }],
  ['nulls', { nonce: null, gas: null, accessList: null, type: null }, { type: '0x2', nonce: '0x0' }],
])('with %s', async (_what, fields, expected) => {
  const hash = await request('eth_sendTransaction', [{ ...transfer, ...fields }])
  expect(await request('eth_getTransactionByHash', [hash])).toMatchObject({ ...transfer, ...expected })
})

test('with a filled-in price a transaction is included at the next tick', async () => {
  for (const type of ['0x0', '0x1', '0x2']) {
    const hash = await request('eth_sendTransaction', [{ ...transfer, type }])
    await request('devnet_tick')
    expect(await request('eth_getTransactionReceipt', [hash])).toMatchObject({ type, status: '0x1' })
  }
})

test('with an authorization list it is a transaction of type 4, which sets the code', async () => {
  const wallet = viemWallet(node, account.address)
  const authorization = await devAccount(2).signAuthorization({ contractAddress: STRANGER, chainId: 31337, nonce: 0 })
  const hash = await wallet.sendTransaction({ to: TO, authorizationList: [authorization] })
  await request('devnet_tick')
  expect(await wallet.getTransactionReceipt({ hash })).toMatchObject({ type: 'eip7702', status: 'success' })
  const code = await wallet.getCode({ address: devAccount(2).address, blockTag: 'pending' })
  expect(code).toBe(`0xef0100${STRANGER.slice(2)}`)
})

test('transactions that one account sends at the same time get consecutive nonces', async () => {
  const hashes = await Promise.all(
    Array.from({ length: 20 }, (_, i) => request('eth_sendTransaction', [{ ...transfer, value: toQuantity(i + 1) }])),
  )
  const sent = await Promise.all(hashes.map((hash) => request('eth_getTransactionByHash', [hash])))
  expect(sent.map((tx) => Number(tx?.nonce)).toSorted((a, b) => a - b)).toEqual(hashes.map((_, i) => i))
  await request('devnet_tick')
  expect(await request('eth_getBlockTransactionCountByNumber', ['pending'])).toBe('0x14')
})

test('a transaction with a fee cap below the base fee waits in the pool', async () => {
  const hash = await request('eth_sendTransaction', [
    { ...transfer, gas: '0x5208', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x0' },
  ])
  await request('devnet_tick')
  expect(await request('eth_getTransactionReceipt', [hash])).toBeNull()
  expect(await request('chain_transactionStatus', [hash])).toEqual({ status: 'Known' })
})

test.each([
  ['from a strange account', { from: STRANGER, to: TO }, 'unknown account'],
  ['from nobody', { to: TO }, 'unknown account'],
  ['for another chain', { ...transfer, chainId: '0x1' }, "chainId does not match node's (have=1, want=31337)"],
  [
    'with both prices',
    { ...transfer, gasPrice: '0x1', maxFeePerGas: '0x1' },
    'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
  ],
  ['with a gas price of 0', { ...transfer, gasPrice: '0x0' }, 'gasPrice must be non-zero after london fork'],
  ['with a fee cap of 0', { ...transfer, maxFeePerGas: '0x0' }, 'maxFeePerGas must be non-zero'],
  [
    'with a tip above the fee cap',
    { ...transfer, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
    'maxFeePerGas (1) < maxPriorityFeePerGas (2)',
  ],
  ['with no recipient and no code', { from: FROM }, 'contract creation without any data provided'],
  [
    'with different data and input',
    { ...transfer, data: '0x01', input: '0x02' },
    'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
  ],
  ['with blobs', { ...transfer, blobVersionedHashes: [] }, 'signing blob transactions not supported'],
  ['of type 3', { ...transfer, type: '0x3' }, 'signing blob transactions not supported'],
  ['of type 5', { ...transfer, type: '0x5' }, 'transaction type not supported'],
  [
    'of type 0 with an access list',
    { ...transfer, type: '0x0', accessList },
    'a transaction of type 0 has no accessList',
  ],
  [
    'of type 2 with a gas price',
    { ...transfer, type: '0x2', gasPrice: '0x1' },
    'a transaction of type 2 has no gasPrice',
  ],
  [
    'of type 2 with a gas price',
    { ...transfer, type: '0x2', gasPrice: '0x1' },
    'a transaction of type 2 has no gasPrice',
  ],
  [
    'of type 4 with an empty list',
    { ...transfer, gas: '0x5208', authorizationList: [] },
    'set code tx must have at least one authorization tuple',
  ],
  [
    'of type 4 with a gas price',
    { ...transfer, gasPrice: '0x1', authorizationList: [] },
    'a transaction of type 4 has no gasPrice',
  ],
  [
    'of type 4 that creates',
    { from: FROM, input: '0x00', authorizationList: [] },
    'missing "to" in set code transaction',
  ],
  ['with too little gas', { ...transfer, gas: '0x5207' }, 'intrinsic gas too low: gas 20999, minimum needed 21000'],
  [
    'with more than the account has',
    { ...transfer, gas: '0x5208', value: toQuantity(parseEther('10000')) },
    'insufficient funds for gas * price + value',
  ],
  [
    'that is already in the pool',
    { ...transfer, gas: '0x5208', nonce: '0x0', gasPrice: '0x77359400' },
    'already known',
  ],
])('refuses a transaction %s', async (what, fields, message) => {
  if (what.startsWith('that')) await request('eth_sendTransaction', [fields])
  await expect(request('eth_sendTransaction', [fields])).rejects.toMatchObject({ error: { code: -32000, message } })
})

test('an estimate that reverts is an error, and nothing is sent', async () => {
  const wallet = viemWallet(node, account.address)
  await wallet.sendTransaction({ data: DEPLOY_GATE })
  await request('devnet_tick')
  const gate = getContractAddress({ from: FROM, nonce: 0n })
  await expect(request('eth_sendTransaction', [{ from: FROM, to: gate }])).rejects.toMatchObject({
    error: { code: 3, message: 'execution reverted', data: '0x' },
  })
  expect(await request('eth_getTransactionCount', [FROM, 'pending'])).toBe('0x1')
})

test.each(['0x0', '0x1'] as const)(
  'prices of type 2 make a transaction of type 2, although %s is given',
  async (type) => {
    const prices = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' } as const
    const { tx } = await request('eth_fillTransaction', [{ ...transfer, type, ...prices }])
    expect(tx).toMatchObject({ type: '0x2', ...prices })
    const { tx: older } = await request('eth_fillTransaction', [{ ...transfer, type, gasPrice: '0x77359400' }])
    expect(older).toMatchObject({ type, gasPrice: '0x77359400' })
  },
)
