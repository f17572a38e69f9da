import { ByteReaderError } from '#primitives/byte-reader.ts'
import type { Clock } from '#primitives/clock.ts'
import type { Address } from '#primitives/hex.ts'
import { type Journal, JournalError } from '../storage/journal.ts'
import { createPacer } from '../turns/pacer.ts'
import { AnswerError } from './answers.ts'
import { Fork, type ForkOptions, type ForkRecord } from './fork.ts'
import { ForkError } from './fork-error.ts'
import type { Origin } from './origin.ts'
import { ProofError } from './reveal.ts'
import { RunningFork } from './running-fork.ts'
import type { Remote } from './state-source.ts'

/** A fork that was opened, for a node to run. */
export interface OpenedFork extends Origin {
  readonly fork: Fork
}

/**
 * Opens a fork of another chain; parameters as in {@link Fork.open}.
 *
 * @throws {ForkError}
 */
export async function openFork(options: ForkOptions, first: readonly Address[]): Promise<OpenedFork> {
  return openedFork(await Fork.open(options, first))
}

/**
 * Opens a fork that an earlier run has kept in a journal, without asking anything. What it has kept is checked as the
 * endpoint's answers are.
 *
 * @param record - What the chain's record says of it.
 * @param remote - From which more is fetched; without it what was not fetched is refused.
 * @param limitMs - Milliseconds that this may take; no limit by default.
 * @throws {JournalError} `corrupt`, if no fork can have kept that.
 * @throws {ExecutionTimeoutError}
 */
export async function reopenFork(
  journal: Pick<Journal, 'readAll'>,
  record: ForkRecord,
  {
    clock,
    remote,
    limitMs,
  }: { readonly clock: Clock; readonly remote?: Remote | undefined; readonly limitMs?: number | undefined },
): Promise<OpenedFork> {
  const entries = await journal.readAll('states')
  try {
    return openedFork(await Fork.reopen(record, entries, { remote, clock }, createPacer(clock, limitMs)))
  } catch (error) {
    const isAboutRecords =
      error instanceof AnswerError ||
      error instanceof ProofError ||
      error instanceof ByteReaderError ||
      error instanceof SyntaxError
    if (!isAboutRecords) throw error
    const problem = `what it keeps of the chain at ${record.endpoint} is refused: ${error.message}`
    throw new JournalError('corrupt', `the stored chain is inconsistent: ${problem}`, { cause: error })
  }
}

/** Bytes above which a fork is not continued: what it may fetch in all is limited. */
const MAX_CONTINUED_BYTES = 32 << 20

/**
 * Opens a fork with what an earlier one has fetched, if the endpoint still has its block.
 *
 * @param remote - The endpoint of the earlier one.
 * @returns `undefined` if it has not, or so much was fetched that this one should begin anew.
 */
export async function continueFork(earlier: Fork, remote: Remote, clock: Clock): Promise<OpenedFork | undefined> {
  if (earlier.keptBytes > MAX_CONTINUED_BYTES) return undefined
  try {
    await earlier.checkBlock(remote)
  } catch (error) {
    // Whoever begins anew is told what is wrong with it.
    if (error instanceof ForkError) return undefined
    throw error
  }
  const deps = { remote, clock, isChecked: true }
  return openedFork(await Fork.reopen(earlier.record, earlier.entries(), deps, createPacer(clock)))
}

/** A fork for a node to run. */
export function openedFork(fork: Fork): OpenedFork {
  const blockHash = (number: number) => fork.blockHash(number)
  return { fork, block: fork.block, blockHash, run: (deps) => new RunningFork(fork, deps) }
}
