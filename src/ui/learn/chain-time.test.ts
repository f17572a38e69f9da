import { expect, test } from 'vitest'
import { chainTimeBetween, wasSlowed } from './chain-time.ts'

const HELD_THEN_SLOW = [
  { fromMs: 1_000, speed: 0 },
  { fromMs: 4_000, speed: 0.1 },
  { fromMs: 6_000, speed: 0 },
]

test('while the clock is stopped no chain time passes, and while it runs slower it passes slower', () => {
  expect(chainTimeBetween(1_500, 5_500, HELD_THEN_SLOW)).toBeCloseTo(150)
  expect(chainTimeBetween(1_500, 60_000, HELD_THEN_SLOW)).toBeCloseTo(200)
  expect(chainTimeBetween(1_500, 3_900, HELD_THEN_SLOW)).toBe(0)
})

test('without changes of the clock chain time is real time', () => {
  expect(chainTimeBetween(100, 350, [])).toBe(250)
  expect(chainTimeBetween(500, 1_250, HELD_THEN_SLOW)).toBe(500)
})

test('a span is slowed if the clock was stopped or slower in any part of it', () => {
  expect(wasSlowed(100, 900, HELD_THEN_SLOW)).toBe(false)
  expect(wasSlowed(500, 1_250, HELD_THEN_SLOW)).toBe(true)
  expect(wasSlowed(500, 1_250, [])).toBe(false)
  expect(wasSlowed(5_000, 5_900, [...HELD_THEN_SLOW.slice(0, 1), { fromMs: 4_000, speed: 1 }])).toBe(false)
})
