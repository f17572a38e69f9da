import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import { toWord } from '#primitives/hex.ts'
import { addBalance, setSlot } from './edit-account.ts'
import { applyDifference, changedState, stateDifference } from './state-difference.ts'
import { emptyState, type StateSnapshot } from './state-snapshot.ts'
import { WorldState } from './world-state.ts'

const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`

type Step =
  | { readonly kind: 'pay'; readonly account: number; readonly wei: number }
  | { readonly kind: 'store'; readonly account: number; readonly slot: number; readonly value: number }
  | { readonly kind: 'code'; readonly account: number; readonly code: number }
  | { readonly kind: 'delete'; readonly account: number }

const account = fc.nat(12)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('pay' as const), account, wei: fc.integer({ min: 1, max: 1000 }) }),
  fc.record({ kind: fc.constant('store' as const), account, slot: fc.nat(6), value: fc.nat(3) }),
  fc.record({ kind: fc.constant('code' as const), account, code: fc.nat(3) }),
  fc.record({ kind: fc.constant('delete' as const), account }),
)

function run(base: StateSnapshot, steps: readonly Step[]): StateSnapshot {
  const state = new WorldState(base)
  for (const { account: n, ...change } of steps) {
    if (change.kind === 'pay') addBalance(state, address(n), BigInt(change.wei))
    else if (change.kind === 'store')
      setSlot(state, address(n), toWord(change.slot), Uint8Array.of(change.value).filter(Boolean))
    else if (change.kind === 'code') state.setCode(address(n), new Uint8Array(change.code).fill(1))
    else state.setAccount(address(n), undefined)
  }
  return state.snapshot()
}

const steps = fc.array(step, { maxLength: 40 })

test('applying a difference to either state gives the other', () => {
  fc.assert(
    fc.property(steps, steps, (first, second) => {
      const before = run(emptyState(), first)
      const after = run(before, second)
      const difference = stateDifference(before, after)
      expect(changedState(before, [difference], 'after').stateRoot()).toBe(after.stateRoot())
      expect(changedState(after, [difference], 'before').stateRoot()).toBe(before.stateRoot())
    }),
  )
})

test('a difference applies to a working state', () => {
  fc.assert(
    fc.property(steps, steps, (first, second) => {
      const before = run(emptyState(), first)
      const after = run(before, second)
      const state = new WorldState(before)
      applyDifference(state, stateDifference(before, after))
      expect(state.snapshot().stateRoot()).toBe(after.stateRoot())
    }),
  )
})

test('the difference of unrelated states contains everything', () => {
  fc.assert(
    fc.property(steps, steps, (first, second) => {
      const one = run(emptyState(), first)
      const other = run(emptyState(), second)
      const difference = stateDifference(one, other)
      const changed = new Set(difference.map((change) => change.address))
      expect(changed.size).toBe(difference.length)
      expect(changedState(one, [difference], 'after').stateRoot()).toBe(other.stateRoot())
      expect(stateDifference(one, run(emptyState(), first))).toEqual([])
    }),
  )
})

test('a difference contains only the changed account', () => {
  const before = run(
    emptyState(),
    [1, 2, 3].map((n) => ({ kind: 'pay' as const, account: n, wei: 5 })),
  )
  const after = run(before, [{ kind: 'store', account: 2, slot: 1, value: 9 }])
  expect(stateDifference(before, after)).toEqual([
    {
      address: address(2),
      before: before.account(address(2)),
      after: after.account(address(2)),
      slots: [{ slot: toWord(1), before: new Uint8Array(), after: Uint8Array.of(9) }],
    },
  ])
})
