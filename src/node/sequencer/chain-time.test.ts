import { expect, test } from 'vitest'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { ChainTime } from './chain-time.ts'

/** Chain time that has been released. */
function released(...how: ConstructorParameters<typeof ChainTime>): ChainTime {
  const time = new ChainTime(...how)
  time.release()
  return time
}

test('chain time that will run stands still until it is released, and is not stopped meanwhile', () => {
  const clock = new FakeClock(5_000)
  const time = new ChainTime(clock, { startMs: 1_000, running: true })
  clock.jump(700)
  expect([time.now(), time.running, time.ticking]).toEqual([1_000, true, false])
  time.release()
  clock.jump(300)
  expect([time.now(), time.running, time.ticking]).toEqual([1_300, true, true])
})

test('chain time stands still until it is started, then follows the clock', () => {
  const clock = new FakeClock(5_000)
  const time = released(clock, { startMs: 1_000, running: false })
  clock.jump(700)
  expect(time.now()).toBe(1_000)
  time.start()
  clock.jump(300)
  expect(time.now()).toBe(1_300)
  time.stop()
  clock.jump(300)
  expect(time.now()).toBe(1_300)
})

test('at speed 5 a delay takes a fifth of the real time', () => {
  const clock = new FakeClock(0)
  const time = released(clock, { startMs: 0, running: true })
  time.setSpeed(5)
  expect(time.delayUntil(200)).toBe(40)
  clock.jump(40)
  expect(time.now()).toBe(200)
  expect(time.delayUntil(200)).toBe(0)
})

test('stepping moves chain time forward, never back', () => {
  const time = released(new FakeClock(0), { startMs: 1_000, running: false })
  time.advanceTo(1_200)
  time.advanceTo(900)
  expect(time.now()).toBe(1_200)
})

test('catching up jumps to the clock after slow motion, but only while running at the normal pace', () => {
  const clock = new FakeClock(0)
  const time = released(clock, { startMs: 0, running: true })
  time.setSpeed(0.1)
  clock.jump(10_000)
  time.catchUp()
  expect(time.now()).toBe(1_000)
  time.setSpeed(1)
  time.catchUp()
  expect(time.now()).toBe(10_000)
})
