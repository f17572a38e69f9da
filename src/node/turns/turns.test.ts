import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HeldClock } from '#testing/primitives/held-clock.ts'
import { Turns } from './turns.ts'

test('of pieces of work that yield together, one continues per turn of the thread, and the chain in every turn', async () => {
  const clock = new HeldClock()
  const turns = new Turns(clock)
  let inThisTurn: string[] = []
  for (const name of ['first', 'second', 'third']) void turns.yield().then(() => inThisTurn.push(name))
  const chain = async () => {
    for (;;) {
      await clock.yield()
      inThisTurn.push('chain')
    }
  }
  void chain()
  for (const name of ['first', 'second', 'third']) {
    inThisTurn = []
    await clock.handOver()
    expect(inThisTurn.sort()).toEqual(['chain', name])
  }
})

test('new work starts at once until a slice of the turn is used up, and again in the next turn', async () => {
  const clock = new HeldClock()
  const turns = new Turns(clock)
  expect(turns.begin()).toBeUndefined()
  clock.jump(8)
  expect(turns.begin()).toBeUndefined()
  clock.jump(1)
  const begun: number[] = []
  for (const call of [1, 2]) void turns.begin()?.then(() => begun.push(call))
  await setImmediate()
  expect(begun).toEqual([])
  await clock.handOver()
  expect(begun).toEqual([1])
  await clock.handOver()
  expect(begun).toEqual([1, 2])
  await clock.handOver()
  clock.jump(1_000)
  expect(turns.begin()).toBeUndefined()
})
