import { expect, test } from 'vitest'
import { hexToBytes, toWord } from '#primitives/hex.ts'
import { countingGuard } from '#testing/node/evm/counting-guard.ts'
import { CONTRACT, HASH_A_MEGABYTE, send } from '#testing/node/evm/pacing.ts'
import { emptyState } from '../../../state/state-snapshot.ts'
import { WorldState } from '../../../state/world-state.ts'
import type { ExecutionGuard } from '../../../turns/guard.ts'
import { ExecutionTimeoutError } from '../../../turns/pacer.ts'
import { createEngine } from '../create-engine.ts'

const engine = await createEngine(31337, 'wasm')

function call(code: string, guard: ExecutionGuard, state = new WorldState(emptyState())) {
  state.setCode(CONTRACT, hexToBytes(`0x${code}`))
  return send(engine, state, CONTRACT, new Uint8Array(0), guard)
}

/** JUMPDEST, PUSH0, JUMP. */
const ENDLESS = '5b5f56'
/** Calls itself with all gas except a 64th, then starts over. */
const CALL_ITSELF = '5b5f5f5f5f5f305af1505f56'
/** STATICCALL of the pairing check on BN254, with a hundred pairs of points at infinity. */
const PAIRINGS = '5f5f614b005f60085afa50'
/** STATICCALL of SHA-256, repeatedly, with as many bytes as the engine hashes at once. */
const SHA256_AGAIN = '5b5f5f620200005f60025afa505f56'
/** SHA-256 once, of a million bytes. */
const SHA256_LONG = '5f5f620f42405f60025afa50'

test.each([
  ['a loop', ENDLESS, 79],
  ['code without a jump', HASH_A_MEGABYTE.repeat(40), 19],
  ['code that is long and cheap', '5f50'.repeat(200_000), 3],
  ['calls within calls', CALL_ITSELF, 79],
  ['a long precompile', PAIRINGS, 100],
  ['a hash again and again', SHA256_AGAIN, 65],
  ['a long hash', SHA256_LONG, 7],
])('%s yields to others', async (_, code, least) => {
  const { guard, looks } = countingGuard()
  await call(code, guard)
  expect(looks()).toBeGreaterThanOrEqual(least)
})

test.each([
  ['a loop', ENDLESS],
  ['calls within calls', CALL_ITSELF],
  ['a long precompile', PAIRINGS.repeat(40)],
])('%s is aborted when its time is up, and the engine runs the next message', async (_, code) => {
  let looks = 0
  const guard: ExecutionGuard = {
    checkpoint() {
      if (++looks > 5) throw new ExecutionTimeoutError(1_000)
      return undefined
    },
  }
  await expect(call(code, guard)).rejects.toThrow(ExecutionTimeoutError)
  // Returns 32 zero bytes.
  expect((await call('60205ff3', guard)).output).toEqual(new Uint8Array(32))
})

test('an aborted message leaves the state as it was', async () => {
  const state = new WorldState(emptyState())
  const guard: ExecutionGuard = {
    checkpoint() {
      throw new ExecutionTimeoutError(1_000)
    },
  }
  // Sets slot 0 to 1 first.
  await expect(call('60015f555b600456', guard, state)).rejects.toThrow(ExecutionTimeoutError)
  expect(state.storage(CONTRACT, toWord(0))).toHaveLength(0)
})

test('pauses change neither gas nor outcome', async () => {
  const code = `${HASH_A_MEGABYTE.repeat(10)}5f5f620fffff5f60045afa60015f5560205ff3`
  const paused = await call(code, countingGuard().guard)
  expect(paused).toEqual(await call(code, { checkpoint: () => undefined }))
  expect(paused.gasUsed).toBeGreaterThan(2_000_000n)
  expect(paused.failure).toBeUndefined()
})

test('nested messages do not disturb each other', async () => {
  // Stores its gas and returns it after many pauses.
  const code = `5a5f52${HASH_A_MEGABYTE.repeat(10)}60205ff3`
  const alone = await call(code, { checkpoint: () => undefined })
  const together = await Promise.all([1, 2, 3].map(() => call(code, countingGuard().guard)))
  expect(together).toEqual([alone, alone, alone])
})
