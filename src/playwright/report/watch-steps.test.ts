import type { TestInfo } from '@playwright/test'
import { expect, test } from 'vitest'
import { type StepBegin, type StepEnd, watchSteps } from './watch-steps.ts'

const BEGIN: StepBegin = { stepId: 'a', title: 'Click', category: 'pw:api', wallTime: 5 }
const END: StepEnd = { stepId: 'a', wallTime: 9, error: { message: 'no' } }

test.each([
  ['in an object of their own', (tellers: object) => ({ _callbacks: tellers }), ['onStepBegin', 'onStepEnd']],
  ['in the information', (tellers: object) => tellers, ['_onStepBegin', '_onStepEnd']],
] as const)(
  'steps are told to Playwright as before, and to who watches, where their tellers are %s',
  (_where, infoOf, names) => {
    const told: unknown[] = []
    const [onBegin, onEnd] = names
    const tellers: Record<string, (payload: unknown) => void> = {
      [onBegin]: (payload) => told.push(payload),
      [onEnd]: (payload) => told.push(payload),
    }
    const seen: unknown[] = []
    const push = (step: unknown) => void seen.push(step)
    expect(watchSteps(infoOf(tellers) as unknown as TestInfo, push, push)).toBe(true)
    tellers[onBegin]?.(BEGIN)
    tellers[onEnd]?.(END)
    // Another version may tell something else.
    tellers[onEnd]?.({ id: 7 })
    expect(told).toEqual([BEGIN, END, { id: 7 }])
    expect(seen).toEqual([BEGIN, END])
  },
)

test('a Playwright with other names tells nothing, and goes on', () => {
  expect(
    watchSteps(
      {} as TestInfo,
      () => {},
      () => {},
    ),
  ).toBe(false)
})
