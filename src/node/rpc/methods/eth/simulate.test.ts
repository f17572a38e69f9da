import { createBlockHeader } from '@ethereumjs/block'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { bytesToHex, getAddress, type Hex, keccak256, serializeTransaction } from 'viem'
import { expect, test, vi } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { RpcSimulatedBlock } from '#rpc-types/methods/eth.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'

const from = devAccount(0).address.toLowerCase() as Hex
const POOR: Hex = `0x${'c1'.repeat(20)}`
const CONTRACT: Hex = `0x${'c2'.repeat(20)}`
const ETH: Hex = `0x${'ee'.repeat(20)}`
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (value: number | string) => toWord(BigInt(value))
/** The text that geth adds if a call got less gas than requested. */
const CAPPED = "(gas limit was capped by the RPC server's global gas cap)"
const common = createCustomCommon({ chainId: 31337 }, Mainnet, { hardfork: Hardfork.Osaka })

async function simulator() {
  const node = await createTestNode({ mode: 'manual' })
  const simulate = (blocks: readonly object[], options: object = {}, block: unknown = 'latest') =>
    node.request('eth_simulateV1', [{ blockStateCalls: blocks, ...options }, block])
  return { ...node, simulate }
}

/** Hash of a header by an independent implementation. */
function hashOf({ sha3Uncles, transactionsRoot, receiptsRoot, miner, ...block }: RpcSimulatedBlock): Hex {
  const { uncles: _uncles, transactions: _transactions, withdrawals: _withdrawals, ...header } = block
  const data = { ...header, uncleHash: sha3Uncles, transactionsTrie: transactionsRoot, receiptTrie: receiptsRoot }
  const oracle = createBlockHeader(
    { ...data, coinbase: miner },
    {
      common,
      skipConsensusFormatValidation: true,
    },
  )
  return bytesToHex(oracle.hash())
}

test('simulated blocks build on each other, have real hashes and see earlier changes', async () => {
  const { simulate, request } = await simulator()
  const head = await request('eth_getBlockByNumber', ['latest', false])
  // Returns the balance of the caller and the hash of the block before.
  const stateOverrides = { [CONTRACT]: { code: '0x33315f52600143034060205260405ff3' } }
  const [first, second] = await simulate([
    { stateOverrides: { ...stateOverrides, [POOR]: { balance: '0x0' } }, calls: [{ from, to: POOR, value: '0x5' }] },
    { calls: [{ from: POOR, to: CONTRACT }] },
  ])
  if (!head || !first || !second) throw new Error('there are two blocks')
  expect([first.parentHash, second.parentHash]).toEqual([head.hash, first.hash])
  expect([first.number, second.number]).toEqual(['0x1', '0x2'])
  expect(Number(second.timestamp)).toBe(Number(head.timestamp) + 4)
  for (const block of [first, second]) expect(hashOf(block)).toBe(block.hash)
  expect(second.stateRoot).not.toBe(first.stateRoot)
  expect(first.calls).toEqual([{ status: '0x1', returnData: '0x', logs: [], gasUsed: '0x5208', maxUsedGas: '0x5208' }])
  expect(second.calls[0]?.returnData).toBe(`${word(5)}${first.hash.slice(2)}`)
  expect(await request('eth_getBalance', [POOR, 'pending'])).toBe('0x0')
  expect(await request('eth_getCode', [CONTRACT, 'pending'])).toBe('0x')
})

test('the transactions are the calls, without a signature', async () => {
  const { simulate } = await simulator()
  const calls = [
    { from, to: POOR, value: '0x5', gas: '0x5208', maxFeePerGas: '0x10', nonce: '0x0' },
    { from, to: POOR, gas: '0x5208', gasPrice: '0xf', nonce: '0x1' },
  ]
  const blockOverrides = { baseFeePerGas: '0xf' }
  const [block] = await simulate([{ blockOverrides, calls }], { validation: true, returnFullTransactions: true })
  const [typed, legacy] = (block?.transactions ?? []) as readonly RpcTransaction[]
  const unsigned = serializeTransaction(
    { type: 'eip1559', chainId: 31337, to: POOR, value: 5n, gas: 21_000n, maxFeePerGas: 16n, nonce: 0 },
    { r: '0x', s: '0x', yParity: 0 },
  )
  expect(typed).toMatchObject({
    type: '0x2',
    from,
    blockHash: block?.hash,
    gasPrice: '0xf',
    v: '0x0',
    r: '0x0',
    s: '0x0',
  })
  expect(typed?.hash).toBe(keccak256(unsigned))
  expect(legacy).toMatchObject({ type: '0x0', from, nonce: '0x1', gasPrice: '0xf', v: '0x0' })
  const [hashes] = await simulate([{ blockOverrides, calls }], { validation: true })
  expect(hashes?.transactions).toEqual([typed?.hash, legacy?.hash])
})

test('gaps between numbers are filled with empty blocks, and code sees the overrides', async () => {
  const { simulate } = await simulator()
  // Returns NUMBER, TIMESTAMP, COINBASE, PREVRANDAO, GASLIMIT, BASEFEE, BLOBBASEFEE.
  const data = `0x${['43', '42', '41', '44', '45', '48', '4a'].map((op, i) => `${op}60${(i * 32).toString(16).padStart(2, '0')}52`).join('')}60e05ff3`
  const blockOverrides = {
    number: '0x4',
    time: '0x7fffffff',
    feeRecipient: POOR,
    prevRandao: word(7),
    gasLimit: '0x1312d00',
    baseFeePerGas: '0x9',
    blobBaseFee: '0x8',
  }
  const blocks = await simulate([{ blockOverrides, calls: [{ from, input: data }] }])
  expect(blocks.map(({ number, calls }) => [number, calls.length])).toEqual([
    ['0x1', 0],
    ['0x2', 0],
    ['0x3', 0],
    ['0x4', 1],
  ])
  const seen = [4, 0x7fffffff, POOR, 7, 20_000_000, 9, 8].map((value) => word(value).slice(2)).join('')
  expect(blocks[3]?.calls[0]?.returnData).toBe(`0x${seen}`)
  expect(blocks[3]).toMatchObject({ miner: POOR, mixHash: word(7), gasLimit: '0x1312d00', baseFeePerGas: '0x9' })
})

test('transfers are shown as logs on request, except those of failed calls', async () => {
  const { simulate } = await simulator()
  // Sends 1 wei on to the caller and writes a log; reverts where there is calldata.
  const code = '0x5f5f5f5f6001335af1505f5fa036601257005b5f5ffd'
  const stateOverrides = { [CONTRACT]: { code } }
  const calls = [
    { from, to: CONTRACT, value: '0x2', input: '0x01' },
    { from, to: CONTRACT, value: '0x2' },
  ]
  const logsOf = ([block]: readonly RpcSimulatedBlock[]) =>
    block?.calls.map(({ logs }) => logs.map(({ address, topics, logIndex }) => ({ address, topics, logIndex })))
  const out = { address: ETH, topics: [TRANSFER, word(from), word(CONTRACT)], logIndex: '0x3' }
  const back = { address: ETH, topics: [TRANSFER, word(CONTRACT), word(from)], logIndex: '0x4' }
  expect(logsOf(await simulate([{ stateOverrides, calls }], { traceTransfers: true }))).toEqual([
    [],
    [out, back, { address: CONTRACT, topics: [], logIndex: '0x5' }],
  ])
  const plain = await simulate([{ stateOverrides, calls }])
  expect(logsOf(plain)).toEqual([[], [{ address: CONTRACT, topics: [], logIndex: '0x1' }]])
  expect(plain[0]?.calls[1]?.logs[0]).toMatchObject({
    blockHash: plain[0]?.hash,
    transactionIndex: '0x1',
    removed: false,
  })
})

test('a failed call is a result, not an error', async () => {
  const { simulate } = await simulator()
  const calls = [
    { from, input: '0x5f5ffd' },
    { from, input: '0xfe', gas: '0xffff' },
    { from, input: '0xfe' },
  ]
  const [block] = await simulate([{ calls }])
  expect(block?.calls.map(({ status, error }) => ({ status, error }))).toEqual([
    { status: '0x0', error: { code: 3, message: 'execution reverted', data: '0x' } },
    { status: '0x0', error: { code: -32015, message: 'invalid opcode: INVALID' } },
    { status: '0x0', error: { code: -32015, message: `invalid opcode: INVALID ${CAPPED}` } },
  ])
})

const call = { from: POOR, to: POOR }
const funded = { [POOR]: { balance: '0xffffffffffffffff', nonce: '0x5' } }
test.each([
  [-32602, 'empty input', [], {}],
  [
    -38010,
    `err: nonce too low: address ${getAddress(POOR)}, tx: 4 state: 5 (supplied gas 50000000)`,
    [{ stateOverrides: funded, calls: [{ ...call, nonce: '0x4' }] }],
    { validation: true },
  ],
  [
    -38011,
    `err: nonce too high: address ${getAddress(POOR)}, tx: 6 state: 5 (supplied gas 50000000)`,
    [{ stateOverrides: funded, calls: [{ ...call, nonce: '0x6' }] }],
    { validation: true },
  ],
  [
    -32603,
    `err: nonce has max value: address ${getAddress(POOR)}, nonce: 18446744073709551615 (supplied gas 50000000)`,
    [{ stateOverrides: { [POOR]: { nonce: '0xffffffffffffffff' } }, calls: [call] }],
    { validation: true },
  ],
  [
    -38012,
    `err: max fee per gas less than block base fee: address ${getAddress(POOR)}, maxFeePerGas: 0, baseFee: 10 (supplied gas 50000000)`,
    [{ blockOverrides: { baseFeePerGas: '0xa' }, calls: [call] }],
    { validation: true },
  ],
  [
    -38012,
    `err: max fee per gas less than block base fee: address ${getAddress(POOR)}, maxFeePerGas: 1, baseFee: 10 (supplied gas 50000000)`,
    [{ blockOverrides: { baseFeePerGas: '0xa' }, calls: [{ ...call, maxFeePerGas: '0x1' }] }],
    {},
  ],
  [
    -38013,
    'err: intrinsic gas too low: have 0, want 21000 (supplied gas 0)',
    [{ calls: [{ ...call, gas: '0x0' }] }],
    {},
  ],
  [
    -38014,
    `err: insufficient funds for gas * price + value: address ${getAddress(POOR)} have 0 want 1000 (supplied gas 50000000)`,
    [{ calls: [{ ...call, value: '0x3e8' }] }],
    {},
  ],
  [
    -38015,
    'block gas limit reached: remaining: 1479000, required: 1500000',
    [{ blockOverrides: { gasLimit: '0x16e360' }, calls: [call, { ...call, gas: '0x16e360' }] }],
    {},
  ],
  [
    -38020,
    'block numbers must be in order: 2 <= 3',
    [{ blockOverrides: { number: '0x3' } }, { blockOverrides: { number: '0x2' } }],
    {},
  ],
  [-38021, 'block timestamps must be in order: 1 <= 1735689600', [{ blockOverrides: { time: '0x1' } }], {}],
  [
    -38025,
    `err: max initcode size exceeded: code size 49153 limit 49152 (supplied gas 50000000)`,
    [{ calls: [{ from: POOR, input: `0x${'00'.repeat(49_153)}` }] }],
    {},
  ],
  [-38026, 'too many blocks', [{ blockOverrides: { number: '0x101' } }], {}],
  [
    -32000,
    'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
    [{ calls: [{ ...call, gasPrice: '0x1', maxFeePerGas: '0x1' }] }],
    {},
  ],
  [
    -32000,
    `account ${getAddress(POOR)} has both 'state' and 'stateDiff'`,
    [{ stateOverrides: { [POOR]: { state: {}, stateDiff: {} } } }],
    {},
  ],
] as const)('%i: %s', async (code, message, blocks, options) => {
  const { simulate } = await simulator()
  await expect(simulate(blocks, options)).rejects.toMatchObject({ error: { code, message } })
})

test('a simulation on the live block sees pre-confirmed changes', async () => {
  const { simulate, request } = await simulator()
  await request('eth_sendRawTransaction', [await signTransfer(0, 0, { to: POOR, value: 3n })])
  await request('devnet_tick')
  const spend = [{ calls: [{ from: POOR, to: from, value: '0x3' }] }]
  const pending = await request('eth_getBlockByNumber', ['pending', false])
  const [block] = await simulate(spend, {}, 'pending')
  expect(block).toMatchObject({ number: '0x2', parentHash: pending?.hash })
  await expect(simulate(spend)).rejects.toMatchObject({ error: { code: -38014 } })
})

test('with validation the base fee follows the block before', async () => {
  const { simulate, request } = await simulator()
  const next = await request('eth_getBlockByNumber', ['pending', false])
  const [block] = await simulate([{}], { validation: true })
  expect(block?.baseFeePerGas).toBe(next?.baseFeePerGas)
  const [free] = await simulate([{}])
  expect(free?.baseFeePerGas).toBe('0x0')
})

test('all calls together share the gas and the time of one eth_call', async () => {
  const { simulate, clock } = await simulator()
  const loop = { from, input: '0x5b5f56' }
  const [block] = await simulate([{ calls: [{ ...loop, gas: '0x2dc6c0' }] }])
  expect(block?.calls[0]).toMatchObject({ gasUsed: '0x2dc6c0', error: { code: -32015, message: 'out of gas' } })
  let now = clock.now()
  vi.spyOn(clock, 'now').mockImplementation(() => (now += 500))
  await expect(simulate([{ calls: [loop] }])).rejects.toMatchObject({
    error: { code: -32000, message: 'execution aborted (timeout = 5s)' },
  })
})

test('a simulated block has the beacon root that is wanted, which its contract knows', async () => {
  const { simulate } = await simulator()
  const beaconRoot = word(0xbeac)
  const roots = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
  const time = '0x70000000'
  const calls = [{ from, to: roots, input: word(time) }]
  const [block] = await simulate([{ blockOverrides: { beaconRoot, time }, calls }])
  if (!block) throw new Error('there is one block')
  expect(block.parentBeaconBlockRoot).toBe(beaconRoot)
  expect(block.calls[0]?.returnData).toBe(beaconRoot)
  expect(hashOf(block)).toBe(block.hash)
})

test('withdrawals are refused, as this chain has none; none at all are taken', async () => {
  const { requestLoosely } = await createTestNode({ mode: 'manual' })
  const simulate = (withdrawals: unknown) =>
    requestLoosely('eth_simulateV1', [{ blockStateCalls: [{ blockOverrides: { withdrawals } }] }])
  const one = { index: '0x0', validatorIndex: '0x0', address: from, amount: '0x1' }
  await expect(simulate([one])).rejects.toMatchObject({
    error: { code: -32602, message: expect.stringContaining('this chain has no withdrawals') as string },
  })
  await expect(simulate({})).rejects.toMatchObject({ error: { code: -32602 } })
  expect(await simulate([])).toMatchObject([{ withdrawals: [] }])
})
