import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Transaction } from '#node/tx/transaction.ts'
import type { Address } from '#primitives/hex.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { GuestTime, TimeBudget } from './guest-time.ts'
import { TIME_RATES } from './limits.ts'

const ANN: Address = `0x${'aa'.repeat(20)}`
const MALLORY: Address = `0x${'bb'.repeat(20)}`
const SPEAKER: Address = `0x${'cc'.repeat(20)}`
const txOf = (sender: Address, number = 1) =>
  ({ sender, hash: `0x${number.toString(16).padStart(64, '0')}` }) as Transaction

function setUp() {
  const clock = new FakeClock()
  const time = new GuestTime(clock, TIME_RATES.room)
  const budgets = () => ({ own: new TimeBudget(TIME_RATES.connection), source: undefined })
  time.assign(ANN, budgets())
  time.assign(MALLORY, budgets())
  /** Runs a transaction that needs so long, as far as its limit goes. @returns Whether it ended. */
  function run(tx: Transaction, needsMs: number): boolean {
    const limitMs = time.limitMs(tx)
    if (limitMs === 0) return false
    const isStopped = needsMs > limitMs
    time.ran(tx, Math.min(needsMs, limitMs), isStopped)
    return !isStopped
  }
  return { clock, time, budgets, run }
}

test('who is no guest has no limit and comes first', () => {
  const { time } = setUp()
  expect(time.limitMs(txOf(SPEAKER))).toBe(Number.POSITIVE_INFINITY)
  expect(time.rankOf(SPEAKER)).toBe(0)
  expect(time.rankOf(ANN)).toBe(1)
  expect(time.waitMs(SPEAKER)).toBe(0)
})

test('a transaction that takes too long is stopped at its budget; its sender then comes after those who have used nothing', () => {
  const { time, run } = setUp()
  expect(run(txOf(MALLORY), 350)).toBe(false)
  expect(time.rankOf(MALLORY)).toBeGreaterThan(time.rankOf(ANN))
  expect(time.limitMs(txOf(MALLORY, 2))).toBe(0)
  expect(run(txOf(ANN), 0.05)).toBe(true)
})

test('with the budget of the room used up, a transfer of a guest who has used nothing still runs', () => {
  const { time, budgets, run } = setUp()
  for (let i = 0; i < 40; i++) {
    const sender: Address = `0x${i.toString(16).padStart(40, '0')}`
    time.assign(sender, budgets())
    run(txOf(sender, 100 + i), 350)
  }
  expect(run(txOf(ANN), 0.05)).toBe(true)
})

test('a stopped transaction is not lost: it runs to its end once its guest has been idle', () => {
  const { clock, run } = setUp()
  let seconds = 0
  while (!run(txOf(MALLORY), 350)) {
    clock.jump(1_000)
    seconds++
    expect(seconds).toBeLessThan(120)
  }
  expect(seconds).toBeGreaterThan(5)
})

test('whoever owes time may not send until it is made up for', () => {
  const { clock, time } = setUp()
  time.ran(txOf(MALLORY), 350, false)
  const owedMs = 350 - TIME_RATES.connection.burstMs
  expect(time.waitMs(MALLORY)).toBe((owedMs * 1_000) / TIME_RATES.connection.perSecondMs)
  clock.jump(time.waitMs(MALLORY))
  expect(time.waitMs(MALLORY)).toBe(0)
  expect(time.waitMs(ANN)).toBe(0)
})

test('a guest who has sent nothing may send, although others at the same address owe time; it runs once they have made up for it', () => {
  const { clock, time, run } = setUp()
  const source = new TimeBudget(TIME_RATES.address)
  time.assign(ANN, { own: new TimeBudget(TIME_RATES.connection), source })
  time.assign(MALLORY, { own: new TimeBudget(TIME_RATES.connection), source })
  time.ran(txOf(MALLORY), TIME_RATES.address.burstMs + 100, false)
  expect(time.waitMs(MALLORY)).toBeGreaterThan(0)
  expect(time.waitMs(ANN)).toBe(0)
  expect(run(txOf(ANN), 0.05)).toBe(false)
  clock.jump(time.waitMs(MALLORY) + 1_000)
  expect(run(txOf(ANN), 0.05)).toBe(true)
})

test('what a guest who leaves has waiting over its budgets leaves the pool, once; what is within them stays', () => {
  const { time, run } = setUp()
  run(txOf(ANN), 0.05)
  run(txOf(MALLORY), 350)
  time.leave(ANN)
  time.leave(MALLORY)
  expect([...time.takeUnwanted()].map(([sender]) => sender)).toEqual([MALLORY])
  expect([...time.takeUnwanted()]).toEqual([])
})

test('what a guest sends just before leaving gets one try', () => {
  const { time, run } = setUp()
  time.leave(MALLORY)
  expect([...time.takeUnwanted()]).toEqual([])
  expect(run(txOf(MALLORY), 350)).toBe(false)
  expect([...time.takeUnwanted()].map(([sender]) => sender)).toEqual([MALLORY])
})

test('a guest who is forgotten during a tick keeps its limit until its transactions have left the pool', () => {
  const { time, run } = setUp()
  time.forget(MALLORY)
  expect(run(txOf(MALLORY), 350)).toBe(false)
  expect(new Set([...time.takeUnwanted()].map(([sender]) => sender))).toEqual(new Set([MALLORY]))
  expect(time.rankOf(MALLORY)).toBe(0)
})

test('a guest who was forgotten and joins again before the next tick has budgets again', () => {
  const { time, budgets } = setUp()
  time.forget(MALLORY)
  time.assign(MALLORY, budgets())
  expect([...time.takeUnwanted()].map(([sender]) => sender)).toEqual([MALLORY])
  expect(time.rankOf(MALLORY)).toBe(1)
})

test('what waits in the pool since an earlier run gets one try, within the budget of a guest who has left', () => {
  const { time, run, budgets } = setUp()
  const stranger: Address = `0x${'dd'.repeat(20)}`
  time.load([stranger])
  expect(time.rankOf(stranger)).toBe(1)
  expect(run(txOf(stranger), 350)).toBe(false)
  expect([...time.takeUnwanted()].map(([sender]) => sender)).toEqual([stranger])
  time.assign(stranger, budgets())
  time.leave(stranger)
  expect([...time.takeUnwanted()]).toEqual([])
})

test('addresses that joined over one connection share its budget, and a network address that of all its connections', () => {
  const { time, run } = setUp()
  const own = new TimeBudget(TIME_RATES.connection)
  const source = new TimeBudget(TIME_RATES.address)
  time.assign(ANN, { own, source })
  time.assign(MALLORY, { own, source })
  expect(run(txOf(MALLORY), 350)).toBe(false)
  expect(time.rankOf(ANN)).toBe(time.rankOf(MALLORY))
  time.assign(ANN, { own: new TimeBudget(TIME_RATES.connection), source })
  expect(time.rankOf(ANN)).toBeGreaterThan(1)
})

test('whatever guests send, all together run no longer than the room’s rate allows, but for one transaction at a time', () => {
  const step = fc.record({ guest: fc.nat(39), needsMs: fc.integer({ min: 3, max: 700 }), pauseMs: fc.nat(400) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const clock = new FakeClock()
      const time = new GuestTime(clock, TIME_RATES.room)
      const senders = Array.from({ length: 40 }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`)
      for (const sender of senders) {
        time.assign(sender, { own: new TimeBudget(TIME_RATES.connection), source: undefined })
      }
      let usedMs = 0
      let longestMs = 0
      let tries = 0
      const from = clock.now()
      for (const { guest, needsMs, pauseMs } of steps) {
        const tx = txOf(senders[guest] as Address, guest)
        const limitMs = time.limitMs(tx)
        if (limitMs > 0) {
          const ms = Math.min(limitMs, needsMs)
          time.ran(tx, ms, needsMs > limitMs)
          usedMs += ms
          longestMs = Math.max(longestMs, ms)
          if (limitMs <= 2) tries++
        }
        clock.jump(pauseMs)
      }
      const { perSecondMs, burstMs } = TIME_RATES.room
      const allowed = burstMs + ((clock.now() - from) * perSecondMs) / 1_000
      expect(usedMs).toBeLessThanOrEqual(allowed + longestMs + 2 * tries)
    }),
  )
})
