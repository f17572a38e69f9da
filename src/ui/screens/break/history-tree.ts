import { factsOf, formatFate } from '#fates/fault.ts'
import type { ScenarioHistory } from './scenario/scenario.ts'
import type { TreeNode } from './tree-layout.ts'
import { tickOf } from './words.ts'

/** A history in its tree. */
export interface HistoryNode extends TreeNode {
  readonly history: ScenarioHistory
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
    const last = schedule.at(-1)
    const parent = last && prefixOf(schedule.map((_, i) => formatFate(schedule.slice(0, i))).toReversed(), known)
    const [first] = schedule
    const side = first && factsOf(first.kind).on === 'chain' ? ('above' as const) : ('below' as const)
    return { id: fate, parent, tick: last ? tickOf(last) : 0, side, history }
  })
  return nodes.map((node) => ({ ...node, children: nodes.filter(({ parent }) => parent === node.id).length }))
}

const prefixOf = (prefixes: readonly string[], known: ReadonlySet<string>) =>
  prefixes.find((prefix) => known.has(prefix)) ?? ''

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
