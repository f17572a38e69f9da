import { expect, test } from 'vitest'
import { type Address, bytesToHex, hexToBytes, toWord } from '#primitives/hex.ts'
import { EMPTY_CODE_HASH, emptyState } from '../../state/state-snapshot.ts'
import { WorldState } from '../../state/world-state.ts'
import { createEngine } from '../engines/create-engine.ts'
import type { CallRequest } from './call.ts'
import { executeCall } from './execute-call.ts'
import { TrialStates } from './trial-states.ts'

const SENDER: Address = `0x${'ab'.repeat(20)}`
const COUNTER: Address = `0x${'cc'.repeat(20)}`

function snapshotOf(count: number) {
  const world = new WorldState(emptyState())
  world.setAccount(SENDER, { nonce: 0n, balance: 10n ** 18n, codeHash: EMPTY_CODE_HASH })
  // Adds 1 to slot 0, spends 300 SLOADs, and returns the slot.
  world.setCode(COUNTER, hexToBytes(`0x5f546001015f55${'5f5450'.repeat(300)}5f545f5260205ff3`))
  world.setStorage(COUNTER, toWord(0), Uint8Array.of(count))
  return world.snapshot()
}

const env = {
  number: 1,
  timestamp: 1_700_000_000,
  coinbase: SENDER,
  prevRandao: toWord(0),
  gasLimit: 400_000_000n,
  baseFee: 7n,
  blockHash: () => undefined,
}
const request: CallRequest = {
  from: SENDER,
  to: COUNTER,
  gas: undefined,
  gasPrice: 0n,
  value: 1n,
  input: new Uint8Array(0),
  accessList: [],
  authorizationList: [],
}
const runner = {
  engine: await createEngine(31337),
  chainId: 31337,
  trials: new TrialStates(),
  limits: { gasCap: 16_000_000n, timeoutMs: 5_000, traceCharacters: 1_000, exactEstimates: false },
}
const still = { checkpoint: () => undefined }

test('no call sees what an earlier one on the same snapshot has changed, nor what one on another has', async () => {
  const [one, two] = [snapshotOf(1), snapshotOf(2)]
  for (let i = 0; i < 600; i++) {
    const [state, expected] = i % 5 === 0 ? [two, 3] : [one, 2]
    expect(bytesToHex(await executeCall(runner, request, { state, env }, still))).toBe(toWord(expected))
  }
})

test('calls that run at the same time have states of their own', () => {
  const base = snapshotOf(1)
  const trials = new TrialStates()
  const first = trials.take(base)
  const second = trials.take(base)
  expect(second).not.toBe(first)
  first.setStorage(COUNTER, toWord(0), Uint8Array.of(9))
  expect(second.storage(COUNTER, toWord(0))).toEqual(Uint8Array.of(1))
  trials.giveBack(base, first)
  expect(trials.take(base)).toBe(first)
  expect(first.storage(COUNTER, toWord(0))).toEqual(Uint8Array.of(1))
})

test('a working state is dropped after 256 calls, however many accounts they named, and for another snapshot', () => {
  const [one, two] = [snapshotOf(1), snapshotOf(2)]
  const trials = new TrialStates()
  const states = new Set<WorldState>()
  for (let i = 0; i < 1_024; i++) {
    const state = trials.take(one)
    states.add(state)
    trials.giveBack(one, state)
  }
  expect(states.size).toBe(4)
  const last = trials.take(two)
  trials.giveBack(two, last)
  expect(states.has(last)).toBe(false)
  expect(states.has(trials.take(one))).toBe(false)
})
