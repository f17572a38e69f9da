import { type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import type { RpcPrestate, RpcPrestateDiff, RpcStructLogTrace } from '#rpc-types/methods/debug.ts'
import { at, CODES, from, send, withCodes } from '#testing/node/rpc/traces.ts'
import { devAccount } from '#testing/node/test-node.ts'

const COINBASE = '0x4200000000000000000000000000000000000011'

test('the prestate tracer shows what was read, and in diff mode what changed', async () => {
  const node = await withCodes({ [at('store')]: CODES.store })
  const balance = await node.request('eth_getBalance', [from, 'pending'])
  const hash = await send(node, 0, { to: at('store') })
  const slot = toWord(1)
  const pre = (await node.request('debug_traceTransaction', [hash, { tracer: 'prestateTracer' }])) as RpcPrestate
  expect(pre).toEqual({
    [from]: { balance },
    [at('store')]: {
      balance: '0x0',
      code: CODES.store,
      codeHash: keccak256(CODES.store),
      storage: { [slot]: toWord(0) },
    },
  })
  const config = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  const diff = (await node.request('debug_traceTransaction', [hash, config])) as RpcPrestateDiff
  expect(diff.post).toEqual({
    [from]: { balance: await node.request('eth_getBalance', [from, 'pending']), nonce: 1 },
    [at('store')]: { storage: { [slot]: toWord(5) } },
    [COINBASE]: { balance: await node.request('eth_getBalance', [COINBASE, 'pending']) },
  })
  expect(diff.pre).toEqual({ [from]: { balance }, [at('store')]: { ...pre[at('store')], storage: undefined } })
})

test('the struct logger shows each step, with memory and return data on request', async () => {
  const node = await withCodes({ [at('store')]: '0x602a5f525f5460015500' })
  const hash = await send(node, 0, { to: at('store') })
  const trace = async (config: object) =>
    (await node.request('debug_traceTransaction', [hash, config])) as RpcStructLogTrace
  const { structLogs, ...outcome } = await trace({ enableMemory: true })
  expect(outcome).toEqual({ gas: 25_316, failed: false, returnValue: '0x' })
  expect(structLogs.map(({ op, gasCost }) => [op, gasCost])).toEqual([
    ['PUSH1', 3],
    ['PUSH0', 2],
    ['MSTORE', 6],
    ['PUSH0', 2],
    ['SLOAD', 2_100],
    ['PUSH1', 3],
    ['SSTORE', 2_200],
    ['STOP', 0],
  ])
  expect(structLogs[0]).toEqual({ pc: 0, op: 'PUSH1', gas: 279_000, gasCost: 3, depth: 1, stack: [] })
  expect(structLogs[4]).toMatchObject({ stack: ['0x0'], memory: [toWord(42)], storage: { [toWord(0)]: toWord(0) } })
  expect(structLogs[6]?.storage).toEqual({ [toWord(0)]: toWord(0), [toWord(1)]: toWord(0) })
  const bare = await trace({ disableStack: true, disableStorage: true, limit: 5 })
  expect(bare.structLogs).toHaveLength(5)
  expect(bare.structLogs[4]).toEqual({ pc: 5, op: 'SLOAD', gas: 278_987, gasCost: 2_100, depth: 1 })
})

test('the step that runs out of gas carries the error', async () => {
  const node = await withCodes({ [at('loop')]: CODES.loop })
  const hash = await send(node, 0, { to: at('loop'), gas: 21_100n })
  const { structLogs, failed, gas } = (await node.request('debug_traceTransaction', [hash])) as RpcStructLogTrace
  expect({ failed, gas }).toEqual({ failed: true, gas: 21_100 })
  expect(structLogs.at(-1)).toMatchObject({ op: 'PUSH0', gas: 0, gasCost: 2, error: 'out of gas' })
  expect(structLogs.filter(({ error }) => error !== undefined)).toHaveLength(1)
})

test('a delegation is applied again before its transaction is traced, and its refund counts from the first step', async () => {
  const node = await withCodes({ [at('store')]: CODES.store })
  const authority = devAccount(1)
  const authorization = await authority.signAuthorization({ contractAddress: at('store'), chainId: 31337, nonce: 0 })
  const raw = await devAccount(0).signTransaction({
    type: 'eip7702',
    chainId: 31337,
    nonce: 0,
    gas: 300_000n,
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    to: authority.address,
    authorizationList: [authorization],
  })
  const hash = await node.request('eth_sendRawTransaction', [raw])
  await node.request('devnet_tick')
  const delegated = authority.address.toLowerCase() as Hex
  const diff = (await node.request('debug_traceTransaction', [
    hash,
    { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  ])) as RpcPrestateDiff
  expect(diff.post[delegated]).toMatchObject({ code: `0xef0100${at('store').slice(2)}`, nonce: 1 })
  expect(diff.post[delegated]?.storage).toEqual({ [toWord(1)]: toWord(5) })
  const { structLogs } = (await node.request('debug_traceTransaction', [hash])) as RpcStructLogTrace
  expect(structLogs[0]).toMatchObject({ op: 'PUSH1', refund: 12_500 })
})
