import type { Clock } from '#primitives/clock.ts'
import { MemoryJournal } from '../storage/memory-journal.ts'
import { createPacer } from '../turns/pacer.ts'
import { ChainFileError } from './chain-file.ts'
import { readChainRecord } from './chain-record.ts'
import { decodeChainFile } from './decode-chain-file.ts'
import type { ChainRecord } from './records.ts'

/** Milliseconds for the checks of a file's blocks and senders, as for an import. */
const CHECK_LIMIT_MS = 300_000
/** Milliseconds for each part of what is executed again when a node opens the chain, as for an import. */
export const OPEN_LIMIT_MS = 20_000

/** The chain of a file, in memory. */
export interface JournalOfFile {
  readonly journal: MemoryJournal
  readonly record: ChainRecord
}

/**
 * Reads and checks a chain file.
 *
 * @throws {ChainFileError} If it is damaged or holds no chain.
 * @throws {JournalError} `newer` or `corrupt`.
 * @throws {ExecutionTimeoutError} If it takes too long to check.
 */
export async function journalOfFile(file: Uint8Array, clock: Clock): Promise<JournalOfFile> {
  const entries = await decodeChainFile(file, createPacer(clock, CHECK_LIMIT_MS), () => {})
  const journal = Object.assign(new MemoryJournal(), { isVolatile: true })
  await journal.write(entries.map((entry) => ({ kind: 'put', ...entry })))
  const record = await readChainRecord(journal)
  if (!record) throw new ChainFileError('it holds no chain')
  return { journal, record }
}

/** A copy for one more node, which may change it. The entries themselves are shared. */
export function copyOfJournal({ journal, record }: JournalOfFile): JournalOfFile {
  return { journal: Object.assign(journal.afterCrash(), { isVolatile: true }), record }
}
