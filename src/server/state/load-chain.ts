import { ExecutionTimeoutError } from '#node/evm/calls/pacer.ts'
import { ForkError } from '#node/fork/fork-error.ts'
import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import { ChainFileError } from '#node/persistence/chain-file.ts'
import { type FileJournal, journalOfFile, OPEN_LIMIT_MS } from '#node/persistence/journal-of-file.ts'
import { InvalidOptionError } from '#node/spec/invalid-option-error.ts'
import { JournalError } from '#node/storage/journal.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { closeInOrder } from '#server/journal/close-in-order.ts'
import { StateFileError } from './read-state-file.ts'

/** Longest part of another error's message that is passed on, in characters. */
const LONGEST_REASON = 200

/** A node that goes on with the chain of a file, in memory. */
export interface LoadedChain extends FileJournal {
  readonly node: Node
  /** Of a fork with an endpoint: what it is. */
  readonly note?: string
  /** Ends the node, then its journal. */
  readonly close: () => Promise<void>
}

/**
 * Checks a chain file as an import does, and starts a node with its chain.
 *
 * @param options - Those that the command line asks for; they must be the chain's.
 * @param begin - Starts the node in another way, as one that has the endpoint from which the file's fork fetches more.
 * @throws {StateFileError} If no node can run it, or it has other options.
 */
export async function loadChain(
  file: Uint8Array,
  options: NodeOptions,
  deps: Omit<NodeDeps, 'journal'>,
  begin?: (deps: NodeDeps) => Promise<Pick<LoadedChain, 'close' | 'node' | 'note'>>,
): Promise<LoadedChain> {
  try {
    const { journal, record } = await journalOfFile(file, deps.clock)
    const whole = { ...deps, journal, onChecked: () => {}, openLimitMs: OPEN_LIMIT_MS }
    if (begin) {
      const begun = await begin(whole)
      return { ...begun, record, journal, close: () => closeInOrder(begun, journal) }
    }
    const node = await createNode(options, whole)
    return { node, record, journal, close: () => closeInOrder(node, journal) }
  } catch (error) {
    throw explain(error)
  }
}

function explain(error: unknown): StateFileError {
  if (error instanceof StateFileError) return error
  const isAboutChain =
    error instanceof ChainFileError ||
    error instanceof ForkError ||
    error instanceof JournalError ||
    error instanceof InvalidOptionError
  if (isAboutChain) {
    return new StateFileError(error.message, { cause: error })
  }
  if (error instanceof ExecutionTimeoutError) {
    return new StateFileError('it takes too long to check', { cause: error })
  }
  const reason = error instanceof Error ? error.message.slice(0, LONGEST_REASON) : 'the cause is unknown'
  return new StateFileError(`no node can run this chain: ${reason}`, { cause: error })
}
