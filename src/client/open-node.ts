import type { NodeOptions } from '#rpc-types/node-options.ts'
import { DEFAULT_CHAIN } from '#transport/chain-name.ts'
import { watchPageLife } from './page-life.ts'
import { type SpawnedNode, spawnNode } from './spawn-node.ts'

/**
 * Spawns the node of this page, which steps aside while the page stands still. The default chain is the one that a person
 * comes back to, so a link alone does not set it up; a link to a chain with another name says so by that name.
 */
export function openNode(options: NodeOptions, chain: string | undefined): SpawnedNode {
  const node = spawnNode(options, chain, undefined, chain === DEFAULT_CHAIN)
  watchPageLife(node)
  return node
}
