import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Listed, NOWHERE, UnorderedList } from './unordered-list.ts'

test('it has the items that a set has, whatever comes and goes', () => {
  const steps = fc.array(fc.record({ adds: fc.boolean(), which: fc.nat({ max: 5 }) }))
  fc.assert(
    fc.property(steps, (taken) => {
      const items = Array.from({ length: 6 }, (): Listed => ({ place: NOWHERE }))
      const list = new UnorderedList<Listed>()
      const set = new Set<Listed>()
      for (const { adds, which } of taken) {
        const item = items[which] as Listed
        if (!adds) list.delete(item)
        else if (!set.has(item)) list.add(item)
        if (adds) set.add(item)
        else set.delete(item)
        expect(list.size).toBe(set.size)
        expect(new Set(list.all())).toEqual(set)
      }
    }),
  )
})

test('an item of another list stays there', () => {
  const [one, other] = [new UnorderedList<Listed>(), new UnorderedList<Listed>()]
  const [first, second] = [{ place: NOWHERE }, { place: NOWHERE }]
  one.add(first)
  other.add(second)
  one.delete(second)
  expect(one.all()).toEqual([first])
  expect(other.all()[0]).toBe(second)
})
