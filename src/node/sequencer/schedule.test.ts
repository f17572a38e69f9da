import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockMs, type LiveSlot, nextOpening, nextTickAtMs, planTick, timestampOf } from './schedule.ts'

const timing = { partialMs: 200, partialsPerBlock: 10 }
const opened: LiveSlot = { openedAtMs: 10_000, index: 0, dueAtMs: 10_000 }

function run(ticks: number, lateness: (tick: number) => number) {
  const events: string[] = []
  let slot = opened
  for (let i = 0; i < ticks; i++) {
    const at = nextTickAtMs(slot, timing) + lateness(i)
    const plan = planTick(at, slot, timing)
    slot = plan.kind === 'cut' ? plan.slot : nextOpening(at, slot, timing)
    events.push(plan.kind === 'cut' ? `${slot.index}@${slot.dueAtMs}` : `seal, 0@${slot.dueAtMs}`)
  }
  return events
}

test('ticks on time cut indices 1 to 9 every 200 ms, and the tenth seals and opens the next block', () => {
  expect(run(11, () => 0)).toEqual([
    '1@10200',
    '2@10400',
    '3@10600',
    '4@10800',
    '5@11000',
    '6@11200',
    '7@11400',
    '8@11600',
    '9@11800',
    'seal, 0@12000',
    '1@12200',
  ])
})

test('ticks that come a little late stay on the grid', () => {
  expect(run(10, (i) => (i * 37) % 190)).toEqual(run(10, () => 0))
})

test('missed ticks are skipped: the indices have no gap and the block is sealed on time', () => {
  const events = run(7, (i) => (i === 2 ? 900 : 0))
  expect(events).toEqual(['1@10200', '2@10400', '3@11400', '4@11600', '5@11800', 'seal, 0@12000', '1@12200'])
})

test('a timer that fires early does not cut twice in one step', () => {
  const first = planTick(10_199.4, opened, timing)
  expect(first).toEqual({ kind: 'cut', slot: { openedAtMs: 10_000, index: 1, dueAtMs: 10_200 } })
  if (first.kind === 'cut') expect(nextTickAtMs(first.slot, timing)).toBe(10_400)
})

test('after a long sleep the open block is sealed once, and the next one is in the place of the grid in which now lies', () => {
  const asleep = 10_000 + 3_600_000
  expect(planTick(asleep, opened, timing)).toEqual({ kind: 'seal' })
  for (const laterMs of [0, 1, 199, 730, 1_999]) {
    expect(nextOpening(asleep + laterMs, opened, timing)).toEqual({ openedAtMs: asleep, index: 0, dueAtMs: asleep })
  }
})

test('the timestamp is the second of the scheduled seal', () => {
  expect(timestampOf(10_000, timing)).toBe(12)
  expect(timestampOf(10_999, timing)).toBe(12)
})

test('whatever the delays, indices are 0, 1, 2 … below the limit, due times rise on the grid, and no block is a whole block late', () => {
  const timings = fc.record({
    partialMs: fc.integer({ min: 10, max: 5_000 }),
    partialsPerBlock: fc.integer({ min: 1, max: 20 }),
  })
  fc.assert(
    fc.property(timings, fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 30 }), (anyTiming, delays) => {
      let slot = opened
      let now = opened.openedAtMs
      for (const delay of delays) {
        now = Math.max(now, nextTickAtMs(slot, anyTiming)) + delay
        const plan = planTick(now, slot, anyTiming)
        const next = plan.kind === 'cut' ? plan.slot : nextOpening(now, slot, anyTiming)
        expect(next.dueAtMs).toBeGreaterThan(slot.dueAtMs)
        expect(next.dueAtMs).toBeLessThanOrEqual(now)
        expect((next.dueAtMs - next.openedAtMs) % anyTiming.partialMs).toBe(0)
        if (plan.kind === 'cut') {
          expect(next.index).toBe(slot.index + 1)
          expect(next.index).toBeLessThan(anyTiming.partialsPerBlock)
          expect(now).toBeLessThan(slot.openedAtMs + blockMs(anyTiming))
        } else {
          expect(next.index).toBe(0)
          expect(now - next.openedAtMs).toBeLessThan(blockMs(anyTiming))
        }
        slot = next
      }
    }),
  )
})

test('a delayed seal stays delayed if ticks were missed past its scheduled time', () => {
  const slot: LiveSlot = { openedAtMs: 10_000, index: 3, dueAtMs: 10_600 }
  const late = planTick(12_500, slot, timing, 5_000)
  expect(late).toEqual({ kind: 'cut', slot: { openedAtMs: 10_000, index: 4, dueAtMs: 11_800 } })
  expect(planTick(17_000, slot, timing, 5_000)).toEqual({ kind: 'seal' })
  expect(planTick(12_500, slot, timing)).toEqual({ kind: 'seal' })
})
