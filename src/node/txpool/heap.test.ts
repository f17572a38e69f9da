import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Heap } from './heap.ts'

interface Item {
  rank: number
}

const byRank = (a: Item, b: Item) => a.rank - b.rank
const ranks = fc.array(fc.nat(20), { maxLength: 60, size: 'max' })

function drain(heap: Heap<Item>): number[] {
  const drained: number[] = []
  for (let item = heap.pop(); item; item = heap.pop()) drained.push(item.rank)
  return drained
}

test('items come out in order, no matter how the heap was filled', () => {
  fc.assert(
    fc.property(ranks, ranks, (first, later) => {
      const heap = new Heap(
        byRank,
        first.map((rank) => ({ rank })),
      )
      for (const rank of later) heap.put({ rank })
      expect(heap.size).toBe(first.length + later.length)
      expect(drain(heap)).toEqual([...first, ...later].sort((a, b) => a - b))
    }),
  )
})

test('a changed item moves when it is put again, and a removed one is gone', () => {
  const change = fc.record({ at: fc.nat(), rank: fc.option(fc.nat(20), { nil: undefined }) })
  fc.assert(
    fc.property(
      fc.array(fc.nat(20), { minLength: 1, maxLength: 60, size: 'max' }),
      fc.array(change, { maxLength: 30, size: 'max' }),
      (initial, changes) => {
        const items = initial.map((rank) => ({ rank }))
        const heap = new Heap(byRank, items)
        const present = new Set(items)
        for (const { at, rank } of changes) {
          const item = items[at % items.length] as Item
          if (rank === undefined) {
            heap.remove(item)
            present.delete(item)
          } else {
            item.rank = rank
            heap.put(item)
            present.add(item)
          }
          expect(heap.peek()?.rank).toBe(
            present.size === 0 ? undefined : Math.min(...[...present].map((one) => one.rank)),
          )
        }
        expect(drain(heap)).toEqual([...present].map(({ rank }) => rank).sort((a, b) => a - b))
      },
    ),
  )
})
