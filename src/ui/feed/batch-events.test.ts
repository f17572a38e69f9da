import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { batchEvents, type Sight } from './batch-events.ts'
import type { FeedEvent } from './reducer.ts'

const partial = { kind: 'partial' } as FeedEvent
const pooled = { kind: 'pooled' } as FeedEvent

function record(sight?: Sight) {
  const commits: string[][] = []
  const { enqueue, stop } = batchEvents((events) => commits.push(events.map(({ kind }) => kind)), sight)
  return { commits, enqueue, stop }
}

function fakeSight(hidden: boolean) {
  let listener = () => {}
  const sight = {
    hidden,
    isHidden: () => sight.hidden,
    onShown(onShown: () => void) {
      listener = onShown
      return () => {}
    },
    show() {
      sight.hidden = false
      listener()
    },
  }
  return sight
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a partial block is committed at once, with earlier events', () => {
  const { commits, enqueue } = record()
  enqueue(pooled)
  enqueue(partial)
  expect(commits).toEqual([['pooled', 'partial']])
})

test('partial blocks that come too fast to see are committed together', () => {
  const { commits, enqueue } = record()
  for (let i = 0; i < 9; i++) enqueue(partial)
  expect(commits).toHaveLength(1)
  vi.advanceTimersByTime(40)
  expect(commits.map((kinds) => kinds.length)).toEqual([1, 8])
})

test('a busy pool commits about once per partial block, a quiet one at once', () => {
  const { commits, enqueue } = record()
  enqueue(pooled)
  vi.advanceTimersByTime(50)
  expect(commits).toHaveLength(1)
  for (let ms = 0; ms < 200; ms += 2) {
    enqueue(pooled)
    vi.advanceTimersByTime(2)
  }
  expect(commits.length).toBeLessThanOrEqual(3)
  enqueue(partial)
  expect(commits.flat()).toHaveLength(102)
  enqueue(pooled)
  vi.advanceTimersByTime(50)
  expect(commits.at(-1)).toEqual(['pooled'])
})

test('a hidden page commits at intervals, and gets the rest at once when it is shown', () => {
  const sight = fakeSight(true)
  const { commits, enqueue } = record(sight)
  enqueue(partial)
  for (let ms = 0; ms < 1_600; ms += 200) {
    vi.advanceTimersByTime(200)
    enqueue(partial)
  }
  expect(commits.map((kinds) => kinds.length)).toEqual([1, 4])
  sight.show()
  expect(commits.map((kinds) => kinds.length)).toEqual([1, 4, 4])
})

test('nothing is committed after a stop', () => {
  const { commits, enqueue, stop } = record()
  enqueue(pooled)
  stop()
  enqueue(partial)
  vi.advanceTimersByTime(1_000)
  expect(commits).toEqual([])
})
