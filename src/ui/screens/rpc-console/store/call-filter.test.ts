import { expect, test } from 'vitest'
import type { LoggedCall } from '#client/session/call-log.ts'
import { exportCalls } from '#ui/screens/rpc-console/log/CallLogPanel.tsx'
import { filterCalls, NO_FILTER } from './call-filter.ts'

const kept = (value: unknown) => ({ kept: true, value }) as const
const CALLS: readonly LoggedCall[] = [
  {
    id: 1,
    source: 'page',
    method: 'eth_chainId',
    params: kept([]),
    startedAtMs: 0,
    outcome: { status: 'answered', result: kept('0x1'), tookMs: 2 },
  },
  {
    id: 2,
    source: 'console',
    method: 'eth_call',
    params: kept([{}]),
    startedAtMs: 5,
    outcome: { status: 'failed', code: 3, message: 'execution reverted', data: kept('0x'), tookMs: 1.5 },
  },
  {
    id: 3,
    source: 'wallet',
    method: 'eth_accounts',
    params: { kept: false },
    startedAtMs: 6,
    outcome: { status: 'waiting' },
  },
]
const found = (filter: Partial<typeof NO_FILTER>) => filterCalls(CALLS, { ...NO_FILTER, ...filter }).map(({ id }) => id)

test('calls are found by source, by method, by error and by failure', () => {
  expect(found({ source: 'all' })).toEqual([1, 2, 3])
  expect(found({ source: 'wallet' })).toEqual([3])
  expect(found({ source: 'all', text: ' CHAIN' })).toEqual([1])
  expect(found({ text: 'reverted' })).toEqual([2])
  expect(found({ failedOnly: true })).toEqual([2])
  expect(found({ failedOnly: true, source: 'page' })).toEqual([])
})

test('the export has requests, answers and durations', () => {
  expect(JSON.parse(exportCalls(CALLS))).toEqual([
    {
      id: 1,
      source: 'page',
      startedAt: '1970-01-01T00:00:00.000Z',
      request: { method: 'eth_chainId', params: [] },
      tookMs: 2,
      response: { result: '0x1' },
    },
    {
      id: 2,
      source: 'console',
      startedAt: '1970-01-01T00:00:00.005Z',
      request: { method: 'eth_call', params: [{}] },
      tookMs: 1.5,
      response: { error: { code: 3, message: 'execution reverted', data: '0x' } },
    },
    {
      id: 3,
      source: 'wallet',
      startedAt: '1970-01-01T00:00:00.006Z',
      request: { method: 'eth_accounts', params: '(too large to keep)' },
      response: null,
    },
  ])
})

test('the reads of the page itself are hidden at first, but not its other calls or failures', () => {
  const [read] = CALLS
  if (read === undefined) throw new Error('there are calls')
  const failure = { status: 'failed', code: -32603, message: 'x', data: kept(null), tookMs: 1 } as const
  const calls: readonly LoggedCall[] = [
    read,
    { ...read, id: 4, method: 'eth_sendRawTransaction' },
    { ...read, id: 5, outcome: failure },
    { ...read, id: 6, source: 'console' },
  ]
  expect(filterCalls(calls, NO_FILTER).map(({ id }) => id)).toEqual([4, 5, 6])
})
