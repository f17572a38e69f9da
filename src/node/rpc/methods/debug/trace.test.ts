import { encodeErrorResult, getContractAddress, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { RpcCallFrame, RpcPrestate } from '#rpc-types/methods/debug.ts'
import { at, CODES, callTracer, frameOf, from, send, withCodes, word } from '#testing/node/rpc/traces.ts'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'

const IDENTITY = `0x${'00'.repeat(19)}04` as const

test('a transfer is one frame, the same while it is pre-confirmed and once it is sealed', async () => {
  const node = await createTestNode({ mode: 'manual' })
  const to = devAccount(9).address.toLowerCase()
  const hash = await node.request('eth_sendRawTransaction', [await signTransfer(0, 0, { value: 5n })])
  await node.request('devnet_tick')
  const frame = { type: 'CALL', from, to, value: '0x5', gas: '0x5208', gasUsed: '0x5208', input: '0x' }
  expect(await frameOf(node, hash)).toEqual(frame)
  await node.request('evm_mine')
  expect(await frameOf(node, hash)).toEqual(frame)
  expect(await node.request('debug_traceTransaction', [hash])).toEqual({
    gas: 21_000,
    failed: false,
    returnValue: '0x',
    structLogs: [],
  })
})

test('nested calls are within their frame, and logs are numbered through the block', async () => {
  const node = await withCodes({ [at('store')]: CODES.store, [at('call')]: CODES.call })
  await send(node, 0, { to: at('store') })
  const hash = await send(node, 1, { to: at('call'), data: `0x${word(at('store'))}`, value: 3n })
  const receipt = await node.request('eth_getTransactionReceipt', [hash])
  const { calls, ...frame } = await frameOf(node, hash)
  expect(frame).toMatchObject({ type: 'CALL', to: at('call'), value: '0x3', gas: '0x493e0', gasUsed: receipt?.gasUsed })
  expect(frame.logs).toEqual([{ address: at('call'), topics: [], data: '0x', index: '0x2', position: '0x1' }])
  expect(calls).toHaveLength(1)
  expect(calls?.[0]).toMatchObject({ type: 'CALL', from: at('call'), to: at('store'), value: '0x1', input: '0x' })
  expect(calls?.[0]?.logs).toEqual([
    { address: at('store'), topics: [toWord(7)], data: toWord(0), index: '0x1', position: '0x0' },
  ])
  expect(receipt?.logs.map(({ logIndex }) => logIndex)).toEqual(['0x1', '0x2'])
  expect(await frameOf(node, hash, { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } })).toEqual({
    type: 'CALL',
    from,
    to: at('call'),
    value: '0x3',
    gas: '0x493e0',
    gasUsed: receipt?.gasUsed,
    input: `0x${word(at('store'))}`,
  })
})

test('each kind of call has its type, its caller and its value', async () => {
  const node = await withCodes({ [at('calls')]: CODES.calls })
  const hash = await send(node, 0, { to: at('calls'), data: `0x${word(IDENTITY)}`, value: 6n })
  const { calls } = await frameOf(node, hash)
  expect(calls?.map(({ type, from: caller, to, value }) => ({ type, caller, to, value }))).toEqual([
    { type: 'DELEGATECALL', caller: at('calls'), to: IDENTITY, value: '0x6' },
    { type: 'STATICCALL', caller: at('calls'), to: IDENTITY, value: undefined },
    { type: 'CALLCODE', caller: at('calls'), to: IDENTITY, value: '0x0' },
  ])
})

test('a revert has its reason and its data, and none of its logs', async () => {
  const abi = parseAbi(['error Error(string)'])
  const reason = encodeErrorResult({ abi, errorName: 'Error', args: ['not yours'] })
  const size = ((reason.length - 2) / 2).toString(16).padStart(2, '0')
  // LOG0, then CODECOPY of what follows the code, and REVERT with it.
  const code: Hex = `0x5f5fa060${size}80600c5f395ffd${reason.slice(2)}`
  const node = await withCodes({ [at('fail')]: code, [at('call')]: CODES.call })
  const hash = await send(node, 0, { to: at('call'), data: `0x${word(at('fail'))}`, value: 3n })
  const frame = await frameOf(node, hash)
  expect(frame.error).toBeUndefined()
  expect(frame.logs).toEqual([{ address: at('call'), topics: [], data: '0x', index: '0x0', position: '0x1' }])
  expect(frame.calls?.[0]).toMatchObject({ error: 'execution reverted', output: reason, revertReason: 'not yours' })
  expect(frame.calls?.[0]).not.toHaveProperty('logs')
})

test('a call that is paid for but never starts is a frame with an error', async () => {
  const node = await withCodes({ [at('call')]: CODES.call })
  const hash = await send(node, 0, { to: at('call'), data: `0x${word(from)}` })
  const { calls } = await frameOf(node, hash)
  expect(calls).toEqual([
    {
      type: 'CALL',
      from: at('call'),
      to: from,
      value: '0x1',
      // No gas was passed: this is the stipend.
      gas: calls?.[0]?.gas,
      gasUsed: '0x0',
      input: '0x',
      error: 'insufficient balance for transfer',
    },
  ])
  expect(Number(calls?.[0]?.gas)).toBeGreaterThan(2_300)
})

test('a creation shows the code as output, and a failed one no address', async () => {
  const node = await createTestNode({ mode: 'manual' })
  const data: Hex = '0x602a5f5260205ff3'
  const created = await frameOf(node, await send(node, 0, { data }))
  const to = getContractAddress({ from, nonce: 0n }).toLowerCase()
  expect(created).toMatchObject({ type: 'CREATE', from, to, input: data, output: toWord(42) })
  const failed = await frameOf(node, await send(node, 1, { data: '0xfe' }))
  expect(failed).toMatchObject({ type: 'CREATE', error: 'invalid opcode: INVALID', gasUsed: '0x493e0' })
  expect(failed).not.toHaveProperty('to')
})

test('a self-destruction is a frame that passes on the balance', async () => {
  const node = await withCodes({ [at('destroy')]: CODES.destroy })
  const hash = await send(node, 0, { to: at('destroy'), data: `0x${word(from)}`, value: 8n })
  expect((await frameOf(node, hash)).calls).toEqual([
    { type: 'SELFDESTRUCT', from: at('destroy'), to: from, value: '0x8', gas: '0x0', gasUsed: '0x0', input: '0x' },
  ])
})

test('tracing a block gives the traces of its transactions, including edits between them', async () => {
  const node = await createTestNode({ mode: 'manual' })
  const poor = devAccount(0).address
  const first = await send(node, 0, { to: poor, value: 1n, gas: 21_000n })
  await node.request('devnet_faucet', [at('call'), '0x64'])
  await node.request('devnet_faucet', [poor, '0x64'])
  const second = await send(node, 1, { to: poor, value: 2n, gas: 21_000n })
  const traces = await node.request('debug_traceBlockByNumber', ['pending', callTracer])
  expect(traces).toEqual([
    { txHash: first, result: await frameOf(node, first) },
    { txHash: second, result: await frameOf(node, second) },
  ])
  const sealed = await node
    .request('devnet_tick', [10])
    .then(() => node.request('eth_getBlockByNumber', ['latest', false]))
  expect(await node.request('debug_traceBlockByHash', [sealed?.hash, callTracer])).toEqual(traces)
  const before = { tracer: 'prestateTracer' }
  const prestate = (await node.request('debug_traceTransaction', [second, before])) as RpcPrestate
  const spent = 10_000n * 10n ** 18n - BigInt(prestate[from]?.balance ?? 0n)
  const receipt = await node.request('eth_getTransactionReceipt', [first])
  expect(spent).toBe(21_000n * BigInt(receipt?.effectiveGasPrice ?? 0n) - 0x64n)
})

test('a call is traced with its overrides, at pending and before a transaction of a block', async () => {
  const node = await createTestNode({ mode: 'manual' })
  const trace = (call: object, block: unknown, config: object = {}) =>
    node.request('debug_traceCall', [call, block, { tracer: 'callTracer', ...config }]) as Promise<RpcCallFrame>
  // Returns NUMBER and the balance of the caller.
  const to = at('call')
  const stateOverrides = { [to]: { code: '0x435f52333160205260405ff3' }, [from]: { balance: '0x7' } }
  const blockOverrides = { number: '0x1234' }
  const frame = await trace({ from, to }, 'latest', { stateOverrides, blockOverrides })
  expect(frame).toMatchObject({ gas: '0x2faf080', output: `0x${word(0x1234)}${word(7)}` })

  await send(node, 0, { to, value: 1n })
  await send(node, 1, { to, value: 1n })
  const held = { [at('store')]: { code: `0x73${to.slice(2)}315f5260205ff3` } }
  const balanceAt = async (config: object) =>
    BigInt((await trace({ to: at('store') }, 'pending', { stateOverrides: held, ...config })).output ?? '0x0')
  expect(await balanceAt({})).toBe(2n)
  expect(await balanceAt({ txIndex: '0x1' })).toBe(1n)
  expect(await balanceAt({ txIndex: '0x0' })).toBe(0n)
  await expect(balanceAt({ txIndex: '0x2' })).rejects.toMatchObject({ error: { code: -32000 } })
})

test('a transaction of an impersonated contract is traced like any other', async () => {
  const node = await withCodes({ [at('store')]: CODES.store })
  await node.request('anvil_setBalance', [at('store'), '0xde0b6b3a7640000'])
  await node.request('anvil_impersonateAccount', [at('store')])
  const hash = await node.request('eth_sendTransaction', [{ from: at('store'), to: from, value: '0x1', gas: '0x5208' }])
  await node.request('devnet_tick')
  expect(await frameOf(node, hash)).toMatchObject({ from: at('store'), to: from, value: '0x1', gasUsed: '0x5208' })
})
