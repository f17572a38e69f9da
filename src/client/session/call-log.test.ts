import { expect, test } from 'vitest'
import { createCallLog, keep, LOG_CAPACITY, tapProvider } from './call-log.ts'
import { createProvider, ProviderRpcError } from './provider.ts'

function setUp() {
  let nowMs = 1_000
  const log = createCallLog(() => nowMs)
  const { provider, announceDisconnect } = createProvider(async (body) => {
    nowMs += 5
    const { id, method } = JSON.parse(body) as { id: number; method: string }
    return JSON.stringify(
      method === 'eth_chainId'
        ? { jsonrpc: '2.0', id, result: '0x7a69' }
        : { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method', data: { method } } },
    )
  })
  return { log, provider, announceDisconnect }
}

test('a call is logged when it starts and when it is answered', async () => {
  const { log, provider } = setUp()
  const call = tapProvider(provider, 'wallet', log).request({ method: 'eth_chainId' })
  expect(log.entries()).toMatchObject([{ source: 'wallet', method: 'eth_chainId', outcome: { status: 'waiting' } }])
  expect(await call).toBe('0x7a69')
  expect(log.entries()).toEqual([
    {
      id: 1,
      source: 'wallet',
      method: 'eth_chainId',
      params: { kept: true, value: [] },
      startedAtMs: 1_000,
      outcome: { status: 'answered', result: { kept: true, value: '0x7a69' }, tookMs: 5 },
    },
  ])
})

test('an error reaches both the caller and the log unchanged', async () => {
  const { log, provider } = setUp()
  const refused = tapProvider(provider, 'page', log).request({ method: 'nope', params: [1] })
  await expect(refused).rejects.toBeInstanceOf(ProviderRpcError)
  expect(log.entries()[0]?.outcome).toEqual({
    status: 'failed',
    code: -32601,
    message: 'no such method',
    data: { kept: true, value: { method: 'nope' } },
    tookMs: 5,
  })
})

test('a tapped provider gets the same events, and calls are logged by source', async () => {
  const { log, provider, announceDisconnect } = setUp()
  const page = tapProvider(provider, 'page', log)
  const heard: string[] = []
  const listener = ({ message }: Error) => heard.push(message)
  expect(page.on('disconnect', listener)).toBe(page)
  announceDisconnect('first')
  expect(page.removeListener('disconnect', listener)).toBe(page)
  announceDisconnect('second')
  expect(heard).toEqual(['first'])

  await page.request({ method: 'eth_chainId' })
  await tapProvider(provider, 'script', log).request({ method: 'eth_chainId' })
  expect(log.entries().map(({ source }) => source)).toEqual(['page', 'script'])
})

test('the oldest calls are removed, and their later answers are ignored', () => {
  const log = createCallLog(() => 0)
  const end = log.begin('page', 'first', [])
  for (let i = 0; i < LOG_CAPACITY; i++) log.begin('page', `call ${i}`, [])
  end({ result: 'late' })
  const entries = log.entries()
  expect(entries).toHaveLength(LOG_CAPACITY)
  expect(entries[0]).toMatchObject({ id: 2, method: 'call 0', outcome: { status: 'waiting' } })
  expect(entries.map(({ id }) => id)).toEqual(entries.map((_, i) => i + 2))
})

test('a call that was pending when the log was cleared does not reappear', () => {
  const log = createCallLog(() => 0)
  const end = log.begin('page', 'eth_chainId', [])
  log.clear()
  end({ result: '0x1' })
  expect(log.entries()).toEqual([])
})

test('values too large to keep are left out', () => {
  expect(keep({ a: ['x'.repeat(1_000)] })).toMatchObject({ kept: true })
  expect(keep('x'.repeat(64_001))).toEqual({ kept: false })
  expect(keep(Array.from({ length: 10 }, () => Array.from({ length: 400 }, () => 1)))).toEqual({ kept: false })
  expect(keep(undefined)).toEqual({ kept: true, value: undefined })
})
