import { expect, test } from 'vitest'
import { dueCount, loadFromAddress } from './load-plan.ts'

test('a steady load is spread evenly; bursts have the same average', () => {
  const steady = { rate: 100, pattern: 'steady' } as const
  expect([0, 50, 1_000, 4_000].map((ms) => dueCount(steady, ms))).toEqual([0, 5, 100, 400])
  const burst = { rate: 100, pattern: 'burst' } as const
  expect([0, 50, 1_999, 2_000].map((ms) => dueCount(burst, ms))).toEqual([200, 200, 200, 400])
})

test('the address may start a load, within the available choices', () => {
  expect(loadFromAddress('?load=200')).toEqual({ rate: 200, pattern: 'steady' })
  expect(loadFromAddress('?seed=1&load=50,burst')).toEqual({ rate: 50, pattern: 'burst' })
  expect(loadFromAddress('?load=9000')).toEqual({ rate: 500, pattern: 'steady' })
  for (const search of ['', '?load=', '?load=0', '?load=fast', '?load=5,pink', '?load=-1']) {
    expect(loadFromAddress(search)).toBeUndefined()
  }
})
