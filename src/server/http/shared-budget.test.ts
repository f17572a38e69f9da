import { expect, test } from 'vitest'
import { SharedBudget } from './shared-budget.ts'

test('when the budget is used up, the oldest holder of a large share is dropped', () => {
  const budget = new SharedBudget(100)
  const gone: string[] = []
  const [small, slow, quick] = ['small', 'slow', 'quick'].map((name) => budget.open(() => gone.push(name)))
  small?.add(1)
  slow?.add(60)
  quick?.add(39)
  expect(gone).toEqual([])
  quick?.add(1)
  expect(gone).toEqual(['slow'])
  expect(budget.total).toBe(41)
})

test('a holder that has gone or ended holds nothing, no matter what is added later', () => {
  const budget = new SharedBudget(10)
  const gone: string[] = []
  const slow = budget.open(() => gone.push('slow'))
  const quick = budget.open(() => gone.push('quick'))
  slow.add(6)
  quick.add(5)
  expect(gone).toEqual(['slow'])
  slow.add(-6)
  slow.add(7)
  slow.end()
  expect(budget.total).toBe(5)
  quick.end()
  quick.add(3)
  expect(budget.total).toBe(0)
})

test('a holder that gives everything back counts as new when it takes something again', () => {
  const budget = new SharedBudget(10)
  const gone: string[] = []
  const [first, second] = ['first', 'second'].map((name) => budget.open(() => gone.push(name)))
  first?.add(5)
  second?.add(5)
  first?.add(-5)
  first?.add(5)
  first?.add(1)
  expect(gone).toEqual(['second'])
})

test('a single holder may exceed the limit', () => {
  const budget = new SharedBudget(10)
  budget.open(() => expect.fail('it had to go')).add(11)
  expect(budget.total).toBe(11)
})

test('memory that several hold counts once, and until the last has released it', () => {
  const budget = new SharedBudget(1_000)
  const gone: string[] = []
  const memory = { size: 600, holders: 0 }
  const [first, second] = ['first', 'second'].map((name) => budget.open(() => gone.push(name)))
  first?.hold(memory)
  const one = budget.total
  second?.hold(memory)
  const forHolding = one - 600
  expect(budget.total).toBe(600 + 2 * forHolding)
  first?.release(memory)
  expect(budget.total).toBe(one)
  first?.add(400 - forHolding)
  expect(gone).toEqual([])
  first?.add(1)
  expect(gone).toEqual(['second'])
  second?.release(memory)
  second?.end()
  expect(budget.total).toBe(401 - forHolding)
})
