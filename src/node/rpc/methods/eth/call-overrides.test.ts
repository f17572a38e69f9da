import { getAddress, type Hex } from 'viem'
import { expect, test, vi } from 'vitest'
import document from '#node/rpc/openrpc.json'
import { toWord } from '#primitives/hex.ts'
import { createTestNode, devAccount } from '#testing/node/test-node.ts'

const from = devAccount(0).address.toLowerCase() as Hex
const to: Hex = `0x${'c0'.repeat(20)}`
const other: Hex = `0x${'c1'.repeat(20)}`
const IDENTITY = `0x${'00'.repeat(19)}04` as const
const word = (value: number) => toWord(value).slice(2)

/** Runs the code with the overrides and returns its output. */
async function resultOf(code: Hex, account: object = {}, others: object = {}, blockOverrides: object = {}) {
  const { request } = await createTestNode({ mode: 'manual' })
  const stateOverrides = { [to]: { code, ...account }, ...others }
  const result = await request('eth_call', [{ from, to, input: '0x1234' }, 'latest', stateOverrides, blockOverrides])
  return result.slice(2)
}

test('a call sees its overrides of balance, nonce and code', async () => {
  const slots = { state: { [toWord(1)]: toWord(5) } }
  // Returns SELFBALANCE, SLOAD 1 and SLOAD 2.
  expect(await resultOf('0x475f5260015460205260025460405260605ff3', { balance: '0x9', ...slots })).toBe(
    word(9) + word(5) + word(0),
  )
  // Creates an empty contract and returns its address, which depends on the nonce.
  const create: Hex = '0x5f5f5ff05f5260205ff3'
  expect(await resultOf(create, { nonce: '0x7' })).not.toBe(await resultOf(create, { nonce: '0x8' }))
})

test('state replaces all slots, stateDiff only the named ones', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  // Returns SLOAD 1 and SLOAD 2.
  await request('anvil_setCode', [to, '0x6001545f5260025460205260405ff3'])
  await request('anvil_setStorageAt', [to, toWord(1), toWord(11)])
  await request('anvil_setStorageAt', [to, toWord(2), toWord(12)])
  const call = (account: object) => request('eth_call', [{ to }, 'latest', { [to]: account }])
  expect(await call({})).toBe(`0x${word(11)}${word(12)}`)
  expect(await call({ stateDiff: { [toWord(2)]: toWord(22) } })).toBe(`0x${word(11)}${word(22)}`)
  expect(await call({ state: { [toWord(2)]: toWord(22) } })).toBe(`0x${word(0)}${word(22)}`)
  expect(await call({ stateDiff: { [toWord(1)]: toWord(0) } })).toBe(`0x${word(0)}${word(12)}`)
  expect(await request('eth_call', [{ to }, 'latest'])).toBe(`0x${word(11)}${word(12)}`)
})

test('a precompile can be moved or replaced for one call, and is at its own address again afterwards', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const call = (target: Hex, overrides: object = {}) =>
    request('eth_call', [{ from, to: target, input: '0x1234' }, 'latest', overrides])
  const moved = { [IDENTITY]: { movePrecompileToAddress: other } }
  expect([await call(other, moved), await call(IDENTITY, moved)]).toEqual(['0x1234', '0x'])
  expect(await call(IDENTITY, { [IDENTITY]: { code: '0x602a5f5260205ff3' } })).toBe(toWord(42))
  expect([await call(IDENTITY), await call(other)]).toEqual(['0x1234', '0x'])
  await expect(call(to, { [to]: { movePrecompileToAddress: other } })).rejects.toMatchObject({
    error: { code: -32000, message: `account ${getAddress(to)} is not a precompile` },
  })
  await expect(call(to, { ...moved, [other]: { nonce: '0x1' } })).rejects.toMatchObject({
    error: { code: -32000, message: `account ${getAddress(other)} is already overridden` },
  })
})

test('the estimate of a call without data counts a precompile where it is moved to, however high', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const SHA256 = `0x${'0'.repeat(39)}2` as const
  const high = `0x${'c'.repeat(40)}` as const
  const moved = { [SHA256]: { movePrecompileToAddress: high } }
  const inPlace = await request('eth_estimateGas', [{ to: SHA256 }])
  expect(Number(inPlace)).toBeGreaterThan(21_000)
  expect(await request('eth_estimateGas', [{ to: high }, 'latest', moved])).toBe(inPlace)
  expect(await request('eth_estimateGas', [{ to: SHA256 }, 'latest', moved])).toBe('0x5208')
})

test('a call with block overrides sees them, and no hashes of blocks that do not exist', async () => {
  // Returns NUMBER, TIMESTAMP, and BLOCKHASH of the block before.
  const code: Hex = '0x435f5242602052600143034060405260605ff3'
  const genesis = await createTestNode({ mode: 'manual' }).then(({ request }) =>
    request('eth_getBlockByNumber', ['0x0', false]),
  )
  const hash = genesis?.hash.slice(2)
  expect(await resultOf(code, {}, {}, { number: '0x1', time: '0x10' })).toBe(word(1) + word(16) + hash)
  expect(await resultOf(code, {}, {}, { number: '0xffff', time: '0x10' })).toBe(word(0xffff) + word(16) + word(0))
  const older = { coinbase: other, random: toWord(7), gasLimit: '0x5', difficulty: '0x1', blobBaseFee: '0x6' }
  // Returns COINBASE, PREVRANDAO, GASLIMIT, BLOBBASEFEE.
  expect(await resultOf('0x415f5244602052456040524a60605260805ff3', {}, {}, older)).toBe(
    toWord(BigInt(other)).slice(2) + word(7) + word(5) + word(6),
  )
})

test('an estimate sees its state overrides', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const call = { from: other, to, value: '0x5' }
  await expect(request('eth_estimateGas', [call])).rejects.toMatchObject({ error: { code: -32000 } })
  expect(await request('eth_estimateGas', [call, 'latest', { [other]: { balance: '0x5' } }])).toBe('0x5208')
  const stores = { [other]: { balance: '0x5' }, [to]: { code: '0x60015f55' } }
  expect(Number(await request('eth_estimateGas', [call, 'latest', stores]))).toBeGreaterThan(43_000)
})

test.each([
  [[{}, 'latest', []], 'invalid argument 2: json: cannot unmarshal array into Go value of type override.StateOverride'],
  [
    [{}, 'latest', { [to]: { balance: 5 } }],
    'invalid argument 2: json: cannot unmarshal non-string into Go struct field OverrideAccount.balance of type *hexutil.Big',
  ],
  [
    [{}, 'latest', { [to]: { state: { '0x1': toWord(1) } } }],
    'invalid argument 2: json: cannot unmarshal hex string of odd length into Go struct field OverrideAccount.state of type common.Hash',
  ],
  [
    [{}, 'latest', {}, { beaconRoot: toWord(1) }],
    'invalid argument 3: block override "beaconRoot" is not supported for this RPC method',
  ],
])('overrides %j are refused', async (params, message) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request('eth_call', params)).rejects.toMatchObject({ error: { code: -32602, message } })
})

test('an access list has the accounts and slots that a call touches, except those that are warm anyway', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  // SLOAD 1; BALANCE of the caller, of `other` and of the identity precompile; EXTCODESIZE of itself.
  const code = `0x6001545033315073${other.slice(2)}3150600431503b`
  const create = (account: object) => request('eth_createAccessList', [{ from, to }, 'latest', { [to]: account }])
  const accessList = [
    { address: to, storageKeys: [toWord(1)] },
    { address: other, storageKeys: [] },
  ]
  const { gasUsed, ...found } = await create({ code: `${code.slice(0, -2)}00` })
  expect(found).toEqual({ accessList })
  const config = { tracer: 'callTracer', stateOverrides: { [to]: { code: `${code.slice(0, -2)}00` } } }
  expect(await request('debug_traceCall', [{ from, to, accessList }, 'latest', config])).toMatchObject({ gasUsed })
  const { gasUsed: failedGas, ...failed } = await create({ code: '0x6002545f5ffd' })
  expect(failed).toEqual({ accessList: [{ address: to, storageKeys: [toWord(2)] }], error: 'execution reverted' })
  // The transaction, the list with an address and a slot, and 107 gas of code.
  expect(Number(failedGas)).toBe(21_000 + 2_400 + 1_900 + 107)
})

test('an access list is complete for the call with it, even if the call reads its gas', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  // SLOAD of slot 0, and of the slot that is numbered by the gas which that took: 2,106 at first, 106 with the list.
  const stateOverrides = { [to]: { code: '0x5a5f54505a900354' } }
  const { accessList } = await request('eth_createAccessList', [{ from, to }, 'latest', stateOverrides])
  expect(accessList).toEqual([{ address: to, storageKeys: [toWord(0), toWord(106)] }])
})

test('the search for an access list stops when its time is up', async () => {
  const { request, clock } = await createTestNode({ mode: 'manual' })
  // Another contract loads the slot that is numbered by its gas: with each slot of the list there is less of that.
  const stateOverrides = { [to]: { code: `0x5f5f5f5f5f73${other.slice(2)}5af100` }, [other]: { code: '0x5a5400' } }
  let now = clock.now()
  vi.spyOn(clock, 'now').mockImplementation(() => (now += 500))
  await expect(request('eth_createAccessList', [{ from, to }, 'latest', stateOverrides])).rejects.toMatchObject({
    error: { code: -32000, message: 'execution aborted (timeout = 5s)' },
  })
})

/** Methods that take a call or a transaction without a signature, and what stands before and after it. */
const CALL_METHODS: Readonly<Record<string, (call: object) => readonly unknown[]>> = {
  anvil_reorg: (call) => [1, [[call, 0]]],
  debug_traceCall: (call) => [call, 'latest', {}],
  devnet_getConsoleLogs: (call) => [{ call }],
  devnet_traceSteps: (call) => [{ call }, 0, 1],
  devnet_traceStorage: (call) => [{ call }],
  devnet_traceExecution: (call) => [{ call }],
  eth_call: (call) => [call],
  eth_callMany: (call) => [[{ transactions: [call] }]],
  eth_createAccessList: (call) => [call],
  eth_estimateGas: (call) => [call],
  eth_fillTransaction: (call) => [call],
  eth_sendTransaction: (call) => [call],
  eth_sendTransactionSync: (call) => [call],
  eth_sendUnsignedTransaction: (call) => [call],
  eth_resend: (call) => [{ ...call, nonce: '0x0' }],
  eth_signTransaction: (call) => [{ ...call, gas: '0x5208', gasPrice: '0x77359400', nonce: '0x0' }],
  trace_call: (call) => [call, ['trace']],
  trace_callMany: (call) => [[[call, ['trace']]]],
  eth_simulateV1: (call) => [{ blockStateCalls: [{ calls: [call] }] }],
}

test('every method that takes a call or a transaction refuses blobs, with the reason', async () => {
  const taking = document.methods.filter(({ params }) =>
    /RpcCall"|RpcExecutionSubject"|RpcExecutedCall"/.test(JSON.stringify(params)),
  )
  // Without builds, of which this node has none, it looks at nothing.
  const known = [...Object.keys(CALL_METHODS), 'devnet_getStackTrace']
  expect(known.toSorted()).toEqual(taking.map(({ name }) => name).toSorted())
  const { requestLoosely } = await createTestNode({ mode: 'manual' })
  await requestLoosely('evm_mine', [])
  const blobs = [
    { blobVersionedHashes: [toWord(1)] },
    { blobVersionedHashes: [] },
    { maxFeePerBlobGas: '0x1' },
    { blobs: [] },
    { type: '0x3' },
  ]
  for (const [method, params] of Object.entries(CALL_METHODS)) {
    const plain = { from, to: other, value: '0x1' }
    // Without blobs one waits for a tick, and one looks for what waits.
    if (!['eth_sendTransactionSync', 'eth_resend'].includes(method))
      await requestLoosely(method as 'eth_call', params(plain))
    for (const each of blobs) {
      await expect(
        requestLoosely(method as 'eth_call', params({ ...plain, ...each })),
        `${method} ${JSON.stringify(each)}`,
      ).rejects.toMatchObject({
        error: { code: -32000, message: expect.stringContaining('blob transactions not supported') as string },
      })
    }
  }
})
