import { concatHex, encodeErrorResult, getAddress, type Hex, keccak256, parseAbi, toHex, toRlp } from 'viem'
import { expect, test } from 'vitest'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'

const abi = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error Custom(uint256)'])
const reason = encodeErrorResult({ abi, errorName: 'Error', args: ['not yours'] })
const custom = encodeErrorResult({ abi, errorName: 'Custom', args: [5n] })
const panic = encodeErrorResult({ abi, errorName: 'Panic', args: [0x12n] })

/** Init code that reverts with those bytes. */
const revertWith = (data: string) =>
  `0x61${((data.length - 2) / 2).toString(16).padStart(4, '0')}80600a5f395ffd${data.slice(2)}`

test.each([
  ['execution reverted: not yours', reason],
  ['execution reverted: division or modulo by zero', panic],
  ['execution reverted', custom],
  ['execution reverted', '0x'],
])('%s', async (message, data) => {
  const { request } = await createTestNode({ mode: 'manual' })
  for (const method of ['eth_call', 'eth_estimateGas'] as const) {
    await expect(request(method, [{ data: revertWith(data) }])).rejects.toMatchObject({
      error: { code: 3, message, data },
    })
  }
})

test('data and input are accepted when they are equal and refused when they differ', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  /** Returns 32 bytes: 42. */
  const code = '0x602a60005260206000f3'
  const word = `0x${'2a'.padStart(64, '0')}`
  expect(await request('eth_call', [{ data: code, input: code }])).toBe(word)
  expect(await request('eth_call', [{ input: code }])).toBe(word)
  expect(await request('eth_call', [{ to: null, data: code }])).toBe(word)
  await expect(request('eth_call', [{ data: code, input: '0x' }])).rejects.toMatchObject({
    error: {
      code: -32000,
      message: 'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
    },
  })
})

const to = devAccount(9).address
test.each([
  [{ gasPrice: '0x1', maxFeePerGas: '0x1' }, 'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified'],
  [
    { gasPrice: '0x1', maxPriorityFeePerGas: '0x1' },
    'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
  ],
  [{ chainId: '0x1' }, "chainId does not match node's (have=1, want=31337)"],
  [
    { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
    `err: max priority fee per gas higher than max fee per gas: address 0x${'0'.repeat(40)}, maxPriorityFeePerGas: 2, maxFeePerGas: 1 (supplied gas 50000000)`,
  ],
  [
    { gasPrice: '0x1' },
    `err: max fee per gas less than block base fee: address 0x${'0'.repeat(40)}, maxFeePerGas: 1, baseFee: 1000000000 (supplied gas 50000000)`,
  ],
])('a call with %j is refused', async (fields, message) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request('eth_call', [{ to, ...fields }, 'latest'])).rejects.toMatchObject({
    error: { code: -32000, message },
  })
})

// The messages of go-ethereum's internal/ethapi, eth/gasestimator and core/state_transition.
const POOR = `0x${'77'.repeat(20)}` as const
const LACKS = `insufficient funds for gas * price + value: address ${getAddress(POOR)}`
test.each([
  ['eth_call', { from: POOR, to, value: '0x5' }, `err: ${LACKS} have 0 want 5 (supplied gas 50000000)`],
  ['eth_call', { from: POOR, to, value: '0x5', gas: '0x5208' }, `err: ${LACKS} have 0 want 5 (supplied gas 21000)`],
  [
    'eth_call',
    // The sender must be able to pay the highest cost, by the fee cap.
    { from: POOR, to, maxFeePerGas: '0x77359400', gas: '0x5208' },
    `err: ${LACKS} have 0 want ${21_000n * 2_000_000_000n} (supplied gas 21000)`,
  ],
  [
    'eth_call',
    { from: POOR, to, gasPrice: `0x${'ff'.repeat(32)}` },
    `err: ${LACKS} required balance exceeds 256 bits (supplied gas 50000000)`,
  ],
  ['eth_call', { to, gas: '0x5207' }, 'err: intrinsic gas too low: have 20999, want 21000 (supplied gas 20999)'],
  [
    'eth_call',
    { to, gas: '0x5df0', data: `0x${'11'.repeat(150)}` },
    'err: insufficient gas for floor data gas cost: have 24048, want 27000 (supplied gas 24048)',
  ],
  ['eth_call', { data: '0x5b5f56', gas: '0x186a0' }, 'out of gas'],
  ['eth_call', { data: '0xfe' }, 'invalid opcode: INVALID'],
  ['eth_estimateGas', { from: POOR, to, value: '0x5' }, `failed with 16777216 gas: ${LACKS} have 0 want 5`],
  ['eth_estimateGas', { from: POOR, to, value: '0x5', gas: '0x7530' }, `failed with 30000 gas: ${LACKS} have 0 want 5`],
  ['eth_estimateGas', { from: POOR, to, value: '0x5', gasPrice: '0x77359400' }, 'insufficient funds for transfer'],
  ['eth_estimateGas', { from: POOR, to, gasPrice: '0x77359400' }, 'insufficient funds for transfer'],
  [
    'eth_estimateGas',
    { to, gasPrice: '0x1', from: devAccount(0).address },
    `failed with 16777216 gas: max fee per gas less than block base fee: address ${getAddress(devAccount(0).address)}, maxFeePerGas: 1, baseFee: 1000000000`,
  ],
  ['eth_estimateGas', { data: '0x5b5f56', gas: '0x186a0' }, 'gas required exceeds allowance (100000)'],
  ['eth_estimateGas', { data: '0xfe' }, 'invalid opcode: INVALID'],
] as const)('%s of %j fails with the message of geth', async (method, call, message) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request(method, [call, 'latest'])).rejects.toMatchObject({ error: { code: -32000, message } })
})

type RlpItem = Hex | readonly RlpItem[]
/** Hash of a transaction with these fields of its list, and a signature of zeros. */
const hashOf = (type: Hex, fields: readonly RlpItem[]) =>
  keccak256(concatHex([type, toRlp([...fields, '0x', '0x', '0x'])]))

/** Initcode that is one byte longer than EIP-3860 allows. */
const TOO_LONG = `0x${'00'.repeat(49_153)}` as const
const OVER_LIMIT = 'max initcode size exceeded: code size 49153 limit 49152'

test.each([
  ['eth_call', {}, `err: ${OVER_LIMIT} (supplied gas 50000000)`],
  // The size is checked before funds and gas.
  ['eth_call', { from: POOR, value: '0x5', gas: '0x5208' }, `err: ${OVER_LIMIT} (supplied gas 21000)`],
  ['eth_estimateGas', {}, `failed with 16777216 gas: ${OVER_LIMIT}`],
  ['debug_traceCall', {}, `tracing failed: ${OVER_LIMIT}`],
  [
    'eth_createAccessList',
    { gas: '0x5208' },
    `failed to apply transaction: ${hashOf('0x02', [toHex(31337), '0x', '0x', '0x', '0x5208', '0x', '0x', TOO_LONG, []])} err: ${OVER_LIMIT}`,
  ],
] as const)(
  '%s with %j and too large an initcode is refused with the message of geth',
  async (method, call, message) => {
    const { request } = await createTestNode({ mode: 'manual' })
    const params = [{ ...call, data: TOO_LONG }]
    await expect(request(method, params)).rejects.toMatchObject({ error: { code: -32000, message } })
  },
)

test('initcode of the largest size is executed', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  expect(await request('eth_call', [{ data: TOO_LONG.slice(0, -2) as Hex }])).toBe('0x')
})

const CAP = toHex(50_000_000)

test.each([
  [
    { from: POOR, to, value: '0x5', nonce: '0x7', accessList: [{ address: POOR, storageKeys: [] }] },
    hashOf('0x02', [toHex(31337), '0x07', '0x', '0x', CAP, to, '0x05', '0x', []]),
    `${LACKS} have 0 want 5`,
  ],
  [
    { from: POOR, to, gas: '0x5208', gasPrice: '0x77359400', accessList: [{ address: POOR, storageKeys: [] }] },
    hashOf('0x', ['0x', '0x77359400', '0x5208', to, '0x', '0x']),
    `${LACKS} have 0 want 42000000000000`,
  ],
  [
    { to, gas: '0x5207', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1', from: devAccount(0).address },
    hashOf('0x02', [toHex(31337), '0x', '0x01', '0x77359400', '0x5207', to, '0x', '0x', []]),
    'intrinsic gas too low: have 20999, want 21000',
  ],
] as const)(
  'for a call %j that no block would accept eth_createAccessList has the message of geth',
  async (call, hash, why) => {
    const { request } = await createTestNode({ mode: 'manual' })
    const message = `failed to apply transaction: ${hash} err: ${why}`
    await expect(request('eth_createAccessList', [call])).rejects.toMatchObject({ error: { code: -32000, message } })
  },
)

test('eth_createAccessList refuses more authorizations than its gas could create accounts for, as geth does', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const authorization = { chainId: '0x7a69', address: to, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' } as const
  const create = (authorizations: number, gas: Hex) =>
    request('eth_createAccessList', [
      { to, gas, authorizationList: Array.from({ length: authorizations }, () => authorization) },
    ])
  await expect(create(3, toHex(74_999))).rejects.toMatchObject({
    error: { code: -32000, message: 'insufficient gas to process all authorizations' },
  })
  await expect(create(3, toHex(75_000))).rejects.toMatchObject({
    error: {
      message: expect.stringMatching(
        /^failed to apply transaction: 0x\w{64} err: intrinsic gas too low: have 75000, want 96000$/,
      ) as string,
    },
  })
  expect(await create(3, toHex(100_000))).toMatchObject({ accessList: [] })
})

test('a call pays the base fee and its tip, at most its cap', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const from = devAccount(0).address
  /** Returns GASPRICE. */
  const code = '0x3a5f5260205ff3'
  const gasPrice = async (fields: object) =>
    BigInt(await request('eth_call', [{ from, data: code, ...fields }, 'latest']))
  expect(await gasPrice({})).toBe(0n)
  expect(await gasPrice({ gasPrice: '0x77359400' })).toBe(2_000_000_000n)
  expect(await gasPrice({ maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' })).toBe(1_000_000_001n)
  expect(await gasPrice({ maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x77359400' })).toBe(2_000_000_000n)
})

test('a transfer takes 21,000 gas, estimated on the live block', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const poor = `0x${'77'.repeat(20)}` as const
  const spend = { from: poor, to, value: '0x5' }
  expect(await request('eth_estimateGas', [{ from: devAccount(0).address, to, value: '0x1' }])).toBe('0x5208')
  await expect(request('eth_estimateGas', [spend])).rejects.toMatchObject({ error: { code: -32000 } })
  await request('eth_sendRawTransaction', [await signTransfer(0, 0, { to: poor, value: 5n })])
  await request('devnet_tick')
  expect(await request('eth_estimateGas', [spend])).toBe('0x5208')
  await expect(request('eth_estimateGas', [spend, 'latest'])).rejects.toMatchObject({ error: { code: -32000 } })
})

test('a call for an unknown block is refused', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request('eth_call', [{ to }, '0x1'])).rejects.toMatchObject({
    error: { code: -32000, message: 'header not found' },
  })
})

test('the access list and authorizations of a call are parsed', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const accessList = [{ address: to, storageKeys: [`0x${'00'.repeat(32)}`] }]
  const authorization = { chainId: '0x0', address: to, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' }
  const gas = async (fields: object) => Number(await request('eth_estimateGas', [{ to, input: '0x', ...fields }]))
  expect(await gas({ accessList })).toBeGreaterThanOrEqual(21_000 + 2_400 + 1_900)
  expect(await gas({ authorizationList: [authorization] })).toBeGreaterThanOrEqual(21_000 + 25_000)
  await expect(request('eth_call', [{ to, accessList: [{ address: '0x1' }] }])).rejects.toMatchObject({
    error: {
      code: -32602,
      message:
        'invalid argument 0: json: cannot unmarshal hex string of odd length into Go struct field TransactionArgs.accessList.address of type common.Address',
    },
  })
})
