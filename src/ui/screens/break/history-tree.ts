import { factsOf, formatFate, type Schedule } from '#fates/fault.ts'
import type { ScenarioHistory } from './scenario/scenario.ts'
import type { BranchNode } from './tree-layout.ts'
import { tickOf } from './words.ts'

/** A history in its tree. */
export interface HistoryNode extends BranchNode {
  readonly history: ScenarioHistory
  /** The faults that it has and its parent has not. */
  readonly faults: Schedule
  /** How many histories leave it. */
  readonly children: number
}

/**
 * The tree of histories: one with two faults leaves that with the first of them, if it is there. What changes the chain is
 * above the trunk, what changes only what a dapp is told below.
 */
export function treeOf(histories: readonly ScenarioHistory[]): readonly HistoryNode[] {
  const known = new Set(histories.map(({ fate }) => fate))
  const nodes = histories.map((history) => {
    const { fate, schedule } = history
    const [first] = schedule
    const shared = schedule.findLastIndex((_, i) => known.has(formatFate(schedule.slice(0, i))))
    const faults = schedule.slice(Math.max(0, shared))
    const parent = first && formatFate(schedule.slice(0, Math.max(0, shared)))
    const side = first && factsOf(first.kind).on === 'chain' ? ('above' as const) : ('below' as const)
    return { id: fate, parent, tick: faults[0] ? tickOf(faults[0]) : 0, side, history, faults }
  })
  return nodes.map((node) => ({ ...node, children: nodes.filter(({ parent }) => parent === node.id).length }))
}

/**
 * What of a tree is drawn: the trunk, what leaves it, and what leaves one of those, the open one.
 *
 * @param chosen - The fate that is looked at: it is always drawn.
 */
export function openTree(nodes: readonly HistoryNode[], chosen: string): readonly HistoryNode[] {
  const parentOf = (id: string) => nodes.find((node) => node.id === id)?.parent
  const open = new Set<string | undefined>([undefined, ''])
  for (let id: string | undefined = chosen; id !== undefined; id = parentOf(id)) open.add(id)
  return nodes.filter(({ parent }) => open.has(parent))
}
