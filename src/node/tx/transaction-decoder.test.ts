import { serializeTransaction } from 'viem'
import { expect, test } from 'vitest'
import { FakeClock } from '#primitives/fake-clock.ts'
import { hexToBytes } from '#primitives/hex.ts'
import { FEES, OTHER, sign } from '../testing/signed-samples.ts'
import { decodeTransaction } from './decode.ts'
import { MOST_AT_ONCE, TransactionDecoder } from './transaction-decoder.ts'

const TRANSFER = { type: 'eip1559', chainId: 31_337, gas: 21_000n, to: OTHER, value: 1n, ...FEES } as const
/** No point of the curve has x = 5. */
const OF_NOBODY = hexToBytes(serializeTransaction(TRANSFER, { r: '0x05', s: '0x01', yParity: 0 }))

test('transactions come out in the order in which they went in, each as if it were decoded alone', async () => {
  const raws = await Promise.all(
    Array.from({ length: 2 * MOST_AT_ONCE + 1 }, (_, nonce) => sign({ ...TRANSFER, nonce })),
  )
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

test('a signature that fits no key is refused, and what came with it is not', async () => {
  const raw = await sign(TRANSFER)
  const decoder = new TransactionDecoder(new FakeClock())
  const [before, refused, after] = [decoder.decode(raw), decoder.decode(OF_NOBODY), decoder.decode(raw)]
  await expect(refused).rejects.toMatchObject({ code: 'invalid-signature' })
  expect(await Promise.all([before, after])).toEqual([decodeTransaction(raw), decodeTransaction(raw)])
})

test('what is no transaction is refused at once', () => {
  const decoder = new TransactionDecoder(new FakeClock())
  expect(() => decoder.decode(Uint8Array.of(2))).toThrow('typed transaction too short')
  expect(decoder.settled()).toBeUndefined()
})

test('it says when all that went in so far has come out, refused or not', async () => {
  const decoder = new TransactionDecoder(new FakeClock())
  const ends: string[] = []
  const end = (what: string) => () => void ends.push(what)
  decoder.decode(await sign(TRANSFER)).then(end('decoded'), end('failed'))
  decoder.decode(OF_NOBODY).then(end('decoded'), end('refused'))
  await decoder.settled()
  expect(ends).toEqual(['decoded', 'refused'])
  expect(decoder.settled()).toBeUndefined()
})
