import { expect, test } from 'vitest'
import { TraceBudget, traceCharactersIn } from './trace-budget.ts'

const MIB = 1 << 20

test('a trace has a part of the heap that the host has, at most 128 Mi characters and at least one', () => {
  expect(traceCharactersIn()).toBe(128 * MIB)
  expect(traceCharactersIn(4_144 * MIB)).toBe(128 * MIB)
  expect(traceCharactersIn(304 * MIB)).toBe(30 * MIB)
  expect(traceCharactersIn(108 * MIB)).toBe(5.5 * MIB)
  expect(traceCharactersIn(10 * MIB)).toBe(MIB)
})

test('what is over the budget is refused, with the budget; a rest has what is left', () => {
  const budget = new TraceBudget({ traceCharacters: 100 })
  budget.spend(60)
  const rest = budget.rest()
  rest.spend(40)
  expect(() => rest.spend(1)).toThrow('trace is too large: more than 100 characters')
  budget.spend(40)
  expect(() => budget.spend(1)).toThrow('trace is too large: more than 100 characters')
})
