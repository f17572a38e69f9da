import { describe, expect, test, vi } from 'vitest'
import { type Hex, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcExecutionSubject, RpcStep } from '#rpc-types/execution-trace.ts'
import type { RpcStructLogTrace } from '#rpc-types/methods/debug.ts'
import { ENGINE_NAMES } from '#rpc-types/option-tables.derived.ts'
import { column } from '#testing/node/rpc/executions.ts'
import { at, CODES, send, withCodes, word } from '#testing/node/rpc/traces.ts'
import { createTestNode } from '#testing/node/test-node.ts'

/** Memory, a slot read and written, and a call within. */
const BUSY: Hex = '0x602a5f525f5460015560015f5460205f5f5f5f305af1503d'

describe.each(ENGINE_NAMES)('with the %s engine', (engine) => {
  test('steps in full are those of the struct logger, from any step on', async () => {
    const codes = { [at('busy')]: '0x602a5f525f546001555f35', [at('call')]: CODES.call } as const
    const node = await withCodes(codes, { engine })
    const hash = await send(node, 0, { to: at('call'), data: `0x${word(at('busy'))}`, value: 1n })
    const { structLogs } = (await node.request('debug_traceTransaction', [
      hash,
      { enableMemory: true, enableReturnData: true },
    ])) as RpcStructLogTrace
    const { steps } = await node.request('devnet_traceSteps', [hash, 0, 1_024])
    expect(
      unfolded(steps).map(({ pc, op, gas, gasCost, depth, stack, refund }) => ({
        pc,
        op,
        gas: Number(gas),
        gasCost: Number(gasCost),
        depth: depth + 1,
        stack,
        refund: Number(refund),
      })),
    ).toEqual(
      structLogs.map(({ pc, op, gas, gasCost, depth, stack, refund = 0 }) => ({
        pc,
        op,
        gas,
        gasCost,
        depth,
        stack,
        refund,
      })),
    )
    expect(unfolded(steps).map(({ memory }) => memory)).toEqual(
      structLogs.map(({ memory = [] }) => `0x${memory.map((line) => line.slice(2)).join('')}`),
    )
    expect(steps.filter(({ storage }) => storage).map(({ op, storage }) => [op, storage])).toEqual([
      ['SLOAD', { key: toWord(0), value: toWord(0) }],
      ['SSTORE', { key: toWord(1), value: toWord(0) }],
    ])
    const frames = steps.map(({ frame }) => frame)
    expect(frames).toEqual(steps.map(({ depth }) => depth))
    const some = await node.request('devnet_traceSteps', [hash, '0x5', 7])
    expect(some.first).toBe(5)
    expect(unfolded(some.steps)).toEqual(unfolded(steps).slice(5, 12))
    const all = await node.request('devnet_traceExecution', [hash])
    expect(steps.map(({ pc }) => pc)).toEqual(column(all.pcs))
    const last = await node.request('devnet_traceSteps', [hash, all.steps - 1, 10])
    expect(unfolded(last.steps)).toEqual(unfolded(steps).slice(-1))
    expect(await node.request('devnet_traceSteps', [hash, all.steps, 10])).toEqual({ first: all.steps, steps: [] })
  })

  test('the steps of a call are those that its overrides lead to', async () => {
    const node = await createTestNode({ mode: 'manual', engine })
    const subject: RpcExecutionSubject = { call: { to: at('x') }, stateOverrides: { [at('x')]: { code: BUSY } } }
    const { steps } = await node.request('devnet_traceSteps', [subject, 0, 3])
    expect(steps.map(({ op }) => op)).toEqual(['PUSH1', 'PUSH0', 'MSTORE'])
  })

  test('memory is left out while it stays the same', async () => {
    const code: Hex = '0x602a5f5260015000'
    const node = await withCodes({ [at('memory')]: code }, { engine })
    const hash = await send(node, 0, { to: at('memory') })
    const { steps } = await node.request('devnet_traceSteps', [hash, 0, 100])
    expect(steps.map(({ op, memory }) => [op, memory])).toEqual([
      ['PUSH1', '0x'],
      ['PUSH0', undefined],
      ['MSTORE', undefined],
      ['PUSH1', toWord(42)],
      ['POP', undefined],
      ['STOP', undefined],
    ])
  })
})

test('an answer ends early where memories are large', async () => {
  const node = await createTestNode({ mode: 'manual' })
  // Stores the counter beyond a mebibyte, again and again.
  const subject: RpcExecutionSubject = {
    call: { to: at('x'), gas: toQuantity(3_000_000) },
    stateOverrides: { [at('x')]: { code: '0x5f5b600101806210000052600156' } },
  }
  const { steps } = await node.request('devnet_traceSteps', [subject, 0, 1_024])
  expect(steps.length).toBeGreaterThan(8)
  expect(steps.length).toBeLessThan(1_024)
  expect(JSON.stringify(steps).length).toBeLessThan(20_000_000)
})

test('a trace that would use up the memory of the node is refused, and one that takes too long ends', async () => {
  const { request, clock } = await createTestNode({ mode: 'manual' })
  const subject = (code: Hex): RpcExecutionSubject => ({
    call: { to: at('x'), gas: toQuantity(16_000_000) },
    stateOverrides: { [at('x')]: { code } },
  })
  // Calls the identity precompile with a mebibyte, repeatedly.
  await expect(request('devnet_traceExecution', [subject('0x5b5f5f621000005f5f60045af1505f56')])).rejects.toMatchObject(
    {
      error: { code: -32000, message: 'trace is too large: more than 134217728 characters' },
    },
  )
  let now = clock.now()
  vi.spyOn(clock, 'now').mockImplementation(() => (now += 100))
  const timeout = { error: { code: -32000, message: 'execution timeout' } }
  await expect(request('devnet_traceExecution', [subject(CODES.loop)])).rejects.toMatchObject(timeout)
  await expect(request('devnet_traceSteps', [subject(CODES.loop), 1_000_000, 1])).rejects.toMatchObject(timeout)
})

const HASH = toWord(1)

test.each([
  [[], 'missing value for required argument 0'],
  [[7], 'invalid argument 0: neither the hash of a transaction nor a call'],
  [[[]], 'invalid argument 0: neither the hash of a transaction nor a call'],
  [['0x12'], 'invalid argument 0: hex string has length 2, want 64 for common.Hash'],
  [[{}], 'invalid argument 0: the subject has no call'],
  [[{ call: [] }], 'invalid argument 0: json: cannot unmarshal array into Go value of type ethapi.TransactionArgs'],
  [
    [{ call: {}, stateOverrides: [] }],
    'invalid argument 0: json: cannot unmarshal array into Go value of type override.StateOverride',
  ],
  [[{ call: {}, block: 'soon' }], 'invalid argument 0: hex string without 0x prefix'],
  [[HASH, HASH], 'too many arguments, want at most 1'],
] as const)('devnet_traceExecution %j is refused: %s', async (params, message) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request('devnet_traceExecution', params)).rejects.toMatchObject({ error: { code: -32602, message } })
})

test.each([
  [[HASH, -1, 1], 'invalid argument 1: invalid hex or decimal integer "-1"'],
  [[HASH, 0, 0], 'invalid argument 2: 0 is not a whole number from 1 to 1024'],
  [[HASH, 0, 1_025], 'invalid argument 2: 1025 is not a whole number from 1 to 1024'],
  [[HASH, 0], 'missing value for required argument 2'],
] as const)('devnet_traceSteps %j is refused: %s', async (params, message) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request('devnet_traceSteps', params)).rejects.toMatchObject({ error: { code: -32602, message } })
})

test('what is not there, and calls that cannot be made, are refused', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  const refused = (message: string) => ({ error: { code: -32000, message } })
  await expect(request('devnet_traceExecution', [HASH])).rejects.toMatchObject(refused('transaction not found'))
  await expect(request('devnet_traceSteps', [HASH, 0, 1])).rejects.toMatchObject(refused('transaction not found'))
  await expect(request('devnet_traceExecution', [{ call: {}, block: '0x99' }])).rejects.toMatchObject(
    refused('header not found'),
  )
  await expect(request('devnet_traceExecution', [{ call: { gas: '0x1' } }])).rejects.toMatchObject(
    refused('tracing failed: intrinsic gas too low: have 1, want 53000'),
  )
})

/** With memory and return data in each step. */
function unfolded(steps: readonly RpcStep[]): readonly RpcStep[] {
  let memory: Hex = '0x'
  let returnData: Hex = '0x'
  return steps.map((step) => {
    memory = step.memory ?? memory
    returnData = step.returnData ?? returnData
    return { ...step, memory, returnData }
  })
}
