import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { storageQuery } from './storage-query.ts'

beforeEach(() => {
  vi.useFakeTimers()
  environmentManager.setIsServer(() => false)
})
afterEach(() => {
  vi.useRealTimers()
  environmentManager.setIsServer(() => typeof window === 'undefined')
})

test('the page keeps checking the storage while there are no seals, as on a full disk', async () => {
  const failures = [null, { code: 'quota', message: 'the disk is full' }, null]
  let asked = 0
  const request = () => Promise.resolve({ failure: failures[asked++] })
  const seen: unknown[] = []
  const observer = new QueryObserver(
    new QueryClient(),
    storageQuery({ request } as unknown as BlinknetProvider, 'the hash of the newest block'),
  )
  const stop = observer.subscribe(({ data }) => {
    if (data && data !== seen.at(-1)) seen.push(data)
  })
  // The first answer, then one every two seconds.
  await vi.advanceTimersByTimeAsync(4_100)
  stop()
  expect(asked).toBe(3)
  expect(seen).toEqual(failures.map((failure) => ({ failure })))
})
