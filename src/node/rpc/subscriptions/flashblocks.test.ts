import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import type { Flashblock } from '#rpc-types/subscriptions.ts'
import { asPartial, testBlock } from '#testing/node/storage/blocks.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { FlashblockSequence } from './flashblocks.ts'

const partial = asPartial(testBlock(1))
const cut = (payloadId: Hex, index: number, restarts = index === 0) => ({ ...partial, payloadId, index, restarts })
const ONE = '0x0300000000000001'
const TWO = '0x03000000fffffffe'

test('indices and ids are those of the chain while nothing is withdrawn', () => {
  const sequence = new FlashblockSequence()
  const places = [cut(ONE, 3), cut(ONE, 4), cut(TWO, 0), cut(TWO, 1)].map((each) => sequence.next(each))
  expect(places).toEqual([
    { payloadId: ONE, index: 3 },
    { payloadId: ONE, index: 4 },
    { payloadId: TWO, index: 0 },
    { payloadId: TWO, index: 1 },
  ])
})

test('a block that begins anew has another id each time, and indices without gaps', () => {
  const sequence = new FlashblockSequence()
  const places = [cut(TWO, 0), cut(TWO, 1), cut(TWO, 1, true), cut(TWO, 2), cut(TWO, 0), cut(TWO, 1), cut(ONE, 0)]
  expect(places.map((each) => sequence.next(each))).toEqual([
    { payloadId: TWO, index: 0 },
    { payloadId: TWO, index: 1 },
    { payloadId: '0x03000000ffffffff', index: 0 },
    { payloadId: '0x03000000ffffffff', index: 1 },
    { payloadId: '0x03000000fffffffc', index: 0 },
    { payloadId: '0x03000000fffffffc', index: 1 },
    { payloadId: ONE, index: 0 },
  ])
})

test('a cut that an edit of the state repeats is the next index', () => {
  const sequence = new FlashblockSequence()
  const places = [cut(ONE, 0), cut(ONE, 1), cut(ONE, 1), cut(ONE, 2)].map((each) => sequence.next(each).index)
  expect(places).toEqual([0, 1, 2, 3])
})

test('newPartialBlocks with "flashblock" brings the form of the stream, as the contract says', async () => {
  const { request, clock, notifications } = await createTestNode()
  await request('eth_subscribe', ['newPartialBlocks', 'flashblock'])
  await clock.advance(2_000)
  const raw = await signTransfer(0, 0)
  await request('eth_sendRawTransaction', [raw])
  await clock.advance(200)
  const messages = notifications.map(({ result }) => result as Flashblock)
  expect(messages.at(-1)).toMatchObject({ index: 1, diff: { transactions: [raw] }, metadata: { block_number: 2 } })
  expect(messages.at(-1)).not.toHaveProperty('base')
  expect(messages.at(-2)).toMatchObject({ index: 0, base: { block_number: '0x2' }, diff: { transactions: [] } })
})
