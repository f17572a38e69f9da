import { expect, test } from 'vitest'
import { parseFate } from '#fates/fault.ts'
import { openTree, treeOf } from './history-tree.ts'
import type { ScenarioHistory } from './scenario/scenario.ts'

/** A tree of fates; what became of them does not matter to it. */
const tree = (...fates: readonly string[]) =>
  treeOf(fates.map((fate) => ({ fate, schedule: parseFate(fate) }) as ScenarioHistory))

test('what changes the chain is above the trunk, what changes only what is told below', () => {
  const sides = tree('', 'withdraw@1', 'late-answer@send1', 'silent-stream@0').map(({ id, side }) => [id, side])
  expect(sides.slice(1)).toEqual([
    ['withdraw@1', 'above'],
    ['late-answer@send1', 'below'],
    ['silent-stream@0', 'below'],
  ])
})

test('a history of two faults leaves that of its first, or the trunk if that is no history of its own', () => {
  const nodes = tree('', 'withdraw@1', 'withdraw@1,lose@3', 'reorg@11,lost-event@12')
  expect(nodes.map(({ parent, tick, children }) => ({ parent, tick, children }))).toEqual([
    { parent: undefined, tick: 0, children: 2 },
    { parent: '', tick: 1, children: 1 },
    { parent: 'withdraw@1', tick: 3, children: 0 },
    { parent: '', tick: 11, children: 0 },
  ])
  expect(nodes.at(-1)?.faults).toHaveLength(2)
})

test('only the branch that is looked at shows what leaves it', () => {
  const nodes = tree('', 'withdraw@1', 'withdraw@1,lose@3', 'reorg@11', 'reorg@11,lose@12')
  const drawn = (chosen: string) => openTree(nodes, chosen).map(({ id }) => id)
  expect(drawn('')).toEqual(['', 'withdraw@1', 'reorg@11'])
  expect(drawn('withdraw@1')).toEqual(['', 'withdraw@1', 'withdraw@1,lose@3', 'reorg@11'])
  expect(drawn('reorg@11,lose@12')).toEqual(['', 'withdraw@1', 'reorg@11', 'reorg@11,lose@12'])
})
