import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatPlace, type ItemPlace, isBefore, type ListPlace, parsePlace } from './list-place.ts'
import { emptyList, isSearching, type ListState, MAX_CALLS, type Page, reduceList } from './list-state.ts'

const placeOf = (item: ItemPlace) => item
const reduce = (state: ListState<ItemPlace>, action: Parameters<typeof reduceList<ItemPlace>>[1]) =>
  reduceList(state, action, placeOf)

/** A chain: number of items in each block, the last of which is live. */
type Chain = readonly number[]

const itemsOf = (chain: Chain): readonly ItemPlace[] =>
  chain.flatMap((count, block) => Array.from({ length: count }, (_, index) => ({ block, index }))).toReversed()

/** A page as the node gives it. */
function pageOf(chain: Chain, before: ListPlace | undefined, size: number): Page<ItemPlace> {
  const all = itemsOf(chain).filter((item) => before === undefined || isBefore(item, before))
  const items = all.slice(0, size)
  const last = items.at(-1)
  if (!last || items.length === all.length) return { items, next: null }
  return { items, next: last.index > 0 ? last : { block: last.block - 1, index: undefined } }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('grow' as const), by: fc.integer({ min: 1, max: 5 }) }),
  fc.constant({ kind: 'seal' as const }),
  fc.constant({ kind: 'withdraw' as const }),
  fc.constant({ kind: 'look' as const }),
  fc.constant({ kind: 'older' as const }),
)

test('a list that follows a growing chain never lacks, repeats or invents an item', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), (steps, size) => {
      let chain: number[] = [0]
      let state = emptyList<ItemPlace>(0)
      for (const each of steps) {
        if (each.kind === 'grow') chain[chain.length - 1] = (chain.at(-1) ?? 0) + each.by
        else if (each.kind === 'seal') chain = [...chain, 0]
        else if (each.kind === 'withdraw') chain[chain.length - 1] = 0
        else if (each.kind === 'older') {
          if (state.next === null) continue
          const page = pageOf(chain, state.next, size)
          // What stands before the live block's place may have been withdrawn: the newest page comes first.
          state = reduce(state, { kind: 'older', page })
        } else {
          state = reduce(state, { kind: 'newest', page: pageOf(chain, undefined, size), head: chain.length - 1 })
        }
        if (each.kind !== 'look') continue
        const { next } = state
        const expected = itemsOf(chain).filter((item) => !next || !isBefore(item, next))
        expect(state.items).toEqual(expected)
      }
    }),
    { numRuns: 500 },
  )
})

test('items that came while a person looked at older ones are counted', () => {
  const chain = [3, 2]
  let state = reduce(emptyList<ItemPlace>(1), { kind: 'older', page: pageOf(chain, undefined, 4) })
  const shown = state.items
  state = reduce(state, { kind: 'news', page: pageOf([3, 4, 1], undefined, 5) })
  expect(state.news).toEqual({ count: 3, isMore: false })
  expect(state.items).toBe(shown)
  state = reduce(state, { kind: 'news', page: pageOf([3, 4, 9], undefined, 5) })
  expect(state.news).toEqual({ count: 5, isMore: true })
})

test('a search that finds nothing pauses after some calls, and goes on when asked', () => {
  let state = emptyList<ItemPlace>(1_000)
  for (let i = 0; i < MAX_CALLS; i++) {
    expect(isSearching(state)).toBe(true)
    state = reduce(state, { kind: 'older', page: { items: [], next: { block: 999 - i, index: undefined } } })
  }
  expect(isSearching(state)).toBe(false)
  state = reduce(state, { kind: 'want more' })
  expect([isSearching(state), state.wanted]).toEqual([true, 100])
  state = reduce(state, { kind: 'failed', error: new Error('gone') })
  expect(isSearching(state)).toBe(false)
  state = reduce(state, { kind: 'older', page: { items: [], next: null } })
  expect(isSearching(state)).toBe(false)
})

test('a place in the address is read as it was written, and nothing else is one', () => {
  for (const place of [
    { block: 45, index: 3 },
    { block: 0, index: undefined },
  ]) {
    expect(parsePlace(formatPlace(place))).toEqual(place)
  }
  for (const text of [null, '', '45.', '.3', '1.2.3', '-1', '1e3', '9'.repeat(16)])
    expect(parsePlace(text)).toBeUndefined()
})
