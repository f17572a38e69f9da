import { ForkError } from '#node/fork/fork-error.ts'
import { createNode, type Node, type NodeDeps } from '#node/node.ts'
import { beginsDefaultChain, OtherOptionsError, readChainRecord } from '#node/persistence/chain-record.ts'
import { InvalidOptionError } from '#node/spec/invalid-option-error.ts'
import { type Journal, JournalError } from '#node/storage/journal.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { ChainDurability } from '#transport/port/chain-role.ts'
import { errorText, type NodeFailure } from '#transport/port/messages.ts'
import type { RunningNode } from './leader-term.ts'

/** Creates the node, which stands still. */
type CreateNode = (options: NodeOptions, deps: NodeDeps) => Promise<Node>

export interface RunOptions
  extends Pick<NodeDeps, 'clock' | 'log' | 'helpers' | 'onTakenOver' | 'onReplaced' | 'memoryBytes'> {
  /** Opens the stored chain. */
  readonly openJournal: () => Promise<Journal>
  /** Whether the chain ran before, in this tab or another, and was stored; then it continues with its own options. */
  readonly wasStored: boolean
  /** The options come from the page's address alone. Then a new stored chain may only begin with the defaults. */
  readonly unasked?: boolean
  /** Replaces the node of a chain that is no fork. */
  readonly create?: CreateNode
}

/** A node could not be started for a reason without a code of its own; `message` has the original error. */
export class StartFailedError extends Error {
  override readonly name = 'StartFailedError'
}

/** Why a node could not be started, if a person can do something about it. */
export function failureOf(error: unknown): NodeFailure | undefined {
  if (error instanceof OtherOptionsError) return 'other-options'
  if (error instanceof InvalidOptionError) return 'invalid-options'
  if (error instanceof StartFailedError) return 'not-started'
  return error instanceof JournalError && error.code !== 'taken-over' ? error.code : undefined
}

const UNASKED = 'the page’s address sets its own options, and an address alone does not change what is stored'

/**
 * Starts a node on its journal, or in memory if the browser has no storage for it.
 *
 * @throws {InvalidOptionError} If an option is invalid, or differs from the stored chain's.
 * @throws {JournalError} If the journal exists but cannot be read, or has no room left.
 * @throws {ForkError} If the chain is a fork whose endpoint cannot be used.
 * @throws {StartFailedError} If the node cannot start for any other reason.
 */
export async function runNode(options: NodeOptions, run: RunOptions): Promise<RunningNode> {
  const { clock, log, helpers, memoryBytes, onTakenOver, onReplaced, wasStored } = run
  const { unasked = false, create = createNode } = run
  const { journal, storage } = await openStorage(run, unasked ? options : {})
  const deps: NodeDeps = {
    clock,
    log,
    ...(helpers && { helpers }),
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(onTakenOver && { onTakenOver }),
    ...(journal && { journal, ...(onReplaced && { onReplaced }) }),
  }
  try {
    // If the chain was erased, the next one gets this tab's options.
    const keepsOptions = wasStored && journal && (await readChainRecord(journal))
    const node = await create(keepsOptions ? {} : options, deps)
    node.start()
    return {
      connect: (push, how) => node.connect(push, how),
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
    if (isExplained(error)) throw error
    throw new StartFailedError(errorText(error), { cause: error })
  }
}

function isExplained(error: unknown): boolean {
  return error instanceof JournalError || error instanceof InvalidOptionError || error instanceof ForkError
}

/**
 * Whether no chain was ever written to the journal. An unreadable journal is not empty: the node reports the problem.
 */
async function isEmpty(journal: Journal): Promise<boolean> {
  try {
    return (await readChainRecord(journal)) === undefined
  } catch (error) {
    if (error instanceof JournalError) return false
    throw error
  }
}

async function openStorage(
  { openJournal, wasStored, log }: RunOptions,
  unasked: NodeOptions,
): Promise<{ readonly journal?: Journal; readonly storage: ChainDurability }> {
  const isDefault = beginsDefaultChain(unasked)
  try {
    const journal = await openJournal()
    const { deleted } = journal
    if (deleted !== undefined) log('warn', `The browser deleted its damaged storage. (${deleted})`)
    if (isDefault || !(await isEmpty(journal))) {
      return { journal, storage: { kind: 'journal', ...(deleted !== undefined && { deleted }) } }
    }
    await journal.close()
    return { storage: { kind: 'memory', reason: UNASKED, unasked: true } }
  } catch (error) {
    // A stored chain must not seem to be lost.
    const isMissing = error instanceof JournalError && error.code === 'unavailable' && !wasStored
    if (!isMissing) throw error
    log('warn', error.message)
    return { storage: { kind: 'memory', reason: withoutDetails(error.message) } }
  }
}

/** An error's sentence as a clause: without the browser's own words in brackets, and without its full stop. */
function withoutDetails(message: string): string {
  return message.replace(/ \(.*/s, '').replace(/\.$/, '')
}
