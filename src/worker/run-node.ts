import { createNode, type NodeDeps } from '#node/node.ts'
import { OtherOptionsError, readChainRecord } from '#node/persistence/chain-record.ts'
import { InvalidOptionError } from '#node/spec/invalid-option-error.ts'
import { type Journal, JournalError } from '#node/storage/journal.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ChainStorage } from '#transport/chain-seat.ts'
import type { NodeFailure } from '#transport/messages.ts'
import type { RunningNode } from './term.ts'

export interface RunOptions extends Pick<NodeDeps, 'clock' | 'log' | 'helpers' | 'onTakenOver' | 'onReplaced'> {
  /** Opens what outlives the worker. */
  readonly openJournal: () => Promise<Journal>
  /** Whether the chain ran before, in another tab: it then goes on with its own options. */
  readonly goesOn: boolean
}

/** Why a node could not be started, where a person can do something about it. */
export function failureOf(error: unknown): NodeFailure | undefined {
  if (error instanceof OtherOptionsError) return 'other-options'
  if (error instanceof InvalidOptionError) return 'invalid-options'
  return error instanceof JournalError && error.code !== 'taken-over' ? error.code : undefined
}

/**
 * Starts a node on its journal, or in memory where the browser has no storage for it.
 *
 * @throws {InvalidOptionError} If an option makes no sense, or is not that of the chain in the journal.
 * @throws {JournalError} If the journal is there and cannot be read, or has no room left.
 */
export async function runNode(options: NodeOptions, run: RunOptions): Promise<RunningNode> {
  const { clock, log, helpers, onTakenOver, onReplaced, openJournal, goesOn } = run
  const { journal, storage } = await openStorage(openJournal, goesOn)
  const deps: NodeDeps = {
    clock,
    log,
    ...(helpers && { helpers }),
    ...(onTakenOver && { onTakenOver }),
    ...(journal && { journal, ...(onReplaced && { onReplaced }) }),
  }
  try {
    // Where the chain was erased, it is this tab's options that the next one has.
    const keepsOptions = goesOn && journal && (await readChainRecord(journal))
    const node = await createNode(keepsOptions ? {} : options, deps)
    node.start()
    return {
      connect: (push) => node.connect(push),
      storage,
      async stop() {
        try {
          await node.close()
        } finally {
          await journal?.close()
        }
      },
    }
  } catch (error) {
    await journal?.close()
    throw error
  }
}

async function openStorage(
  openJournal: () => Promise<Journal>,
  goesOn: boolean,
): Promise<{ readonly journal?: Journal; readonly storage: ChainStorage }> {
  try {
    return { journal: await openJournal(), storage: { kind: 'journal' } }
  } catch (error) {
    // A chain that was there must not seem to be lost.
    const isMissing = error instanceof JournalError && error.code === 'unavailable' && !goesOn
    if (!isMissing) throw error
    return { storage: { kind: 'memory', reason: error.message } }
  }
}
