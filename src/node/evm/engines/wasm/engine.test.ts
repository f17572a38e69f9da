import { expect, onTestFinished, test, vi } from 'vitest'
import { EngineInstance } from '#engine/engine-instance.ts'
import { bytesToBigInt } from '#primitives/bytes.ts'
import { hexToBytes, toWord } from '#primitives/hex.ts'
import { countingGuard } from '#testing/node/evm/counting-guard.ts'
import { CONTRACT, HASH_A_MEGABYTE, send } from '#testing/node/evm/pacing.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { emptyState } from '../../../state/state-snapshot.ts'
import { WorldState } from '../../../state/world-state.ts'
import { createWasmEngine } from './engine.ts'

const MIB = 1 << 20

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

/** Counts down from 100 and returns `key`; `size` bytes long, of which the engine keeps five times as many. */
function countingCode(key: number, size: number): Uint8Array {
  const loop = `61${key.toString(16).padStart(4, '0')}60645b6001900380600557505f5260205ff3`
  const code = new Uint8Array(size)
  code.set(hexToBytes(`0x${loop}`))
  return code
}

/** Calls contracts at addresses from 0x1000 on and returns the sum of their answers. */
function callingAll(count: number): Uint8Array {
  const calls = Array.from({ length: count }, (_, i) => `60205f5f5f61${(0x1000 + i).toString(16)}5afa505f5101`)
  return hexToBytes(`0x5f${calls.join('')}5f5260205ff3`)
}

test('an engine has little memory until it meets much code, and right results however much it meets', async () => {
  const created = vi.spyOn(EngineInstance, 'create')
  onTestFinished(() => created.mockRestore())
  const engine = await createWasmEngine(31337)
  const memoryUsed = async () => {
    const instance = (await created.mock.results[0]?.value) as EngineInstance
    return instance.memory.bytes.length
  }
  const state = new WorldState(emptyState())
  const call = async (code: Uint8Array) => {
    state.setCode(CONTRACT, code)
    const { output } = await send(engine, state, CONTRACT, new Uint8Array(0), countingGuard().guard)
    return Number(bytesToBigInt(output))
  }
  expect(await call(countingCode(7, 24_000))).toBe(7)
  expect(await memoryUsed()).toBeLessThan(4 * MIB)

  // More than the first room, then more than the second.
  for (const count of [20, 60]) {
    for (let i = 0; i < count; i++)
      state.setCode(`0x${(0x1000 + i).toString(16).padStart(40, '0')}`, countingCode(i, 24_000))
    for (let again = 0; again < 4; again++) expect(await call(callingAll(count))).toBe((count * (count - 1)) / 2)
  }
  expect(await memoryUsed()).toBeGreaterThan(16 * MIB)
  expect(await memoryUsed()).toBeLessThan(32 * MIB)
})

test('code that is larger than the first room for codes runs, and is kept once there is room', async () => {
  const engine = await createWasmEngine(31337)
  const state = new WorldState(emptyState())
  state.setCode(CONTRACT, countingCode(9, 400_000))
  const loads = vi.spyOn(state, 'code')
  for (let again = 0; again < 3; again++) {
    const { output, gasUsed } = await send(engine, state, CONTRACT, new Uint8Array(0), countingGuard().guard)
    expect(Number(bytesToBigInt(output))).toBe(9)
    expect(gasUsed).toBe(6n + 100n * 26n + 15n)
  }
  expect(loads).toHaveBeenCalledTimes(2)
})

test('EXTCODEHASH of a contract that the message has made is the hash of its code', async () => {
  const state = new WorldState(emptyState())
  // Makes a contract of three zero bytes.
  state.setCode(CONTRACT, hexToBytes('0x6360035ff35f526004601c5ff03f5f5260205ff3'))
  const { output } = await send(
    await createWasmEngine(31337),
    state,
    CONTRACT,
    new Uint8Array(0),
    countingGuard().guard,
  )
  expect(output).toEqual(keccak256(new Uint8Array(3)))
})

test.each([
  ['0x600456605b00', 'invalid jump destination'],
  ['0x600556605b5b00', undefined],
  // Ahead, then back.
  ['0x600856605b5b00005b600556', undefined],
  ['0x600856605b5b00005b600456', 'invalid jump destination'],
  ['0x600856605b5b00005b600c56', 'invalid jump destination'],
] as const)('JUMP to the data of a PUSH or past the end fails in code and in initcode: %s', async (hex, failure) => {
  const engine = await createWasmEngine(31337)
  const state = new WorldState(emptyState())
  state.setCode(CONTRACT, hexToBytes(hex))
  const called = await send(engine, state, CONTRACT, new Uint8Array(0), countingGuard().guard)
  const created = await send(engine, state, null, hexToBytes(hex), countingGuard().guard)
  expect([called.failure?.message, created.failure?.message]).toEqual([failure, failure])
})

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
