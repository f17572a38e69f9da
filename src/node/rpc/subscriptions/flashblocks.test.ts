import { expect, test } from 'vitest'
import { ByteWriter } from '#primitives/byte-writer.ts'
import { type Address, type Hex, toWord } from '#primitives/hex.ts'
import type { Flashblock } from '#rpc-types/subscriptions.ts'
import { asPartial, testBlock } from '#testing/node/storage/blocks.ts'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { setBalance, setSlot } from '../../state/edit-account.ts'
import { writeStateInPieces } from '../../state/state-record.ts'
import { emptyState } from '../../state/state-snapshot.ts'
import { addressKey } from '../../state/trie-keys.ts'
import { WorldState } from '../../state/world-state.ts'
import { FlashblockSequence, flashblockTexts } from './flashblocks.ts'

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

test('a contract that only moves in the trie has no new balance, also when its leaf was read anew from its bytes', () => {
  const account = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
  const start = new WorldState(emptyState())
  for (let n = 0; n < 200; n++) setBalance(start, account(n), 1n)
  setSlot(start, account(0), toWord(1), Uint8Array.of(1))
  const opening = start.snapshot()
  // A new account that shares more of its path with the contract than any other does.
  let newcomer = 200
  while (addressKey(account(newcomer)).slice(0, 2) !== addressKey(account(0)).slice(0, 2)) newcomer++
  const live = new WorldState(opening)
  setBalance(live, account(newcomer), 5n)
  const state = live.snapshot()
  state.stateRoot()
  for (let written = 0; written < 3; written++) {
    for (const pieces = writeStateInPieces(new ByteWriter(), opening, true); !pieces.next().done; );
  }
  const text = flashblockTexts({ ...partial, opening, state })(new FlashblockSequence())
  const { metadata } = JSON.parse(text) as Flashblock
  expect(metadata.new_account_balances).toEqual({ [account(newcomer)]: '0x5' })
})
