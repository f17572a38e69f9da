import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { RpcLocalizedTrace } from '#rpc-types/methods/trace.ts'
import { at, CODES, frameOf, from, send, withCodes, word } from '#testing/node/rpc/traces.ts'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'

const IDENTITY = `0x${'00'.repeat(19)}04` as const
/** REVERT with 42. */
const REVERT = '0x602a5f5260205ffd'
const ZERO_ADDRESS = `0x${'00'.repeat(20)}`

test('noopTracer finds nothing, of a transaction, a block and a call', async () => {
  const node = await createTestNode({ mode: 'manual' })
  const hash = await send(node, 0, { to: from })
  const noop = { tracer: 'noopTracer' }
  expect(await node.request('debug_traceTransaction', [hash, noop])).toEqual({})
  expect(await node.request('debug_traceBlockByNumber', ['pending', noop])).toEqual([{ txHash: hash, result: {} }])
  expect(await node.request('debug_traceCall', [{ to: from }, 'latest', noop])).toEqual({})
})

test('4byteTracer counts selectors by what follows them, and leaves out creations and precompiled contracts', async () => {
  // Two calls with four bytes, one with five; the identity contract with four; a creation with eight.
  const push = (address: string) => `73${address.slice(2)}`
  const call = (address: string, size: number) =>
    `5f5f60${size.toString(16).padStart(2, '0')}5f5f${push(address)}5af150`
  const code =
    `0x${call(from, 4)}${call(from, 4)}${call(from, 5)}${call(from, 3)}${call(IDENTITY, 4)}60085f5ff000` as const
  const node = await withCodes({ [at('call')]: code })
  const hash = await send(node, 0, { to: at('call'), data: '0x12345678ff' })
  expect(await node.request('debug_traceTransaction', [hash, { tracer: '4byteTracer' }])).toEqual({
    '0x12345678-1': 1,
    '0x00000000-0': 2,
    '0x00000000-1': 1,
  })
})

test('flatCallTracer lists the frames of callTracer, each with its place', async () => {
  const node = await withCodes({ [at('store')]: CODES.store, [at('call')]: CODES.call })
  await send(node, 0, { to: from })
  const hash = await send(node, 1, { to: at('call'), data: `0x${word(at('store'))}`, value: 3n })
  await node.request('evm_mine')
  const flat = (await node.request('debug_traceTransaction', [
    hash,
    { tracer: 'flatCallTracer' },
  ])) as RpcLocalizedTrace[]
  const { calls, ...frame } = await frameOf(node, hash)
  const block = await node.request('eth_getBlockByNumber', ['latest', false])
  const place = {
    blockHash: block?.hash,
    blockNumber: Number(block?.number),
    transactionHash: hash,
    transactionPosition: 1,
  }
  const action = ({ from: caller, to, value, gas, input }: typeof frame) => ({ from: caller, to, value, gas, input })
  expect(flat).toEqual([
    {
      ...place,
      type: 'call',
      action: { ...action(frame), callType: 'call' },
      result: { gasUsed: frame.gasUsed, output: '0x' },
      subtraces: 1,
      traceAddress: [],
    },
    {
      ...place,
      type: 'call',
      action: { ...action(calls?.[0] as typeof frame), callType: 'call' },
      result: { gasUsed: calls?.[0]?.gasUsed, output: '0x' },
      subtraces: 0,
      traceAddress: [0],
    },
  ])
})

test('flatCallTracer leaves precompiled contracts out unless told otherwise, and counts on after them', async () => {
  // STATICCALL and CALL of the identity contract, then CALL of the reverting one.
  const code = `0x5f5f5f5f60045afa505f5f5f5f5f60045af1505f5f5f5f5f73${at('fail').slice(2)}5af100` as const
  const node = await withCodes({ [at('call')]: code, [at('fail')]: REVERT })
  const hash = await send(node, 0, { to: at('call') })
  const trace = async (tracerConfig: object) =>
    (await node.request('debug_traceTransaction', [
      hash,
      { tracer: 'flatCallTracer', tracerConfig },
    ])) as RpcLocalizedTrace[]
  const seen = (traces: readonly RpcLocalizedTrace[]) =>
    traces.map(({ action, traceAddress, subtraces, error, result }) => ({
      to: 'to' in action ? action.to : undefined,
      traceAddress,
      subtraces,
      ...(error !== undefined && { error, result }),
    }))
  const result = { gasUsed: expect.any(String) as string, output: toWord(42) }
  expect(seen(await trace({}))).toEqual([
    { to: at('call'), traceAddress: [], subtraces: 1 },
    { to: at('fail'), traceAddress: [0], subtraces: 0, error: 'execution reverted', result },
  ])
  expect(seen(await trace({ includePrecompiles: true, convertParityErrors: true }))).toEqual([
    { to: at('call'), traceAddress: [], subtraces: 3 },
    { to: IDENTITY, traceAddress: [0], subtraces: 0 },
    { to: IDENTITY, traceAddress: [1], subtraces: 0 },
    { to: at('fail'), traceAddress: [2], subtraces: 0, error: 'Reverted', result },
  ])
  const call = await node.request('debug_traceCall', [{ to: at('fail') }, 'latest', { tracer: 'flatCallTracer' }])
  expect(call).toMatchObject([
    { blockHash: null, blockNumber: 2, transactionHash: null, transactionPosition: 0, error: 'execution reverted' },
  ])
})

test('flatCallTracer shows creations by what they make, and self-destructions', async () => {
  const node = await withCodes({ [at('destroy')]: CODES.destroy })
  const created = await send(node, 0, { data: '0x602a5f5260205ff3' })
  const failed = await send(node, 1, { data: '0xfe' })
  const destroyed = await send(node, 2, { to: at('destroy'), data: `0x${word(from)}`, value: 8n })
  const trace = (hash: string) => node.request('debug_traceTransaction', [hash, { tracer: 'flatCallTracer' }])
  const receipt = await node.request('eth_getTransactionReceipt', [created])
  expect(await trace(created)).toMatchObject([
    {
      type: 'create',
      blockHash: null,
      action: { creationMethod: 'create', from, init: '0x602a5f5260205ff3', value: '0x0' },
      result: { address: receipt?.contractAddress, code: toWord(42), gasUsed: receipt?.gasUsed },
    },
  ])
  const [failure] = (await trace(failed)) as RpcLocalizedTrace[]
  expect(failure).toMatchObject({ type: 'create', error: 'invalid opcode: INVALID' })
  expect(failure).not.toHaveProperty('result')
  const [, destruction] = (await trace(destroyed)) as RpcLocalizedTrace[]
  expect(destruction).toMatchObject({
    type: 'suicide',
    action: { address: at('destroy'), refundAddress: from, balance: '0x8' },
    traceAddress: [0],
  })
  expect(destruction).not.toHaveProperty('result')
})

test('muxTracer answers what each of its tracers would', async () => {
  const node = await withCodes({ [at('store')]: CODES.store, [at('call')]: CODES.call })
  const hash = await send(node, 0, { to: at('call'), data: `0x${word(at('store'))}`, value: 3n })
  const parts = {
    callTracer: { withLog: true },
    prestateTracer: { diffMode: true },
    flatCallTracer: null,
    noopTracer: {},
    '4byteTracer': {},
  }
  const alone: Record<string, unknown> = {}
  for (const [tracer, tracerConfig] of Object.entries(parts)) {
    alone[tracer] = await node.request('debug_traceTransaction', [hash, { tracer, tracerConfig }])
  }
  const mux = { tracer: 'muxTracer', tracerConfig: parts }
  expect(await node.request('debug_traceTransaction', [hash, mux])).toEqual(alone)
  expect(await node.request('debug_traceBlockByNumber', ['pending', mux])).toEqual([{ txHash: hash, result: alone }])
  expect(await node.request('debug_traceTransaction', [hash, { tracer: 'muxTracer' }])).toEqual({})
})

test.each([
  [{ muxTracer: {} }, -32_000, 'muxTracer does not run another muxTracer'],
  [{ fooTracer: {} }, -32_000, 'ReferenceError: fooTracer is not defined at <eval>:1:2(0)'],
  [
    Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`t${i}`, {}])),
    -32_602,
    'invalid argument 2: muxTracer runs at most 8 tracers',
  ],
  [
    { callTracer: { withLog: 1 } },
    -32_602,
    'invalid argument 2: json: cannot unmarshal number into Go struct field TraceConfig.withLog of type bool',
  ],
  [[], -32_602, 'invalid argument 2: json: cannot unmarshal array into Go value of type tracers.TraceConfig'],
])('muxTracer of %j is refused', async (tracerConfig, code, message) => {
  const { requestLoosely } = await createTestNode({ mode: 'manual' })
  const trace = requestLoosely('debug_traceCall', [
    { to: ZERO_ADDRESS },
    'latest',
    { tracer: 'muxTracer', tracerConfig },
  ])
  await expect(trace).rejects.toMatchObject({ error: { code, message } })
})

test('a flat trace that would take the memory of the node is refused', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  // Calls the reverting contract with a mebibyte, over and over.
  const stateOverrides = { [at('loop')]: { code: '0x5b5f5f621000005f5f60ff5af1505f56' } }
  const trace = request('debug_traceCall', [
    { to: at('loop'), gas: '0xf42400' },
    'latest',
    { stateOverrides, tracer: 'flatCallTracer' },
  ])
  const message = 'trace is too large: more than 134217728 characters'
  await expect(trace).rejects.toMatchObject({ error: { code: -32_000, message } })
})

test('a pre-confirmed transfer has no hash of its block in a flat trace, and a sealed one has', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const hash = await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('devnet_tick')
  const trace = () => request('debug_traceTransaction', [hash, { tracer: 'flatCallTracer' }])
  const to = devAccount(9).address.toLowerCase()
  expect(await trace()).toMatchObject([{ blockHash: null, blockNumber: 1, action: { from, to, gas: '0x5208' } }])
  await request('devnet_seal')
  const block = await request('eth_getBlockByNumber', ['latest', false])
  expect(await trace()).toMatchObject([{ blockHash: block?.hash, blockNumber: 1, result: { gasUsed: '0x5208' } }])
})
