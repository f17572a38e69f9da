import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import { readChainRecord } from '#node/persistence/chain-record.ts'
import type { ChainRecord } from '#node/persistence/records.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { openFileJournal } from './journal/file-journal.ts'

/** A node whose chain is stored in a directory. */
export interface StoredNode {
  readonly node: Node
  /** The chain's record from before this run; `undefined` for a new chain. */
  readonly record: ChainRecord | undefined
  /** Closes the node, then its files. */
  readonly close: () => Promise<void>
}

/**
 * Opens the chain in a directory, or creates one there.
 *
 * @param newClock - The clock of a new chain; a stored one continues on that of `deps`.
 * @throws {InvalidOptionError} If an option is invalid, or differs from the stored chain's.
 * @throws {JournalError} If the directory cannot be used.
 */
export async function openStoredNode(
  directory: string,
  options: NodeOptions,
  deps: Omit<NodeDeps, 'journal'>,
  newClock = deps.clock,
): Promise<StoredNode> {
  const journal = await openFileJournal(directory, {
    onWarning: (message, error) => deps.log('warn', message, error),
  })
  if (journal.cutBytes > 0) {
    deps.log('warn', `a crash cut short the last write to ${directory}; its ${journal.cutBytes} bytes are dropped`)
  }
  try {
    const record = await readChainRecord(journal)
    const node = await createNode(options, { ...deps, clock: record ? deps.clock : newClock, journal })
    return { node, record, close: () => closeInOrder(node, journal) }
  } catch (error) {
    await journal.close()
    throw error
  }
}

/** Closes a node, then its journal, even if the node cannot write its last changes. */
export async function closeInOrder(node: Node, journal: { close(): Promise<void> }): Promise<void> {
  try {
    await node.close()
  } finally {
    await journal.close()
  }
}
