import { expect, test } from 'vitest'
import type { Address } from '#primitives/hex.ts'
import { toWord } from '#primitives/hex.ts'
import { EMPTY_FEED, type FeedLiveBlock, type FeedState, type PartialSlot } from '#ui/feed/feed-state.ts'
import { countStep, LoadMeter } from './load-meter.ts'

const [LOAD, OTHER] = ['0x0a', '0x0b'] as const
const SENDERS: ReadonlySet<Address> = new Set([LOAD])

let id = 0
const included = (from: Address, reverted = false) => ({ hash: toWord(++id), from, to: OTHER, value: 0n, reverted })
const slot = (index: number, ...transactions: PartialSlot['transactions']): PartialSlot => ({ index, transactions })

function feed(number: number, slots: readonly PartialSlot[], sealed: readonly PartialSlot[] = []): FeedState {
  return {
    ...EMPTY_FEED,
    live: { number, slots } as unknown as FeedLiveBlock,
    sealed: [{ number: number - 1, slots: sealed }] as unknown as FeedState['sealed'],
  }
}

test('transactions of a partial block are counted once, and only those of the load', () => {
  const first = slot(0, included(LOAD))
  const before = feed(5, [first])
  const second = slot(1, included(LOAD), included(OTHER), included(LOAD, true))
  expect(countStep(before, feed(5, [first, second]), SENDERS)).toEqual({ preconfirmed: 2, reverted: 1, sealed: 0 })
  expect(countStep(before, before, SENDERS)).toEqual({ preconfirmed: 0, reverted: 0, sealed: 0 })
})

test('when a partial block is cut again at its index, only new transactions count', () => {
  const [one, two] = [included(LOAD), included(LOAD)]
  expect(countStep(feed(5, [slot(3, one)]), feed(5, [slot(3, one, two)]), SENDERS).preconfirmed).toBe(1)
})

test('at a seal the block counts as sealed, and the next one begins', () => {
  const grown = [slot(0, included(LOAD), included(OTHER))]
  const before = feed(5, grown)
  const after = feed(6, [slot(0, included(LOAD))], grown)
  expect(countStep(before, after, SENDERS)).toEqual({ preconfirmed: 1, reverted: 0, sealed: 1 })
})

test('a new feed counts nothing as sealed', () => {
  expect(countStep(EMPTY_FEED, feed(5, [], [slot(0, included(LOAD))]), SENDERS).sealed).toBe(0)
})

test('rates cover the last seconds, or the time since the start', () => {
  const meter = new LoadMeter(1_000)
  meter.add(1_200, { sent: 30 })
  expect(meter.ratesAt(1_500).sent).toBe(30)
  expect(meter.ratesAt(4_000).sent).toBe(10)
  meter.add(4_000, { sent: 10, reverted: 4 })
  expect(meter.ratesAt(5_000)).toEqual({ sent: 10, preconfirmed: 0, sealed: 0, reverted: 1 })
  expect(meter.ratesAt(5_500).sent).toBe(2.5)
  expect(meter.ratesAt(60_000).sent).toBe(0)
})
