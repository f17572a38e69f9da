import { expect, test } from 'vitest'
import { type Address, toWord } from '#primitives/hex.ts'
import { createTestNode } from '#testing/node/test-node.ts'
import { OP } from '../../evm/opcodes.ts'
import type { TraceStep } from '../../evm/tracer.ts'
import { createPrestateTracer } from './prestate-tracer.ts'
import { TraceBudget } from './trace-budget.ts'

const FROM: Address = `0x${'ab'.repeat(20)}`
const CONFIG = { diffMode: true, disableCode: false, disableStorage: false, includeEmpty: false }
const MEBI = 1 << 20

/** A tracer of a transaction on a state where every account has the same code of a mebibyte. */
function tracerOf(config: Partial<typeof CONFIG>, budget = new TraceBudget({ traceCharacters: 1 << 27 })) {
  const tracer = createPrestateTracer({ ...CONFIG, ...config }, budget)
  const code = new Uint8Array(MEBI)
  const account = { nonce: 1n, balance: 1n, codeHash: toWord(1) }
  tracer.begin?.({
    state: { account: () => account, code: () => code, storage: () => new Uint8Array(0) },
    env: {
      number: 1,
      timestamp: 1,
      coinbase: FROM,
      prevRandao: toWord(0),
      gasLimit: 1n,
      baseFee: 1n,
      blockHash: () => undefined,
    },
    message: {
      from: FROM,
      to: FROM,
      gas: 1n,
      gasPrice: 1n,
      tip: 0n,
      value: 0n,
      input: code,
      accessList: [],
      authorizationList: [],
    },
  })
  const step = (opcode: number, word: number) =>
    tracer.step?.({ opcode, stack: [BigInt(word)], address: FROM, fails: false } as unknown as TraceStep)
  return step
}

test('codes shown in a trace count against its budget, even if many accounts share one', () => {
  const look = tracerOf({})
  // The sender already counts: 64 codes of a mebibyte are 128 Mi characters.
  for (let i = 0; i < 62; i++) look(OP.BALANCE, 1_000 + i)
  expect(() => look(OP.BALANCE, 2_000)).toThrow('trace is too large: more than 134217728 characters')
})

test('codes not shown in a trace cost nothing', () => {
  const look = tracerOf({ disableCode: true })
  expect(() => {
    for (let i = 0; i < 1_000; i++) look(OP.BALANCE, 1_000 + i)
  }).not.toThrow()
})

test('slots count against the budget of a trace, each once', () => {
  const budget = new TraceBudget({ traceCharacters: 1 << 27 })
  const look = tracerOf({ disableCode: true }, budget)
  budget.spend(2 ** 27 - 1_000)
  for (let i = 0; i < 1_000; i++) look(OP.SLOAD, i & 1)
  expect(() => {
    for (let i = 0; i < 10; i++) look(OP.SLOAD, i)
  }).toThrow('trace is too large')
})

test('a prestate trace of a long loop needs few pauses, as its steps are not described', async () => {
  const { request, clock } = await createTestNode({ mode: 'manual' })
  const to: Address = `0x${'77'.repeat(20)}`
  // Memory of 512 KiB, then a loop until the gas is gone: some 100,000 steps.
  const code = '0x6208000051505b600656'
  let looks = 0
  const now = clock.now()
  clock.now = () => {
    looks++
    return now
  }
  const trace = { tracer: 'prestateTracer', tracerConfig: { diffMode: true }, stateOverrides: { [to]: { code } } }
  expect(await request('debug_traceCall', [{ to, gas: '0xf4240' }, 'latest', trace])).toHaveProperty('post')
  expect(looks).toBeLessThan(1_000)
})
