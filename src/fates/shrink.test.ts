import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Fault, formatFate, parseFate, type Schedule } from './fault.ts'
import { shrinkFate } from './shrink.ts'

/** Fails if it has each of these faults, at that moment or later. */
const needs = (wanted: string) => async (schedule: Schedule) =>
  parseFate(wanted).every(({ kind, at }) => schedule.some((fault) => fault.kind === kind && fault.at >= at))

test.each([
  ['withdraw@9,late-answer@send1,lag@3', 'withdraw@2', 'withdraw@2'],
  ['lag@3,withdraw@9,late-answer@send1', 'withdraw@2,late-answer@send1', 'withdraw@2,late-answer@send1'],
  ['lose@5', 'lose@0', 'lose@0'],
  ['lose@5,lose@7', 'lose@3', 'lose@3'],
])('%s, of which %s fails, becomes %s', async (fate, wanted, shortest) => {
  expect(formatFate(await shrinkFate(parseFate(fate), needs(wanted)))).toBe(shortest)
})

test('a fate that fails only as it is stays', async () => {
  const whole = parseFate('withdraw@4,reorg@11')
  const fails = async (schedule: Schedule) => formatFate(schedule) === formatFate(whole)
  expect(await shrinkFate(whole, fails)).toEqual(whole)
})

test('of many faults the few that matter are found, with at most 200 tries and none twice', async () => {
  const fault: fc.Arbitrary<Fault> = fc.record({
    kind: fc.constantFrom('withdraw', 'lag', 'lose', 'late'),
    at: fc.integer({ min: 1, max: 30 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 60 }), async (others) => {
      const tried: string[] = []
      const fails = needs('reorg@2')
      const schedule = [...others, { kind: 'reorg', at: 5 } as const]
      const shortest = await shrinkFate(schedule, async (each) => {
        tried.push(formatFate(each))
        return fails(each)
      })
      expect(formatFate(shortest)).toBe('reorg@2')
      expect(tried.length).toBeLessThanOrEqual(200)
      expect(new Set(tried).size).toBe(tried.length)
    }),
    { numRuns: 50 },
  )
})

test('a fate that fails at no other moment is tried 200 times at most', async () => {
  let tries = 0
  const late = parseFate('withdraw@9999,lose@9999')
  const shortest = await shrinkFate(late, async (schedule) => {
    tries++
    return formatFate(schedule) === formatFate(late)
  })
  expect(shortest).toEqual(late)
  expect(tries).toBeLessThanOrEqual(200)
})
