import { expect, test } from 'vitest'
import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import { countingGuard } from '#testing/node/evm/counting-guard.ts'
import { EMPTY_CODE_HASH, emptyState } from '../../state/state-snapshot.ts'
import { WorldState } from '../../state/world-state.ts'
import { type AccountOverride, applyStateOverride } from './state-override.ts'

const NOTHING: AccountOverride = {
  balance: undefined,
  nonce: undefined,
  code: undefined,
  state: undefined,
  stateDiff: undefined,
  movePrecompileTo: undefined,
}
const ACCOUNT: Address = `0x${'ab'.repeat(20)}`

const addressOf = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`
const slots = new Map(
  Array.from({ length: 1_000 }, (_, i): [Hash, Uint8Array] => [toWord(i), Uint8Array.of(1 + (i % 9))]),
)

test('overriding many slots or accounts yields to others, and gives the same state', async () => {
  const accounts = Array.from({ length: 1_000 }, (_, i): [Address, AccountOverride] => [
    addressOf(i + 1),
    { ...NOTHING, balance: BigInt(i) },
  ])
  const overrides = new Map([...accounts, [ACCOUNT, { ...NOTHING, state: slots }]])
  const { guard, looks } = countingGuard()
  const sliced = new WorldState(emptyState())
  await applyStateOverride(sliced, overrides, new Map(), guard)
  expect(looks()).toBeGreaterThanOrEqual(7)

  const atOnce = new WorldState(emptyState())
  for (const [address, { balance }] of accounts) {
    atOnce.setAccount(address, { nonce: 0n, balance: balance ?? 0n, codeHash: EMPTY_CODE_HASH })
  }
  for (const [slot, value] of slots) atOnce.setStorage(ACCOUNT, slot, value)
  expect(sliced.snapshot().stateRoot()).toBe(atOnce.snapshot().stateRoot())
})

test('`state` replaces all slots of an account, no matter how many there were', async () => {
  const state = new WorldState(emptyState())
  const other = toWord(5_000)
  state.setStorage(ACCOUNT, other, Uint8Array.of(7))
  await applyStateOverride(state, new Map([[ACCOUNT, { ...NOTHING, state: slots }]]), new Map(), countingGuard().guard)
  expect(state.storage(ACCOUNT, other)).toEqual(new Uint8Array(0))
  expect([...state.snapshot().slots(ACCOUNT)]).toHaveLength(slots.size)
})
