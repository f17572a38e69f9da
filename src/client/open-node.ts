import type { NodeOptions } from '#rpc-types/node-options.ts'
import { watchPageLife } from './page-life.ts'
import { type SpawnedNode, spawnNode } from './spawn-node.ts'

/** Spawns the node of this page, which steps aside while the page stands still. */
export function openNode(options: NodeOptions, chain: string | undefined): SpawnedNode {
  const node = spawnNode(options, chain)
  watchPageLife(node)
  return node
}
