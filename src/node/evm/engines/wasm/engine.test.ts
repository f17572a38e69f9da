import { expect, onTestFinished, test, vi } from 'vitest'
import { EngineInstance } from '#engine/engine-instance.ts'
import { hexToBytes, toWord } from '#primitives/hex.ts'
import { countingGuard } from '#testing/node/evm/counting-guard.ts'
import { CONTRACT, HASH_A_MEGABYTE, send } from '#testing/node/evm/pacing.ts'
import { emptyState } from '../../../state/state-snapshot.ts'
import { WorldState } from '../../../state/world-state.ts'
import { createWasmEngine } from './engine.ts'

/** Returns slot 0 after a pause. */
const READS = hexToBytes(`0x${HASH_A_MEGABYTE.repeat(2)}5f545f5260205ff3`)

/** A state whose contract has a number in slot 0. */
function stateWith(value: number): WorldState {
  const state = new WorldState(emptyState())
  state.setCode(CONTRACT, READS)
  state.setStorage(CONTRACT, toWord(0), Uint8Array.of(value))
  return state
}

async function readings(engine: Awaited<ReturnType<typeof createWasmEngine>>, states: readonly WorldState[]) {
  const results = await Promise.all(
    states.map((state) => send(engine, state, CONTRACT, new Uint8Array(0), countingGuard().guard)),
  )
  return results.map(({ output }) => output.at(-1))
}

test('not all machines of many simultaneous messages are kept', async () => {
  const instances = vi.spyOn(EngineInstance, 'create')
  onTestFinished(() => instances.mockRestore())
  const engine = await createWasmEngine(31337)
  const states = [1, 2, 3, 4, 5, 6].map(stateWith)
  const perRound: number[] = []
  for (let round = 0; round < 2; round++) {
    expect(await readings(engine, states)).toEqual([1, 2, 3, 4, 5, 6])
    perRound.push(instances.mock.calls.length)
    instances.mockClear()
  }
  expect(perRound).toEqual([6, 2])
})

test('idle machines see the current state, no matter which state they ran on before', async () => {
  const engine = await createWasmEngine(31337)
  const states = [1, 2, 3].map(stateWith)
  await readings(engine, states)
  for (const [i, state] of states.entries()) state.setStorage(CONTRACT, toWord(0), Uint8Array.of(10 * (i + 1)))
  expect(await readings(engine, states.toReversed())).toEqual([30, 20, 10])
  expect(await readings(engine, [...states, ...states])).toEqual([10, 20, 30, 10, 20, 30])
})
