import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCallLog } from '#client/session/call-log.ts'
import { followCalls } from './CallLogPanel.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a burst of calls is shown in one update, and nothing after the end', () => {
  const log = createCallLog(() => 0)
  const shown: number[] = []
  const stop = followCalls(log, (calls) => shown.push(calls.length))
  for (let i = 0; i < 50; i++) log.begin('page', 'eth_chainId', [])({ result: '0x1' })
  expect(shown).toEqual([0])
  vi.advanceTimersByTime(200)
  expect(shown).toEqual([0, 50])

  log.begin('page', 'eth_chainId', [])
  stop()
  vi.advanceTimersByTime(1_000)
  expect(shown).toEqual([0, 50])
  expect(vi.getTimerCount()).toBe(0)
})
