import { expect, test } from 'vitest'
import { IdleMachines } from './idle-machines.ts'

class FakeMachine {
  hasState = true

  letGo(): void {
    this.hasState = false
  }
}

test('only the machine that ran last keeps its state, and it is reused first', () => {
  const idle = new IdleMachines<FakeMachine>()
  const [first, last] = [new FakeMachine(), new FakeMachine()]
  for (const machine of [first, last]) idle.giveBack(machine)
  expect([first.hasState, last.hasState]).toEqual([false, true])
  expect([idle.take(), idle.take(), idle.take()]).toEqual([last, first, undefined])
})

test('machines beyond the fourth are dropped', () => {
  const idle = new IdleMachines<FakeMachine>()
  const machines = Array.from({ length: 6 }, () => new FakeMachine())
  for (const machine of machines) idle.giveBack(machine)
  expect(machines.map(() => idle.take())).toEqual([...machines.slice(0, 4).toReversed(), undefined, undefined])
})
