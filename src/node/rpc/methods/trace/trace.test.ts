import { getContractAddress } from 'viem'
import { expect, test, vi } from 'vitest'
import { type Hex, toWord } from '#primitives/hex.ts'
import type { RpcReplay } from '#rpc-types/methods/trace.ts'
import { at, CODES, from, send, withCodes, word } from '#testing/node/rpc/traces.ts'
import { createTestNode, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const MANUAL = { mode: 'manual' } as const
const SOMEBODY: Hex = `0x${'5b'.repeat(20)}`

/** A block with a transfer and a call within a call, sealed. */
async function withCall() {
  const node = await withCodes({ [at('store')]: CODES.store, [at('call')]: CODES.call })
  const transfer = await send(node, 0, { to: SOMEBODY, value: 1n, gas: 21_000n })
  const call = await send(node, 1, { to: at('call'), data: `0x${word(at('store'))}`, value: 3n })
  await node.request('evm_mine')
  const block = await node.request('eth_getBlockByNumber', ['latest', false])
  return { node, transfer, call, block }
}

test('the frames of a transaction come with its place, its own without the intrinsic gas', async () => {
  const { node, call, block } = await withCall()
  const traces = await node.request('trace_transaction', [call])
  const place = {
    blockHash: block?.hash,
    blockNumber: Number(block?.number),
    transactionHash: call,
    transactionPosition: 1,
  }
  expect(traces).toMatchObject([
    { ...place, type: 'call', action: { from, to: at('call'), value: '0x3' }, subtraces: 1, traceAddress: [] },
    { ...place, type: 'call', action: { from: at('call'), to: at('store'), value: '0x1' }, traceAddress: [0] },
  ])
  const receipt = await node.request('eth_getTransactionReceipt', [call])
  // 21,000, 4 for each of 12 bytes that are 0, 16 for each of the others.
  const intrinsic = 21_000 + 4 * 12 + 16 * 20
  const [top] = traces ?? []
  expect(Number(receipt?.gasUsed) - Number(top?.result?.gasUsed)).toBe(intrinsic)
  expect(top?.action).toMatchObject({ gas: `0x${(300_000 - intrinsic).toString(16)}` })
  expect(await node.request('trace_transaction', [toWord(1)])).toBeNull()
})

test('trace_get finds a frame by its position', async () => {
  const { node, call } = await withCall()
  const [top, inner] = (await node.request('trace_transaction', [call])) ?? []
  expect(await node.request('trace_get', [call, []])).toEqual(top)
  expect(await node.request('trace_get', [call, ['0x0']])).toEqual(inner)
  expect(await node.request('trace_get', [call, [0]])).toEqual(inner)
  expect(await node.request('trace_get', [call, [1]])).toBeNull()
  expect(await node.request('trace_get', [call, [0, 0]])).toBeNull()
  expect(await node.request('trace_get', [toWord(1), []])).toBeNull()
})

test('a block has the frames of its transactions, while it is live as well', async () => {
  const { node, transfer, call } = await withCall()
  const traces = await node.request('trace_block', ['latest'])
  expect(traces).toEqual([
    ...((await node.request('trace_transaction', [transfer])) ?? []),
    ...((await node.request('trace_transaction', [call])) ?? []),
  ])
  await send(node, 2, { to: SOMEBODY })
  expect(await node.request('trace_block', ['pending'])).toMatchObject([{ blockHash: null, transactionPosition: 0 }])
  expect(await node.request('trace_block', ['0x0'])).toEqual([])
  expect(await node.request('trace_block', ['0x99'])).toBeNull()
})

{
  const selected = async ({ request }: TestNode, filter: object) =>
    (await request('trace_filter', [filter])).map(({ transactionHash, traceAddress }) => [
      transactionHash,
      traceAddress,
    ])

  test('trace_filter selects by who calls and who is called, leaves out and stops', async () => {
    const { node, transfer, call } = await withCall()
    const pending = await send(node, 2, { to: SOMEBODY, value: 1n })
    const [first, outer, inner] = [
      [transfer, []],
      [call, []],
      [call, [0]],
    ]
    expect(await selected(node, {})).toEqual([first, outer, inner])
    expect(await selected(node, { toBlock: 'pending' })).toEqual([first, outer, inner, [pending, []]])
    expect(await selected(node, { fromBlock: 'pending', toBlock: 'pending' })).toEqual([[pending, []]])
    expect(await selected(node, { fromAddress: [from] })).toEqual([first, outer])
    expect(await selected(node, { toAddress: [at('store')] })).toEqual([inner])
    const both = { fromAddress: [from], toAddress: [at('store'), SOMEBODY] }
    expect(await selected(node, both)).toEqual([first, outer, inner])
    expect(await selected(node, { ...both, mode: 'intersection' })).toEqual([first])
    expect(await selected(node, { after: 1, count: '0x1' })).toEqual([outer])
    expect(await selected(node, { after: 3 })).toEqual([])
    expect(await selected(node, { count: 0 })).toEqual([])
  })

  test('trace_filter finds creations by what they made, and self-destructions by both ends', async () => {
    const node = await withCodes({ [at('destroy')]: CODES.destroy })
    const created = await send(node, 0, { data: '0x602a5f5260205ff3' })
    const failed = await send(node, 1, { data: '0xfe' })
    const destroyed = await send(node, 2, { to: at('destroy'), data: `0x${word(SOMEBODY)}`, value: 1n })
    await node.request('evm_mine')
    const receipt = await node.request('eth_getTransactionReceipt', [created])
    expect(await selected(node, { toAddress: [receipt?.contractAddress] })).toEqual([[created, []]])
    expect(await selected(node, { toAddress: [SOMEBODY] })).toEqual([[destroyed, [0]]])
    expect(await selected(node, { fromAddress: [at('destroy')] })).toEqual([[destroyed, [0]]])
    expect(await selected(node, { fromAddress: [from], count: 2 })).toEqual([
      [created, []],
      [failed, []],
    ])
  })
}

test.each([
  [{ fromBlock: '0x2', toBlock: '0x1' }, -32_602, 'invalid block range params'],
  [{ toBlock: '0x99' }, -32_602, 'block range extends beyond current head block'],
  [{ mode: 'either' }, -32_602, 'invalid argument 0: mode is neither union nor intersection'],
  [
    { fromAddress: Array.from({ length: 1_001 }, () => SOMEBODY) },
    -32_602,
    'invalid argument 0: more than 1000 addresses',
  ],
  [
    { toAddress: ['0x1'] },
    -32_602,
    'invalid argument 0: json: cannot unmarshal hex string of odd length into Go value of type common.Address',
  ],
  [
    { toAddress: SOMEBODY },
    -32_602,
    'invalid argument 0: json: cannot unmarshal string into Go value of type []common.Address',
  ],
  [{ count: -1 }, -32_602, 'invalid argument 0: invalid hex or decimal integer "-1"'],
  [[], -32_602, 'invalid argument 0: invalid filter: not an object'],
])('trace_filter of %j is refused', async (filter, code, message) => {
  const { requestLoosely } = await createTestNode(MANUAL)
  await expect(requestLoosely('trace_filter', [filter])).rejects.toMatchObject({ error: { code, message } })
})

test.each([
  ['trace_get', [toWord(1), Array.from({ length: 1_026 }, () => 0)], 'invalid argument 1: calls are at most 1025 deep'],
  [
    'trace_get',
    [toWord(1), '0x0'],
    'invalid argument 1: json: cannot unmarshal string into Go value of type []hexutil.Uint64',
  ],
  [
    'trace_replayTransaction',
    [toWord(1), ['vmTrace']],
    'invalid argument 1: vmTrace is not supported: debug_traceTransaction without a tracer tells of every step',
  ],
  ['trace_replayBlockTransactions', ['latest', ['steps']], 'invalid argument 1: no trace type is "steps"'],
  [
    'trace_replayTransaction',
    [toWord(1), 'trace'],
    'invalid argument 1: json: cannot unmarshal string into Go value of type []string',
  ],
] as const)('%s of %j is refused', async (method, params, message) => {
  const { requestLoosely } = await createTestNode(MANUAL)
  await expect(requestLoosely(method, params)).rejects.toMatchObject({ error: { code: -32_602, message } })
})

test('trace_filter ends when its time is up, and with more frames than there is room for', async () => {
  const node = await withCodes({
    // Calls the reverting contract with a mebibyte, over and over.
    [at('loop')]: '0x5b5f5f621000005f5f60ff5af1505f56',
  })
  await send(node, 0, { to: at('loop'), gas: 16_000_000n })
  const message = 'trace is too large: more than 134217728 characters'
  await expect(node.request('trace_filter', [{ toBlock: 'pending' }])).rejects.toMatchObject({ error: { message } })
  let now = node.clock.now()
  vi.spyOn(node.clock, 'now').mockImplementation(() => (now += 2_000))
  await expect(node.request('trace_filter', [{ toBlock: 'pending' }])).rejects.toMatchObject({
    error: { code: -32_000, message: 'execution timeout' },
  })
})

test('trace_filter tells of the blocks as they were when it was called, though a reorg replaces them meanwhile', async () => {
  const node = await withCodes({ [at('store')]: CODES.store })
  const hashes = []
  for (let nonce = 0; nonce < 4; nonce++) {
    hashes.push(await send(node, nonce, { to: at('store') }))
    await node.request('evm_mine')
  }
  // With this clock it yields between two blocks. The queue yields first.
  let now = node.clock.now()
  vi.spyOn(node.clock, 'now').mockImplementation(() => (now += 9))
  vi.spyOn(node.clock, 'yield')
    .mockResolvedValueOnce()
    .mockImplementationOnce(async () => {
      await node.request('devnet_reorg', [3, 'lose'])
    })
  const traces = await node.request('trace_filter', [{}])
  expect(traces.map(({ transactionHash }) => transactionHash)).toEqual(hashes)
})

test('blocks whose states are gone are refused if they have transactions, and pass if they have none', async () => {
  const { request } = await createTestNode(MANUAL)
  await request('devnet_seal', [2])
  const old = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_seal', [300])
  expect(await request('trace_filter', [{ fromBlock: '0x0', toBlock: '0x2' }])).toEqual([])
  expect(await request('trace_filter', [{ fromBlock: '0x4' }])).toEqual([])
  const refusal = { error: { code: -32_000, message: expect.stringContaining('is not available') as string } }
  await expect(request('trace_filter', [{}])).rejects.toMatchObject(refusal)
  await expect(request('trace_transaction', [old])).rejects.toMatchObject(refusal)
})

test('a replay tells the output, the frames and what changed, each if it is asked for', async () => {
  const { node, transfer, call, block } = await withCall()
  const types = ['trace', 'stateDiff']
  const replay = await node.request('trace_replayTransaction', [call, types])
  const frames = ((await node.request('trace_transaction', [call])) ?? []).map(
    ({ blockHash: _hash, blockNumber: _number, transactionHash: _tx, transactionPosition: _position, ...frame }) =>
      frame,
  )
  expect(replay).toMatchObject({ output: '0x', vmTrace: null, trace: frames })
  expect(replay.stateDiff?.[at('store')]).toEqual({
    balance: { '*': { from: '0x0', to: '0x1' } },
    nonce: '=',
    code: '=',
    storage: { [toWord(1)]: { '*': { from: toWord(0), to: toWord(5) } } },
  })
  expect(replay.stateDiff?.[from]).toMatchObject({ nonce: { '*': { from: '0x1', to: '0x2' } }, code: '=', storage: {} })
  const replays = await node.request('trace_replayBlockTransactions', [block?.hash, types])
  expect(replays?.[1]).toEqual({ ...replay, transactionHash: call })
  expect(replays?.[0]).toMatchObject({ transactionHash: transfer })
  expect(replays?.[0]?.stateDiff?.[SOMEBODY]).toEqual({
    balance: { '+': '0x1' },
    nonce: { '+': '0x0' },
    code: { '+': '0x' },
    storage: {},
  })
  const bare: RpcReplay = { output: '0x', trace: [], stateDiff: null, vmTrace: null }
  expect(await node.request('trace_replayTransaction', [call, []])).toEqual(bare)
  expect(await node.request('trace_replayBlockTransactions', ['0x0', types])).toEqual([])
  expect(await node.request('trace_replayBlockTransactions', ['0x99', types])).toBeNull()
  await expect(node.request('trace_replayTransaction', [toWord(1), types])).rejects.toMatchObject({
    error: { code: -32_000, message: 'transaction not found' },
  })
})

test('a replay shows new contracts with their slots, slots that are cleared, and accounts that go', async () => {
  // Adds CALLDATALOAD(0) in slot 1.
  const node = await withCodes({ [at('set')]: '0x5f3560015500' })
  const set = (nonce: number, value: number) => send(node, nonce, { to: at('set'), data: `0x${word(value)}` })
  const changed = async (hash: Hex) => (await node.request('trace_replayTransaction', [hash, ['stateDiff']])).stateDiff
  const slot = async (hash: Hex) => (await changed(hash))?.[at('set')]?.storage[toWord(1)]
  expect(await slot(await set(0, 7))).toEqual({ '*': { from: toWord(0), to: toWord(7) } })
  expect(await slot(await set(1, 0))).toEqual({ '*': { from: toWord(7), to: toWord(0) } })
  // SSTORE(0, 9), then the code 42.
  const created = await send(node, 2, { data: '0x60095f55602a5f5260205ff3' })
  const { contractAddress } = (await node.request('eth_getTransactionReceipt', [created])) ?? {}
  expect((await changed(created))?.[contractAddress as Hex]).toEqual({
    balance: { '+': '0x0' },
    nonce: { '+': '0x1' },
    code: { '+': toWord(42) },
    storage: { [toWord(0)]: { '+': toWord(9) } },
  })
  const reverted = await send(node, 3, { data: '0x602a5f5260205ffd' })
  expect(await node.request('trace_replayTransaction', [reverted, []])).toMatchObject({ output: toWord(42) })
  // Ether waits at the address of a contract that destroys itself while it is made.
  const doomed = getContractAddress({ from, nonce: 4n }).toLowerCase() as Hex
  await node.request('devnet_faucet', [doomed, '0x5'])
  expect((await changed(await send(node, 4, { data: '0x33ff' })))?.[doomed]).toEqual({
    balance: { '-': '0x5' },
    nonce: { '-': '0x0' },
    code: { '-': '0x' },
    storage: {},
  })
})

test('a call is traced as the transaction would be, on the state after a block', async () => {
  const { node, call, block } = await withCall()
  const before = `0x${(Number(block?.number) - 1).toString(16)}`
  const types = ['trace', 'stateDiff']
  const args = { from, to: at('call'), data: `0x${word(at('store'))}`, value: '0x3', gas: '0x493e0' }
  // Before the block of the call, with its prices left out.
  const traced = await node.request('trace_call', [args, types, before])
  const replayed = await node.request('trace_replayTransaction', [call, types])
  expect(traced.trace).toEqual(replayed.trace)
  expect(traced.output).toBe(replayed.output)
  expect(traced.stateDiff?.[at('store')]).toEqual(replayed.stateDiff?.[at('store')])
  expect(await node.request('trace_call', [args, []])).toMatchObject({ trace: [], stateDiff: null, vmTrace: null })
  await expect(node.request('trace_call', [args, types, '0x99'])).rejects.toThrow('header not found')
  await expect(node.request('trace_call', [{ ...args, value: `0x${'f'.repeat(30)}` }, types])).rejects.toThrow(
    'tracing failed: insufficient funds',
  )
  expect(await node.request('trace_call', [{ from, to: at('call'), gas: '0x5300' }, types])).toMatchObject({
    trace: [{ error: 'Out of gas' }],
  })
})

test('calls in sequence see what the ones before have changed, and the chain does not', async () => {
  const node = await createTestNode(MANUAL)
  const before = await node.request('eth_getBalance', [SOMEBODY])
  const paid = { from, to: SOMEBODY, value: '0x5' }
  const passedOn = { from: SOMEBODY, to: from, value: '0x5' }
  await expect(node.request('trace_call', [passedOn, ['trace']])).rejects.toThrow('insufficient funds')
  const traces = await node.request('trace_callMany', [
    [
      [paid, ['trace']],
      [passedOn, ['stateDiff']],
    ],
  ])
  expect(traces).toMatchObject([
    { trace: [{ action: { to: SOMEBODY, value: '0x5' } }], stateDiff: null },
    { trace: [], stateDiff: { [SOMEBODY]: { balance: { '*': { from: '0x5', to: '0x0' } } } } },
  ])
  expect(await node.request('eth_getBalance', [SOMEBODY])).toBe(before)
  const many = Array.from({ length: 257 }, () => [paid, ['trace']])
  await expect(node.request('trace_callMany', [many])).rejects.toMatchObject({ error: { code: -32602 } })
  expect(await node.request('trace_callMany', [[]])).toEqual([])
})

test('a signed transaction is traced without being submitted', async () => {
  const node = await createTestNode(MANUAL)
  const raw = await signTransfer(0, 7, { to: SOMEBODY, value: 9n })
  const traced = await node.request('trace_rawTransaction', [raw, ['trace', 'stateDiff']])
  expect(traced).toMatchObject({
    output: '0x',
    trace: [{ type: 'call', action: { from, to: SOMEBODY, value: '0x9' } }],
    stateDiff: { [SOMEBODY]: { balance: { '+': '0x9' } } },
  })
  expect(await node.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  await expect(node.request('trace_rawTransaction', ['0x02', ['trace']])).rejects.toMatchObject({
    error: { code: -32000 },
  })
  const poor = await signTransfer(0, 0, { value: 10n ** 30n })
  await expect(node.request('trace_rawTransaction', [poor, ['trace']])).rejects.toThrow('insufficient funds')
})
