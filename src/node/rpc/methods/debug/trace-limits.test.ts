import { getAddress } from 'viem'
import { expect, test, vi } from 'vitest'
import { type Hex, toWord } from '#primitives/hex.ts'
import { createTestNode, devAccount } from '#testing/node/test-node.ts'

const from = devAccount(0).address.toLowerCase()
const POOR: Hex = `0x${'c1'.repeat(20)}`
const LOOP: Hex = `0x${'c2'.repeat(20)}`

test.each([
  ['debug_traceTransaction', [toWord(1)], 'transaction not found'],
  ['debug_traceBlockByNumber', ['0x99'], 'block #153 not found'],
  ['debug_traceBlockByNumber', ['0x0'], 'genesis is not traceable'],
  ['debug_traceBlockByHash', [toWord(1)], `block ${toWord(1)} not found`],
  [
    'debug_traceCall',
    [{}, 'latest', { tracer: 'fooTracer' }],
    'ReferenceError: fooTracer is not defined at <eval>:1:2(0)',
  ],
  [
    'debug_traceCall',
    [{}, 'latest', { tracer: '{step: function() {}}' }],
    'JavaScript tracers are not supported, unless the server is started with --js-tracers',
  ],
  [
    'debug_traceCall',
    [{ from: POOR, to: from, value: '0x1' }, 'latest'],
    `tracing failed: insufficient funds for gas * price + value: address ${getAddress(POOR)} have 0 want 1`,
  ],
] as const)('%s of %j is refused', async (method, params, message) => {
  const { request } = await createTestNode({ mode: 'manual' })
  await expect(request(method, params)).rejects.toMatchObject({ error: { code: -32000, message } })
})

test('a trace ends when its time is up, and an invalid duration is refused', async () => {
  const { request, clock } = await createTestNode({ mode: 'manual' })
  const call = { to: LOOP, gas: '0x989680' }
  const stateOverrides = { [LOOP]: { code: '0x5b5f56' } }
  let now = clock.now()
  vi.spyOn(clock, 'now').mockImplementation(() => ++now)
  const trace = (timeout: string) =>
    request('debug_traceCall', [call, 'latest', { tracer: 'callTracer', stateOverrides, timeout }])
  await expect(trace('20ms')).rejects.toMatchObject({ error: { code: -32000, message: 'execution timeout' } })
  await expect(trace('soon')).rejects.toMatchObject({
    error: { code: -32602, message: 'invalid argument 2: time: invalid duration "soon"' },
  })
})

test('a trace that would use up the memory of the node is refused', async () => {
  const { request } = await createTestNode({ mode: 'manual' })
  // Calls the identity precompile with a mebibyte, repeatedly.
  const stateOverrides = { [LOOP]: { code: '0x5b5f5f621000005f5f60045af1505f56' } }
  const trace = (config: object) =>
    request('debug_traceCall', [{ to: LOOP, gas: '0xf42400' }, 'latest', { stateOverrides, ...config }])
  const refusal = { error: { code: -32000, message: 'trace is too large: more than 134217728 characters' } }
  await expect(trace({ tracer: 'callTracer' })).rejects.toMatchObject(refusal)
  await expect(trace({ enableMemory: true })).rejects.toMatchObject(refusal)
  // The trace writes 256 MB of text before it is refused: seconds alone, longer beside other tests.
})
