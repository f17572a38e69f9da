import { expect, test } from 'vitest'
import type { RecordedStep } from '#report/test-record.ts'
import { firstFailed, placeSteps, spanOf, stepAt } from './line-of-time.ts'

const step = (more: Partial<RecordedStep>): RecordedStep => ({
  title: '',
  category: 'pw:api',
  startedAtMs: 0,
  tookMs: 10,
  error: '',
  place: '',
  seen: [],
  steps: [],
  ...more,
})

test('steps are listed as they lie in each other; what hooks and fixtures do only if it failed', () => {
  const steps = [
    step({ title: 'Before', category: 'hook', steps: [step({ title: 'hidden' })] }),
    step({ title: 'fixture', category: 'fixture' }),
    step({
      title: 'pay',
      startedAtMs: 20,
      error: 'no',
      steps: [step({ title: 'click', startedAtMs: 25, error: 'no' })],
    }),
    step({
      title: 'After',
      category: 'hook',
      startedAtMs: 40,
      tookMs: -1,
      steps: [step({ title: 'bad', startedAtMs: 45, error: 'x' })],
    }),
  ]
  const placed = placeSteps(steps, 90)
  expect(placed.map(({ step: { title }, depth, endedAtMs }) => [title, depth, endedAtMs])).toEqual([
    ['Before', 0, 10],
    ['pay', 0, 30],
    ['click', 1, 35],
    ['After', 0, 90],
    ['bad', 1, 55],
  ])
  expect(firstFailed(placed)).toBe(2)
  expect(firstFailed(placed.slice(0, 1))).toBe(0)
  expect(stepAt(placed, 26)).toBe(2)
  expect(stepAt([], 26)).toBe(-1)
})

test('the line of time has all that happened', () => {
  const nothing = { titles: [], project: '', place: '', status: '', retry: 0, errors: [], lines: [], pictures: [] }
  const record = { ...nothing, startedAtMs: 100, tookMs: -1, steps: [step({ startedAtMs: 150 })] }
  const chains = [
    {
      name: 'c',
      skipped: 0,
      partials: [{ atMs: 300, number: 1, index: 0, hash: '', transactions: 0, withdrawn: false }],
    },
  ]
  expect(spanOf({ ...record, chains })).toEqual({ from: 100, to: 300 })
  expect(spanOf({ ...record, chains: [], steps: [] })).toEqual({ from: 100, to: 101 })
})
