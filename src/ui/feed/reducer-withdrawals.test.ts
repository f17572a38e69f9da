import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { head, partial, pooled, run, statusOf } from '#testing/ui/feed.ts'
import { reduceFeed } from './reducer.ts'

test('a partial block that is cut again at its index is not shown twice', () => {
  const { live } = run(partial(1, 0), partial(1, 1, [7]), partial(1, 1, [], { count: 1 }))
  expect(live?.slots.map((slot) => [slot.index, slot.transactions.length])).toEqual([
    [0, 0],
    [1, 1],
  ])
})

test('withdrawn partial blocks disappear, and their transactions wait again', () => {
  const before = run(partial(1, 0), partial(1, 1, [7]), partial(1, 2, [8], { count: 2 }))
  const after = reduceFeed(before, [partial(1, 1, [7], { first: true })])
  expect(after.live?.slots.map((slot) => slot.index)).toEqual([0, 1])
  expect(after.transactions.get(toWord(7))).toMatchObject({ status: 'preconfirmed', partialIndex: 1 })
  expect(after.transactions.get(toWord(8))).toMatchObject({ status: 'mempool', blockNumber: undefined })

  const again = reduceFeed(after, [partial(1, 2, [8], { count: 2 })])
  expect(again.transactions.get(toWord(8))).toMatchObject({ status: 'preconfirmed', partialIndex: 2 })
  expect(again.live?.slots.map((slot) => slot.transactions.length)).toEqual([0, 1, 1])
})

test('a reorg removes sealed blocks, and their transactions wait again', () => {
  const before = run(partial(1, 0), partial(1, 1, [7]), head(1), partial(2, 0), head(2), partial(3, 0))
  expect(statusOf(before, 7)).toBe('sealed')
  const after = reduceFeed(before, [partial(1, 0)])
  expect(after.sealed).toEqual([])
  expect([before.reorgs, after.reorgs]).toEqual([0, 1])
  expect(after.live).toMatchObject({ number: 1, index: 0 })
  expect(statusOf(after, 7)).toBe('mempool')
})

test('a withdrawn partial block is shown until its index is cut again', () => {
  const cut = run(partial(1, 0), partial(1, 1, [7]), partial(1, 2, [8], { count: 2 }))
  expect(cut.live?.withdrawn).toEqual([])
  const dropped = reduceFeed(cut, [partial(1, 1, [7], { first: true, count: 1 })])
  expect(dropped.live?.withdrawn).toEqual([{ index: 2, count: 1 }])
  expect(statusOf(dropped, 8)).toBe('mempool')
  const again = reduceFeed(dropped, [partial(1, 2, [8], { count: 2 })])
  expect(again.live?.withdrawn).toEqual([])
})

test('a transaction put back by a reorg can be replaced like any other', () => {
  const before = run(partial(1, 0, [1]), head(1), pooled(2, 7))
  const state = reduceFeed(before, [pooled(3, 7), partial(1, 0, [], { first: true }), pooled(4, 1), pooled(5, 7)])
  expect([1, 2, 3, 4, 5].map((id) => statusOf(state, id))).toEqual([
    'replaced',
    'replaced',
    'replaced',
    'mempool',
    'mempool',
  ])
})
