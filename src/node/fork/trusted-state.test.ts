import { expect, test } from 'vitest'
import { type Hex, toWord } from '#primitives/hex.ts'
import { WorldState } from '../state/world-state.ts'
import { TrustedState } from './trusted-state.ts'

const address: Hex = `0x${'51'.repeat(20)}`

test('slots, accounts and codes that were changed and changed back leave the state root as it was', () => {
  const told = new TrustedState()
  const account = { nonce: 1n, balance: 5n, code: Uint8Array.of(0) }
  told.accept(address, account, [
    [toWord(1), 9n],
    [toWord(2), 0n],
  ])
  const state = new WorldState(told.snapshot)
  const rootAfter = (change: () => void) => {
    change()
    return state.snapshot().stateRoot()
  }
  const stateRoot = told.snapshot.stateRoot()
  for (const [slot, before] of [
    [toWord(1), Uint8Array.of(9)],
    [toWord(2), Uint8Array.of()],
  ] as const) {
    expect(rootAfter(() => state.setStorage(address, slot, Uint8Array.of(7)))).not.toBe(stateRoot)
    expect(rootAfter(() => state.setStorage(address, slot, before))).toBe(stateRoot)
  }
  expect(rootAfter(() => state.setCode(address, Uint8Array.of(1)))).not.toBe(stateRoot)
  expect(rootAfter(() => state.setCode(address, account.code))).toBe(stateRoot)
})
