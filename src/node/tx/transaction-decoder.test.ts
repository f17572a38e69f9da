import { serializeTransaction } from 'viem'
import { expect, test, vi } from 'vitest'
import { hexToBytes } from '#primitives/hex.ts'
import { FakeThread } from '#testing/node/crypto/fake-thread.ts'
import { FEES, OTHER, sign } from '#testing/node/tx/signed-samples.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { MAX_GROUPS, RecoveryHelpers } from '../crypto/recovery-helpers.ts'
import { decodeTransaction } from './decode.ts'
import { MAX_AT_ONCE, MAX_FOR_HELPER, TransactionDecoder } from './transaction-decoder.ts'

const TRANSFER = { type: 'eip1559', chainId: 31_337, gas: 21_000n, to: OTHER, value: 1n, ...FEES } as const
/** No point on the curve has x = 5. */
const OF_NOBODY = hexToBytes(serializeTransaction(TRANSFER, { r: '0x05', s: '0x02', yParity: 0 }))

const SIGNED = await Promise.all(
  Array.from({ length: 2 * MAX_AT_ONCE + 1 }, (_, nonce) => sign({ ...TRANSFER, nonce })),
)
/** More than helpers have room for; some are the same. */
const MANY = Array.from(
  { length: MAX_GROUPS * MAX_FOR_HELPER + MAX_AT_ONCE },
  (_, i) => SIGNED[i % SIGNED.length] as Uint8Array<ArrayBuffer>,
)

test('transactions come out in order of arrival, each as if decoded alone', async () => {
  const raws = SIGNED
  const decoder = new TransactionDecoder(new FakeClock())
  const order: bigint[] = []
  const decoding = raws.map(async (raw) => {
    const tx = await decoder.decode(raw)
    order.push(tx.nonce)
    return tx
  })
  expect(await Promise.all(decoding)).toEqual(raws.map(decodeTransaction))
  expect(order).toEqual(raws.map((_, nonce) => BigInt(nonce)))
})

test('an invalid signature is refused, and the transactions beside it are not', async () => {
  const raw = await sign(TRANSFER)
  const decoder = new TransactionDecoder(new FakeClock())
  const [before, refused, after] = [decoder.decode(raw), decoder.decode(OF_NOBODY), decoder.decode(raw)]
  await expect(refused).rejects.toMatchObject({ code: 'invalid-signature' })
  expect(await Promise.all([before, after])).toEqual([decodeTransaction(raw), decodeTransaction(raw)])
})

test('invalid bytes are refused at once', () => {
  const decoder = new TransactionDecoder(new FakeClock())
  expect(() => decoder.decode(Uint8Array.of(2))).toThrow('typed transaction too short')
  expect(decoder.settled()).toBeUndefined()
})

test('it resolves when all transactions so far are decoded or refused', async () => {
  const decoder = new TransactionDecoder(new FakeClock())
  const ends: string[] = []
  const end = (what: string) => () => void ends.push(what)
  decoder.decode(await sign(TRANSFER)).then(end('decoded'), end('failed'))
  decoder.decode(OF_NOBODY).then(end('decoded'), end('refused'))
  await decoder.settled()
  expect(ends).toEqual(['decoded', 'refused'])
  expect(decoder.settled()).toBeUndefined()
})

/** A decoder with one helper, which is ready. */
function withHelper() {
  let thread: FakeThread | undefined
  const helpers = new RecoveryHelpers({
    most: 1,
    start(events) {
      thread = new FakeThread(events)
      return thread
    },
    log: () => {},
  })
  void helpers.recover([], [])
  if (!thread) throw new Error('no thread was started')
  thread.start()
  return { decoder: new TransactionDecoder(new FakeClock(), helpers), thread }
}

test('results of a helper come out in order, even if later transactions were recovered first', async () => {
  const raws = MANY.with(10, OF_NOBODY)
  const { decoder, thread } = withHelper()
  const order: number[] = []
  const decoding = raws.map((raw, i) => decoder.decode(raw).finally(() => order.push(i)))
  const ends = Promise.allSettled(decoding)
  // Senders for which a helper has no room are recovered here meanwhile.
  await vi.waitFor(() => expect(thread.asked).toBe(MAX_GROUPS))
  expect(order).toEqual([])
  const all = decoder.settled()
  await vi.waitFor(() => {
    while (thread.asked > 0) thread.answer()
    expect(order).toHaveLength(raws.length)
  })
  await all
  expect(await ends).toMatchObject(
    raws.map((raw, i) =>
      i === 10 ? { reason: { code: 'invalid-signature' } } : { value: { hash: decodeTransaction(raw).hash } },
    ),
  )
  expect(order).toEqual([...raws.keys()])
  expect(decoder.settled()).toBeUndefined()
})

test('this thread takes over the work of a failed helper', async () => {
  const raws = MANY
  const { decoder, thread } = withHelper()
  const decoding = raws.map((raw) => decoder.decode(raw))
  await vi.waitFor(() => expect(thread.asked).toBe(MAX_GROUPS))
  thread.fail('out of memory')
  expect(await Promise.all(decoding)).toEqual(raws.map(decodeTransaction))
})

test('a helper is not used for a few transactions', async () => {
  const raws = MANY.slice(0, 7)
  const { decoder, thread } = withHelper()
  expect(await Promise.all(raws.map((raw) => decoder.decode(raw)))).toEqual(raws.map(decodeTransaction))
  expect(thread.asked).toBe(0)
})
