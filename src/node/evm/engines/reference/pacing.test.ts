import { expect, test } from 'vitest'
import { type Address, hexToBytes } from '#primitives/hex.ts'
import { countingGuard } from '#testing/node/evm/counting-guard.ts'
import { CONTRACT, HASH_A_MEGABYTE, send } from '#testing/node/evm/pacing.ts'
import { emptyState } from '../../../state/state-snapshot.ts'
import { WorldState } from '../../../state/world-state.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { ExecutionTimeoutError } from '../../../turns/pacer.ts'
import { createEthereumjsEngine } from './engine.ts'

/** Runs the code as initcode. */
function run(initcode: string, guard: ExecutionGuard) {
  return execute(new WorldState(emptyState()), null, hexToBytes(`0x${initcode}`), guard)
}

/** Runs the code as a contract's, which may be longer than created ones. */
function call(code: string, guard: ExecutionGuard) {
  const state = new WorldState(emptyState())
  state.setCode(CONTRACT, hexToBytes(`0x${code}`))
  return execute(state, CONTRACT, new Uint8Array(0), guard)
}

async function execute(state: WorldState, to: Address | null, input: Uint8Array, guard: ExecutionGuard) {
  return send(await createEthereumjsEngine(31337), state, to, input, guard)
}

/** STATICCALL of the identity precompile without data. */
const CALL_IDENTITY = '5f5f5f5f60045afa50'

test('code without any jump yields to others', async () => {
  const { guard, looks } = countingGuard()
  const { failure } = await run(HASH_A_MEGABYTE.repeat(40), guard)
  expect(failure).toBeUndefined()
  expect(looks()).toBeGreaterThanOrEqual(39)
})

test('there is a pause before each precompile', async () => {
  const { guard, looks } = countingGuard()
  await run(CALL_IDENTITY.repeat(25), guard)
  expect(looks()).toBeGreaterThanOrEqual(25)
})

test('there is a pause for each call, as its code is analysed for jump destinations', async () => {
  const { guard, looks } = countingGuard()
  // STATICCALL of an account without code.
  await run('5f5f5f5f6111115afa50'.repeat(25), guard)
  expect(looks()).toBeGreaterThanOrEqual(25)
})

test('there are pauses within a long precompile', async () => {
  const { guard, looks } = countingGuard()
  // STATICCALL of the pairing check on BN254, with a hundred pairs of points at infinity.
  const { failure } = await run(`5f5f614b005f60085afa`, guard)
  expect(failure).toBeUndefined()
  expect(looks()).toBeGreaterThan(100)
})

test('code longer than a contract’s yields, no matter how cheap and straight it is', async () => {
  const { guard, looks } = countingGuard()
  // PUSH0, POP: 4 gas.
  const result = await call('5f50'.repeat(100_000), guard)
  expect(result.failure).toBeUndefined()
  expect(result.gasUsed).toBe(400_000n)
  expect(looks()).toBeGreaterThanOrEqual(7)
})

test.each([
  ['hashing', HASH_A_MEGABYTE],
  ['a precompile', CALL_IDENTITY],
  ['a long precompile', '5f5f614b005f60085afa50'],
])('%s is aborted when its time is up', async (_, code) => {
  let looks = 0
  const guard: ExecutionGuard = {
    checkpoint() {
      if (++looks > 5) throw new ExecutionTimeoutError(1_000)
      return undefined
    },
  }
  await expect(run(code.repeat(40), guard)).rejects.toThrow(ExecutionTimeoutError)
})

test('pauses change neither gas nor outcome', async () => {
  const code = `${HASH_A_MEGABYTE.repeat(10)}${CALL_IDENTITY.repeat(10)}60015f5560205ff3`
  const paused = await run(code, countingGuard().guard)
  const straight = await run(code, { checkpoint: () => undefined })
  expect(paused).toEqual(straight)
  expect(straight.gasUsed).toBeGreaterThan(2_000_000n)
})
