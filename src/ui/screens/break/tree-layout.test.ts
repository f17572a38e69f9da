import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BranchNode, type DrawnBranch, laneAt, layoutTree, pathOf } from './tree-layout.ts'

const SCALE = { x: (tick: number) => 10 + tick * 7, bend: 24 }

/** A trunk, branches of it and branches of those, which leave no earlier than their parents. */
const trees: fc.Arbitrary<readonly BranchNode[]> = fc
  .array(
    fc.record({
      tick: fc.nat({ max: 40 }),
      side: fc.constantFrom('above' as const, 'below' as const),
      parent: fc.nat(),
      later: fc.nat({ max: 12 }),
    }),
    { maxLength: 40 },
  )
  .map((made) => {
    const nodes: BranchNode[] = [{ id: '', parent: undefined, tick: 0, side: 'below' }]
    for (const [i, { tick, side, parent, later }] of made.entries()) {
      const of = nodes[parent % nodes.length] as BranchNode
      const isTrunk = of.parent === undefined
      nodes.push({ id: `${i}`, parent: of.id, tick: isTrunk ? tick : of.tick + later, side: isTrunk ? side : of.side })
    }
    return nodes
  })

const heightAt = (branch: DrawnBranch, x: number) => (x < branch.bendFrom ? undefined : laneAt(branch, x))

test('each history has a lane of its own, and none is left free', () => {
  fc.assert(
    fc.property(trees, (nodes) => {
      const { branches, above, below } = layoutTree(nodes, SCALE)
      const lanes = [...branches.values()].map(({ lane }) => lane).sort((one, other) => one - other)
      expect(lanes).toEqual(Array.from({ length: above + 1 + below }, (_, i) => i - above))
      expect(branches.size).toBe(nodes.length)
    }),
  )
})

test('no branch crosses another, or lies on it beyond the place where both leave', () => {
  fc.assert(
    fc.property(trees, (nodes) => {
      const all = [...layoutTree(nodes, SCALE).branches.values()]
      for (const [i, one] of all.entries()) {
        for (const other of all.slice(i + 1)) {
          let order = 0
          for (let x = SCALE.x(0); x < SCALE.x(60); x += 3) {
            const [a, b] = [heightAt(one, x), heightAt(other, x)]
            if (a === undefined || b === undefined) continue
            const difference = a - b
            // Two meet only where one of them leaves, before they have parted.
            if (order !== 0) expect(Math.sign(difference)).toBe(order)
            if (Math.abs(difference) > 1e-9) order = Math.sign(difference)
            if (x >= one.bendTo && x >= other.bendTo) expect(Math.abs(difference)).toBeGreaterThanOrEqual(1)
          }
        }
      }
    }),
    { numRuns: 50 },
  )
})

test('a branch leaves its parent at its moment, or where the parent’s own bend ends', () => {
  const { branches } = layoutTree(
    [
      { id: '', parent: undefined, tick: 0, side: 'below' },
      { id: 'a', parent: '', tick: 2, side: 'above' },
      { id: 'b', parent: 'a', tick: 3, side: 'above' },
    ],
    SCALE,
  )
  expect(branches.get('a')).toMatchObject({ lane: -1, bendFrom: 24, bendTo: 48, depth: 1 })
  expect(branches.get('b')).toMatchObject({ lane: -2, parentLane: -1, bendFrom: 48, bendTo: 72, depth: 2 })
})

test('the parts of a branch’s line join without gaps', () => {
  const branch: DrawnBranch = { id: 'a', depth: 1, lane: 3, parentLane: 0, bendFrom: 10, bendTo: 34 }
  const ends = (from: number, to: number) => {
    const path = pathOf(branch, from, to, (lane) => lane * 30)
    return { first: path.slice(1).split('L')[0], last: path.split('L').at(-1) }
  }
  expect(ends(10, 20).last).toBe(ends(20, 60).first)
  expect(ends(20, 60).last).toBe('60.0 90.0')
})
