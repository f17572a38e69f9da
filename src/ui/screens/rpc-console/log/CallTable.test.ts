import { expect, test } from 'vitest'
import type { LoggedCall } from '#client/session/call-log.ts'
import { waterfall } from './CallTable.tsx'

function call(id: number, startedAtMs: number, tookMs?: number): LoggedCall {
  const kept = { kept: true, value: null } as const
  const outcome =
    tookMs === undefined ? ({ status: 'waiting' } as const) : ({ status: 'answered', result: kept, tookMs } as const)
  return { id, source: 'page', method: 'eth_chainId', params: kept, startedAtMs, outcome }
}

test('calls that start together share one origin, and the longest group fills the axis', () => {
  const bars = waterfall([call(1, 1_000, 4), call(2, 1_005, 15), call(3, 9_000, 10)])
  expect(bars.get(1)).toEqual({ offset: 0, length: 0.2 })
  expect(bars.get(2)).toEqual({ offset: 0.25, length: 0.75 })
  expect(bars.get(3)).toEqual({ offset: 0, length: 0.5 })
})

test('a pending call has no bar, and an empty list has none', () => {
  expect(waterfall([call(1, 0)]).size).toBe(0)
  expect(waterfall([]).size).toBe(0)
  expect(waterfall([call(1, 0, 0)]).get(1)).toEqual({ offset: 0, length: 0 })
})
