import { expect, test } from 'vitest'
import { Emitter } from '#primitives/emitter.ts'
import { toWord } from '#primitives/hex.ts'
import { asPartial, testBlock } from '#testing/node/storage/blocks.ts'
import { testTransaction } from '#testing/node/txpool/transaction.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import type { Log } from '../../payload/block.ts'
import type { ChainEvents } from '../../sequencer/events.ts'
import {
  FILTER_LIFETIME_MS,
  FilterStore,
  MAX_CHANGES,
  MAX_CRITERIA,
  MAX_FILTERS,
  MAX_POLL_CHARACTERS,
} from './filter-store.ts'

const log = (topic: number): Log => ({
  address: `0x${'ab'.repeat(20)}`,
  topics: [toWord(topic)],
  data: new Uint8Array(),
})
const CLIENT = {}
const EVERYTHING = { addresses: [], topics: [], blockHash: undefined, fromBlock: undefined, toBlock: undefined }

function createStore() {
  const events = new Emitter<ChainEvents>()
  const clock = new FakeClock()
  return { store: new FilterStore({ events, clock }), events, clock }
}

test('a filter that nobody polls for five minutes is gone; a poll keeps it', () => {
  const { store, clock } = createStore()
  const [kept, forgotten] = [store.addBlocks(CLIENT), store.addBlocks(CLIENT)]
  clock.jump(FILTER_LIFETIME_MS - 1)
  expect(store.poll(kept)).toEqual([])
  clock.jump(1)
  expect(() => store.poll(forgotten)).toThrow('filter not found')
  expect(store.remove(forgotten)).toBe(false)
  clock.jump(FILTER_LIFETIME_MS - 2)
  expect(store.poll(kept)).toEqual([])
})

test('filters that have expired make room for others', () => {
  const { store, clock } = createStore()
  const others = Array.from({ length: MAX_FILTERS }, () => store.addBlocks(CLIENT))
  clock.jump(FILTER_LIFETIME_MS)
  const id = store.addBlocks(CLIENT)
  expect(store.poll(id)).toEqual([])
  expect(() => store.poll(others.at(-1) ?? '')).toThrow('filter not found')
})

test('a client that uses all filters loses its own, the one polled longest ago first, and nobody else does', () => {
  const { store } = createStore()
  const polite = store.addBlocks(CLIENT)
  const greedy = {}
  const taken = Array.from({ length: MAX_FILTERS + 5 }, () => store.addBlocks(greedy))
  expect(store.poll(polite)).toEqual([])
  // One filter belongs to the other client.
  for (const id of taken.slice(0, 6)) expect(() => store.poll(id)).toThrow('filter not found')
  expect(store.poll(taken[6] ?? '')).toEqual([])
  // The filter that was just polled is not the next one to go.
  store.addBlocks(greedy)
  expect(store.poll(taken[6] ?? '')).toEqual([])
  expect(() => store.poll(taken[7] ?? '')).toThrow('filter not found')
})

test('addresses and topics of all filters share a limit', () => {
  const { store } = createStore()
  const addresses = Array.from({ length: MAX_CRITERIA / 10 }, () => log(1).address)
  const ids = Array.from({ length: 11 }, () => store.addLogs({ ...EVERYTHING, addresses }, CLIENT))
  expect(() => store.poll(ids[0] ?? '')).toThrow('filter not found')
  expect(store.poll(ids[1] ?? '')).toEqual([])
})

test('a poll returns as many logs as fit, and the next poll the rest', () => {
  const { store, events } = createStore()
  const id = store.addLogs(EVERYTHING, CLIENT)
  const large = { ...log(1), data: new Uint8Array(MAX_POLL_CHARACTERS / 8) }
  events.emit('seal', { block: testBlock(1, [[large, large, large, large, large]]) })
  expect(store.poll(id)).toHaveLength(3)
  expect(store.poll(id)).toHaveLength(2)
})

test('logs of withdrawn blocks are sent again as removed, the last one first', () => {
  const { store, events } = createStore()
  const [sealed, live] = [
    store.addLogs(EVERYTHING, CLIENT),
    store.addLogs({ ...EVERYTHING, toBlock: 'pending' }, CLIENT),
  ]
  const early = store.addLogs({ ...EVERYTHING, fromBlock: 0, toBlock: 1 }, CLIENT)
  const one = testBlock(1, [[log(1), log(2)]])
  const two = testBlock(2, [[log(3)], [log(4)]])
  for (const block of [one, two]) {
    events.emit('partial', { partial: asPartial(block) })
    events.emit('seal', { block })
  }
  const seen = (id: string) =>
    store
      .poll(id)
      .map((change) => (typeof change === 'object' && 'topics' in change ? [change.topics[0], change.removed] : []))
  for (const id of [sealed, live]) expect(seen(id)).toEqual([1, 2, 3, 4].map((n) => [toWord(n), false]))
  expect(seen(early)).toEqual([1, 2].map((n) => [toWord(n), false]))

  events.emit('reorg', { removed: [two, one], head: testBlock(0) })
  for (const id of [sealed, live]) expect(seen(id)).toEqual([4, 3, 2, 1].map((n) => [toWord(n), true]))
  expect(seen(early)).toEqual([2, 1].map((n) => [toWord(n), true]))
})

test('only new transactions of a partial block count as changes', () => {
  const { store, events } = createStore()
  const id = store.addLogs({ ...EVERYTHING, toBlock: 'pending' }, CLIENT)
  const partial = asPartial(testBlock(1, [[log(1)], [log(2)]]))
  events.emit('partial', { partial: { ...partial, firstNew: 1 } })
  expect(store.poll(id)).toMatchObject([{ topics: [toWord(2)], blockHash: toWord(0) }])
  events.emit('partial', { partial: { ...partial, restarts: true, firstNew: 2 } })
  expect(store.poll(id)).toEqual([])
})

test('a filter with too many changes ends, and its next poll says why', () => {
  const { store, events } = createStore()
  const [slow, quick] = [store.addTransactions(false, CLIENT), store.addTransactions(false, CLIENT)]
  for (let i = 0; i < MAX_CHANGES; i++) events.emit('accepted', { tx: testTransaction(), replaced: undefined })
  expect(store.poll(quick)).toHaveLength(MAX_CHANGES)
  for (let i = 0; i < 2; i++) events.emit('accepted', { tx: testTransaction(), replaced: undefined })
  expect(store.poll(quick)).toHaveLength(2)
  expect(() => store.poll(slow)).toThrow('filter not found: over 10000 changes came between two polls')
  expect(() => store.poll(slow)).toThrow(/^filter not found$/)
})
