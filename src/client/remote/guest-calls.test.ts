import { expect, test } from 'vitest'
import { GuestCalls } from './guest-calls.ts'

const body = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })

/** Calls whose answers a test gives. */
function setUp() {
  const calls = new GuestCalls()
  const asked: { readonly answer: (text: string) => void; readonly fail: () => void }[] = []
  const run = (method: string) =>
    calls.run(
      body(method),
      () =>
        new Promise<string>((resolve, reject) => asked.push({ answer: resolve, fail: () => reject(new Error('no')) })),
    )
  return { run, asked }
}

test('of many calls a few are under way at a time, and each gets its answer, also after one that failed', async () => {
  const { run, asked } = setUp()
  const all = Array.from({ length: 5 }, () => run('eth_getBlockByNumber'))
  expect(asked).toHaveLength(3)
  asked[0]?.fail()
  await expect(all[0]).rejects.toThrow('no')
  expect(asked).toHaveLength(4)
  asked[1]?.answer('b')
  expect(await all[1]).toBe('b')
  expect(asked).toHaveLength(5)
  for (const [i, each] of asked.slice(2).entries()) each.answer(`c${i}`)
  expect(await Promise.all(all.slice(2))).toEqual(['c0', 'c1', 'c2'])
})

test.each(['eth_sendRawTransactionSync', 'eth_subscribe', 'room_report'])('%s does not wait for its turn', (method) => {
  const { run, asked } = setUp()
  for (let i = 0; i < 4; i++) void run('eth_call')
  void run(method)
  expect(asked).toHaveLength(4)
})
