import type { ForkHost } from '#node/fork/fork-host.ts'
import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import { readChainRecord } from '#node/persistence/chain-record.ts'
import type { ChainRecord } from '#node/persistence/records.ts'
import type { JournalError } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ForkCommand } from './cli/fork-flags.ts'
import type { StartedFork } from './fork/begin-fork.ts'
import { startFork } from './fork/start-fork.ts'
import { closeInOrder } from './journal/close-in-order.ts'
import { openFileJournal } from './journal/file-journal.ts'
import { HandedJournal } from './journal/handed-journal.ts'

/** How long the end of a server may take, in milliseconds, so that its next start does not take several times as long. */
const TIDY_MS = 5_000

/** A node whose chain is stored in a directory. */
export interface StoredNode {
  readonly node: Node
  /** The chain's record from before this run; `undefined` for a new chain. */
  readonly record: ChainRecord | undefined
  /** How a fork was started. */
  readonly started?: StartedFork
  /**
   * Begins another fork, which may take this chain's place in the directory.
   *
   * @throws {ForkError} If that cannot be forked.
   */
  readonly beginNext: (fork: ForkCommand, forkHost: ForkHost) => Promise<NextFork>
  /** Closes the node, then its files unless another chain has them. */
  readonly close: () => Promise<void>
}

/** A fork that may take the place of a stored chain. Closing it before that leaves the stored chain as it is. */
export interface NextFork extends StartedFork {
  /** Replaces the stored chain. @throws {JournalError} If it cannot be stored; that chain stays. */
  readonly take: () => Promise<void>
}

/** What a new chain begins with, and where a fork fetches. */
export interface StoredNodeOptions {
  /** The clock of a new chain; a stored one continues on that of the node's. */
  readonly clock?: Clock
  /** The endpoint of a fork. A stored fork goes on without one, too. */
  readonly fork?: ForkCommand | undefined
  /** Called once when another process has taken the directory over. Nothing is stored any more. */
  readonly onTakenOver?: ((reason: JournalError) => void) | undefined
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
  given: Omit<NodeDeps, 'journal'>,
  { clock = given.clock, fork, onTakenOver }: StoredNodeOptions = {},
): Promise<StoredNode> {
  const deps = { ...given, tidyMs: TIDY_MS }
  const files = await openFileJournal(directory, {
    onWarning: (message, error) => deps.log('warn', message, error),
    onTakenOver: (reason) => {
      deps.log('error', reason.message)
      onTakenOver?.(reason)
    },
  })
  if (files.cutBytes > 0) {
    deps.log('warn', `a crash cut short the last write to ${directory}; its ${files.cutBytes} bytes are dropped`)
  }
  const handed = new HandedJournal(files)
  const journal = handed.first
  async function beginNext(command: ForkCommand, forkHost: ForkHost): Promise<NextFork> {
    const { beginFork } = await import('./fork/begin-fork.ts')
    const next = handed.next()
    const begun = await beginFork(command, options, { ...deps, forkHost, journal: next.journal }, {})
    return { ...begun, take: next.take, close: () => closeInOrder(begun, next.journal) }
  }
  try {
    const record = await readChainRecord(journal)
    const begun = await startFork(fork, record?.fork, options, { ...deps, journal })
    if (begun) return { node: begun.node, record, started: begun, beginNext, close: () => closeInOrder(begun, journal) }
    // One that is no fork does not become one.
    const { forkHost: _, ...plain } = deps
    const node = await createNode(options, { ...plain, clock: record ? deps.clock : clock, journal })
    return { node, record, beginNext, close: () => closeInOrder(node, journal) }
  } catch (error) {
    await files.close()
    throw error
  }
}
