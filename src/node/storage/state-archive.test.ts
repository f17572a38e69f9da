import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { type Address, toWord } from '#primitives/hex.ts'
import { addBalance, setSlot } from '../state/edit-account.ts'
import { stateDifference } from '../state/state-difference.ts'
import { writeDifference } from '../state/state-record.ts'
import { emptyState, type StateSnapshot } from '../state/state-snapshot.ts'
import { WorldState } from '../state/world-state.ts'
import { StateArchive, type StoredDifferences } from './state-archive.ts'

const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`

/** What a block does to one account. */
interface Change {
  readonly account: number
  readonly slot: number
  /** 0 deletes it. */
  readonly value: number
}

function changed(before: StateSnapshot, changes: readonly Change[]): StateSnapshot {
  const state = new WorldState(before)
  for (const { account, slot, value } of changes) {
    if (value === 0) state.setAccount(address(account), undefined)
    else {
      addBalance(state, address(account), BigInt(value))
      setSlot(state, address(account), toWord(slot), Uint8Array.of(value - 1).filter(Boolean))
    }
  }
  return state.snapshot()
}

function differencesOf(states: readonly StateSnapshot[]): StoredDifferences {
  return new Map(
    states.slice(1).map((state, i) => {
      const writer = new ByteWriter()
      writeDifference(writer, stateDifference(states[i] as StateSnapshot, state))
      return [i + 1, writer.finish()]
    }),
  )
}

test('from any base, the states of all blocks can be asked for, in any order', () => {
  const change = fc.record({ account: fc.nat(8), slot: fc.nat(4), value: fc.nat(4) })
  const blocks = fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 140 })
  fc.assert(
    fc.property(
      blocks,
      fc.nat(),
      fc.array(fc.nat(), { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      (all, from, asked, returns) => {
        const states = [emptyState()]
        for (const each of all) states.push(changed(states.at(-1) as StateSnapshot, each))
        const base = from % states.length
        const archive = new StateArchive(base, states[base] as StateSnapshot, differencesOf(states), returns)
        for (const any of asked) {
          const number = any % states.length
          expect(archive.reaches(number)).toBe(true)
          const state = archive.stateAt(number)
          expect(state.stateRoot()).toBe((states[number] as StateSnapshot).stateRoot())
          expect(archive.stateAt(number)).toBe(state)
        }
      },
    ),
  )
})

test('beyond a block whose changes are missing, no state is reached', () => {
  const states = [emptyState()]
  for (let block = 1; block <= 100; block++)
    states.push(changed(states.at(-1) as StateSnapshot, [{ account: block, slot: 0, value: 2 }]))
  const differences = new Map(differencesOf(states))
  differences.delete(20)
  differences.delete(80)
  const archive = new StateArchive(50, states[50] as StateSnapshot, differences, true)
  const reached = states.flatMap((_, number) => (archive.reaches(number) ? [number] : []))
  // A state before a block takes its changes back.
  expect(reached).toEqual(Array.from({ length: 60 }, (_, i) => 20 + i))
  for (const number of reached)
    expect(archive.stateAt(number).stateRoot()).toBe((states[number] as StateSnapshot).stateRoot())
})
