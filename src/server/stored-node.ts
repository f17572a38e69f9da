import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import { readChainRecord } from '#node/persistence/chain-record.ts'
import type { ChainRecord } from '#node/persistence/records.ts'
import type { Clock } from '#primitives/clock.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ForkCommand } from './cli/fork-flags.ts'
import { closeInOrder } from './journal/close-in-order.ts'
import { openFileJournal } from './journal/file-journal.ts'

/** A node whose chain is stored in a directory. */
export interface StoredNode {
  readonly node: Node
  /** The chain's record from before this run; `undefined` for a new chain. */
  readonly record: ChainRecord | undefined
  /** Of a fork: what it is, and its options. */
  readonly fork?: { readonly note: string; readonly options: NodeOptions }
  /** Closes the node, then its files. */
  readonly close: () => Promise<void>
}

/** What a new chain begins with, and where a fork fetches. */
export interface NewChain {
  /** The clock of a new chain; a stored one continues on that of the node's. */
  readonly clock?: Clock
  /** The endpoint of a fork. A stored fork goes on without one, too. */
  readonly fork?: ForkCommand | undefined
}

/**
 * Opens the chain in a directory, or creates one there.
 *
 * @throws {InvalidOptionError} If an option is invalid, or differs from the stored chain's.
 * @throws {ForkError} If the endpoint cannot be forked, or the stored chain is no fork of it.
 * @throws {JournalError} If the directory cannot be used.
 */
export async function openStoredNode(
  directory: string,
  options: NodeOptions,
  deps: Omit<NodeDeps, 'journal'>,
  { clock = deps.clock, fork }: NewChain = {},
): Promise<StoredNode> {
  const journal = await openFileJournal(directory, {
    onWarning: (message, error) => deps.log('warn', message, error),
  })
  if (journal.cutBytes > 0) {
    deps.log('warn', `a crash cut short the last write to ${directory}; its ${journal.cutBytes} bytes are dropped`)
  }
  try {
    if (fork) {
      const { beginFork } = await import('./fork/begin-fork.ts')
      const { node, record, note, options: used, close } = await beginFork(fork, options, { ...deps, journal })
      return { node, record, fork: { note, options: used }, close: () => closeInOrder({ close }, journal) }
    }
    const record = await readChainRecord(journal)
    const node = await createNode(options, { ...deps, clock: record ? deps.clock : clock, journal })
    return { node, record, close: () => closeInOrder(node, journal) }
  } catch (error) {
    await journal.close()
    throw error
  }
}
