import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { atReadingPace } from './at-reading-pace.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function record(initial: readonly number[] = []) {
  let list = initial
  let notify = () => {}
  const readable = atReadingPace(
    () => list,
    (listener) => {
      notify = listener
      return () => {
        notify = () => {}
      }
    },
  )
  const seen: (readonly number[])[] = []
  const stop = readable.subscribe(() => seen.push(readable.get()))
  function set(next: readonly number[]) {
    list = next
    notify()
  }
  return { readable, seen, set, stop }
}

/** Twenty rows, the newest of which is `newest`. */
const rows = (newest: number) => Array.from({ length: 20 }, (_, i) => newest - i)

test('a change of few rows is shown at once, however often that happens', () => {
  const { seen, set } = record(rows(100))
  for (let newest = 101; newest < 110; newest++) set(rows(newest))
  expect(seen).toHaveLength(9)
})

test('a change of many rows is shown at once the first time, then twice a second, with the newest rows', () => {
  const { seen, set } = record(rows(0))
  for (let ms = 0; ms <= 1_900; ms += 100) {
    set(rows(100 + ms))
    vi.advanceTimersByTime(100)
  }
  expect(seen.map(([newest]) => newest)).toEqual([100, 500, 1_000, 1_500, 2_000])
})

test('the last change of a burst is shown even if nothing follows', () => {
  const { readable, set } = record(rows(0))
  set(rows(100))
  set(rows(200))
  expect(readable.get()[0]).toBe(100)
  vi.advanceTimersByTime(500)
  expect(readable.get()[0]).toBe(200)
})

test('removed rows count like others', () => {
  const { readable, set } = record(rows(0))
  set(rows(100))
  set([])
  expect(readable.get()).toHaveLength(20)
  vi.advanceTimersByTime(500)
  expect(readable.get()).toEqual([])
})

test('after unsubscribing there are no more calls, and later changes appear at the next subscription', () => {
  const { readable, seen, set, stop } = record(rows(0))
  set(rows(100))
  set(rows(200))
  stop()
  vi.advanceTimersByTime(1_000)
  expect(seen).toHaveLength(1)
  set(rows(300))
  readable.subscribe(() => {})
  expect(readable.get()[0]).toBe(300)
})
