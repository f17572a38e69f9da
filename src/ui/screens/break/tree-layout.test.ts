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

/** Where two branches cross, or lie on each other beyond the place where both leave. */
function meetings(one: DrawnBranch, other: DrawnBranch): readonly number[] {
  const found: number[] = []
  let order = 0
  for (let x = SCALE.x(0); x < SCALE.x(60); x += 3) {
    const [a, b] = [heightAt(one, x), heightAt(other, x)]
    if (a === undefined || b === undefined) continue
    const difference = a - b
    const hasParted = order !== 0 || (x >= one.bendTo && x >= other.bendTo)
    if (hasParted && (Math.abs(difference) < 1e-9 || (order !== 0 && Math.sign(difference) !== order))) found.push(x)
    if (Math.abs(difference) > 1e-9) order = Math.sign(difference)
  }
  return found
}

test('no branch crosses another, or lies on it beyond the place where both leave', () => {
  fc.assert(
    fc.property(trees, (nodes) => {
      const all = [...layoutTree(nodes, SCALE).branches.values()]
      const found = all.flatMap((one, i) => all.slice(i + 1).flatMap((other) => meetings(one, other)))
      expect(found).toEqual([])
    }),
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
