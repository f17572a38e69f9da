import { expect, test } from 'vitest'
import { type Hex, toWord } from '#primitives/hex.ts'
import type { RpcStorageTrace } from '#rpc-types/execution-trace.ts'
import { ENGINE_NAMES } from '#rpc-types/option-tables.derived.ts'
import { at, CODES, send, withCodes, word } from '#testing/node/rpc/traces.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import type { TraceStep } from '../../../evm/tracer.ts'
import { createStorageTracer } from '../../tracers/storage-tracer.ts'
import { TraceBudget } from '../../tracers/trace-budget.ts'

/** Pairs of slot and value. */
function pairs({ uses }: RpcStorageTrace): (readonly [slot: number, value: number])[] {
  const all = uses.slice(2).match(/.{128}/g) ?? []
  return all.map((pair) => [Number(`0x${pair.slice(0, 64)}`), Number(`0x${pair.slice(64)}`)])
}

/** Slot 1 = 42, reads it, then hashes 64 bytes of memory: 42 and 7, twice. */
const USES: Hex = '0x602a600155600154505b602a5f526007602052604060002050604060002050'

test.each(ENGINE_NAMES)(
  'with the %s engine, uses of storage are told in order, with the values before',
  async (engine) => {
    const node = await withCodes({ [at('uses')]: USES, [at('call')]: CODES.call }, { engine })
    await node.request('anvil_setStorageAt', [at('uses'), toWord(1), toWord(9)])
    await node.request('anvil_setStorageAt', [at('uses'), toWord(3), toWord(8)])
    const hash = await send(node, 0, { to: at('call'), data: `0x${word(at('uses'))}`, value: 1n })
    const trace = await node.request('devnet_traceStorage', [hash, { [at('uses')]: [toWord(3)] }])
    expect(pairs(trace)).toEqual([
      [1, 42],
      [1, 42],
    ])
    expect(trace.before).toEqual({ [at('uses')]: { [toWord(3)]: toWord(8), [toWord(1)]: toWord(9) } })
    expect(trace.hashed).toEqual([`0x${word(42)}${word(7)}`])
    expect(trace.isCut).toBe(false)
  },
)

/** TSTORE of 42 into slot 1, TLOAD of slot 1, and a TSTORE with one word on the stack. */
const PASSES: Hex = '0x602a60015d60015c5060015d'

test.each(ENGINE_NAMES)('with the %s engine, writes of transient storage are told in order', async (engine) => {
  const node = await withCodes({ [at('passes')]: PASSES, [at('none')]: '0x00' }, { engine })
  const call = { call: { to: at('passes'), gas: '0x30000' } } as const
  const trace = await node.request('devnet_traceStorage', [call])
  expect(trace).toEqual({
    ...{ uses: '0x', isCut: false, before: {}, hashed: [] },
    transient: `0x${word(1)}${word(42)}${word(1)}${word(0)}`,
  })
  expect(await node.request('devnet_traceStorage', [{ call: { to: at('none') } }])).not.toHaveProperty('transient')
  const { steps } = await node.request('devnet_traceSteps', [call, 0, 20])
  const used = (window: typeof steps) =>
    window.flatMap(({ op, transient }) => (transient ? [[op, transient.key, transient.value]] : []))
  expect(used(steps)).toEqual([
    ['TSTORE', toWord(1), toWord(42)],
    ['TLOAD', toWord(1), toWord(42)],
  ])
  // What a TLOAD reads is at the step after it.
  const cut = await node.request('devnet_traceSteps', [call, 3, 2])
  expect(used(cut.steps)).toEqual([['TLOAD', toWord(1), undefined]])
})

test('a step that fails is counted as the others', async () => {
  // SSTORE with one word on the stack.
  const node = await withCodes({ [at('short')]: '0x600155' })
  const trace = await node.request('devnet_traceStorage', [{ call: { to: at('short'), gas: '0x30000' } }])
  expect(pairs(trace)).toEqual([[1, 0]])
})

test('uses without end are cut', () => {
  const tracer = createStorageTracer([], new TraceBudget({ traceCharacters: 1 << 27 }))
  const step = { opcode: 0x54, loaded: 5n, stack: [1n], address: at('loads') } as unknown as TraceStep
  for (let i = 0; i < 131_073; i++) tracer.step?.(step)
  const { uses, isCut } = tracer.result()
  expect(uses).toHaveLength(2 + 128 * 131_072)
  expect(isCut).toBe(true)
  const passing = createStorageTracer([], new TraceBudget({ traceCharacters: 1 << 27 }))
  for (let i = 0; i < 131_073; i++) passing.step?.({ ...step, opcode: 0x5d, stack: [2n, 1n] })
  const { transient, isCut: isPassingCut } = passing.result()
  expect(transient).toHaveLength(2 + 128 * 131_072)
  expect(isPassingCut).toBe(true)
})

test('slots that are no slots, or too many, are refused', async () => {
  const { request } = await createTestNode()
  const subject = { call: { to: at('any') } }
  const slots = Array.from({ length: 4_097 }, (_, i) => toWord(i))
  await expect(request('devnet_traceStorage', [subject, { [at('any')]: slots }])).rejects.toMatchObject({
    error: { code: -32602 },
  })
  await expect(request('devnet_traceStorage', [subject, [] as never])).rejects.toMatchObject({
    error: { code: -32602 },
  })
  await expect(request('devnet_traceStorage', [subject, { x: [] }])).rejects.toMatchObject({
    error: { code: -32602 },
  })
})
