import { expect, test } from 'vitest'
import type { Signed } from '#engine/key-recovery.ts'
import { FakeThread } from '#testing/node/crypto/fake-thread.ts'
import { FEES, OTHER, sign } from '#testing/node/tx/signed-samples.ts'
import { readTransaction } from '../tx/decode.ts'
import { recoverAddresses } from './recovery.ts'
import { helpersOn, MAX_GROUPS, RecoveryHelpers } from './recovery-helpers.ts'

const TRANSFER = { type: 'eip1559', chainId: 31_337, gas: 21_000n, to: OTHER, value: 1n, ...FEES } as const
const signatures: Signed[] = [
  readTransaction(await sign(TRANSFER)).signed,
  // No point of the curve has x = 5.
  { digest: new Uint8Array(32), r: 5n, s: 1n, yParity: 0 },
]
const hints = signatures.map(() => 0)
const expected = recoverAddresses(signatures)

function helpersOf(most: number) {
  const threads: FakeThread[] = []
  const logged: unknown[] = []
  const helpers = new RecoveryHelpers({
    most,
    start(events) {
      const thread = new FakeThread(events)
      threads.push(thread)
      return thread
    },
    log: (message, details) => logged.push([message, details]),
  })
  return { helpers, threads, logged }
}

test('a thread is started when it is first asked for, and helps once it is ready', async () => {
  const { helpers, threads } = helpersOf(1)
  expect(threads).toEqual([])
  expect(helpers.recover(signatures, hints)).toBeUndefined()
  expect(helpers.recover(signatures, hints)).toBeUndefined()
  expect(threads).toHaveLength(1)
  threads[0]?.start()
  const recovering = helpers.recover(signatures, hints)
  threads[0]?.answer()
  expect(await recovering).toEqual(expected)
})

test('a thread has a few groups at most, and answers them in their order', async () => {
  const { helpers, threads } = helpersOf(1)
  void helpers.recover(signatures, hints)
  const thread = threads[0] as FakeThread
  thread.start()
  const groups = Array.from({ length: MAX_GROUPS }, (_, i) => (i % 2 === 0 ? signatures : signatures.slice(1)))
  const recovering = groups.map((group) => helpers.recover(group, hints))
  expect(helpers.recover(signatures, hints)).toBeUndefined()
  thread.answer()
  expect(await recovering[0]).toEqual(expected)
  recovering.push(helpers.recover(signatures, hints))
  for (const _ of groups) thread.answer()
  expect(await Promise.all(recovering.map(async (senders) => senders))).toEqual([
    ...groups.map((group) => (group === signatures ? expected : expected.slice(1))),
    expected,
  ])
})

test('another thread is started when all are busy, up to the limit', () => {
  const { helpers, threads } = helpersOf(2)
  const recovers = () => helpers.recover(signatures, hints) !== undefined
  const all = Array.from({ length: MAX_GROUPS }, () => true)
  expect(recovers()).toBe(false)
  threads[0]?.start()
  expect([...all.map(recovers), recovers()]).toEqual([...all, false])
  expect(threads).toHaveLength(2)
  threads[1]?.start()
  expect([...all.map(recovers), recovers()]).toEqual([...all, false])
  expect(threads).toHaveLength(2)
})

test('if a thread fails, that is logged, its work is refused, and no other thread is started', async () => {
  const { helpers, threads, logged } = helpersOf(2)
  void helpers.recover(signatures, hints)
  threads[0]?.start()
  const recovering = helpers.recover(signatures, hints)
  threads[0]?.fail('out of memory')
  await expect(recovering).rejects.toThrow('the helper was stopped')
  expect(threads[0]?.stopped).toBe(true)
  expect(helpers.recover(signatures, hints)).toBeUndefined()
  expect(threads).toHaveLength(1)
  expect(logged).toEqual([['senders are recovered without help: a thread has failed', 'out of memory']])
})

test('a host that cannot start a thread is asked once', () => {
  const refusal = new Error('no more threads')
  const logged: unknown[] = []
  let asked = 0
  const helpers = new RecoveryHelpers({
    most: 2,
    start() {
      asked++
      throw refusal
    },
    log: (_message, details) => logged.push(details),
  })
  for (const _ of [1, 2]) expect(helpers.recover(signatures, hints)).toBeUndefined()
  expect([asked, logged]).toEqual([1, [refusal]])
})

test('without spare cores no thread is started, and none after closing', () => {
  const none = helpersOf(0)
  expect(none.helpers.recover(signatures, hints)).toBeUndefined()
  const ended = helpersOf(1)
  ended.helpers.close()
  expect(ended.helpers.recover(signatures, hints)).toBeUndefined()
  expect([...none.threads, ...ended.threads]).toEqual([])
})

test('a machine has room for a helper for each core beyond the first, and for two at most', () => {
  expect([1, 2, 3, 16].map(helpersOn)).toEqual([0, 1, 2, 2])
})
