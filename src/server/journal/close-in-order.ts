import type { Node } from '#node/node.ts'

/** Closes a node, then its journal, even if the node cannot write its last changes. */
export async function closeInOrder(node: Pick<Node, 'close'>, journal: { close(): Promise<void> }): Promise<void> {
  try {
    await node.close()
  } finally {
    await journal.close()
  }
}
