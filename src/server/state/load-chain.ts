import { ForkError } from '#node/fork/fork-error.ts'
import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import { ChainFileError } from '#node/persistence/chain-file.ts'
import { copyOfJournal, type JournalOfFile, journalOfFile, OPEN_LIMIT_MS } from '#node/persistence/journal-of-file.ts'
import type { ChainRecord } from '#node/persistence/records.ts'
import { InvalidOptionError } from '#node/spec/invalid-option-error.ts'
import { JournalError } from '#node/storage/journal.ts'
import { ExecutionTimeoutError } from '#node/turns/pacer.ts'
import type { Clock } from '#primitives/clock.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { closeInOrder } from '#server/journal/close-in-order.ts'
import { StateFileError } from './read-state-file.ts'

/** Longest part of another error's message that is passed on, in characters. */
const LONGEST_REASON = 200

/** A node that goes on with the chain of a file, in memory. */
export interface LoadedChain<Started = unknown> extends JournalOfFile {
  readonly node: Node
  /** How a fork was started. */
  readonly started?: Started
  /** Ends the node, then its journal. */
  readonly close: () => Promise<void>
}

/** A chain file that was read for several nodes. */
export interface ChainOfFile {
  readonly kind: 'read'
  readonly chain: JournalOfFile
  /** Whether a node that began with it has checked its states: the next one has no need to. */
  isChecked: boolean
}

/**
 * Reads a chain file for several nodes.
 *
 * @throws {StateFileError} If it is damaged or holds no chain.
 */
export async function readOnce(file: Uint8Array, clock: Clock): Promise<ChainOfFile> {
  try {
    return { kind: 'read', chain: await journalOfFile(file, clock), isChecked: false }
  } catch (error) {
    throw explain(error)
  }
}

/**
 * Checks a chain file as an import does, and starts a node with its chain.
 *
 * @param file - Its bytes, or what was read of them before.
 * @param options - Those that the command line asks for; they must be the chain's.
 * @param startFork - Starts the node if the chain is a fork.
 * @throws {StateFileError} If no node can run it, or it has other options.
 */
export async function loadChain<Started extends Pick<LoadedChain, 'close' | 'node'>>(
  file: Uint8Array | ChainOfFile,
  options: NodeOptions,
  deps: Omit<NodeDeps, 'journal'>,
  startFork?: (record: ChainRecord, deps: NodeDeps) => Promise<Started | undefined>,
): Promise<LoadedChain<Started>> {
  try {
    const before = 'kind' in file ? file : undefined
    const { journal, record } = before
      ? copyOfJournal(before.chain)
      : await journalOfFile(file as Uint8Array, deps.clock)
    const check = before?.isChecked ? {} : { onChecked: () => {} }
    const whole = { ...deps, journal, ...check, openLimitMs: OPEN_LIMIT_MS }
    const started = await startFork?.(record, whole)
    const node = started?.node ?? (await createNode(options, whole))
    if (before) before.isChecked = true
    const close = () => closeInOrder(started ?? node, journal)
    return { node, ...(started && { started }), record, journal, close }
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
