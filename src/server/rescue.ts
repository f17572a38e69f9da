import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { JournalEntry } from '#node/persistence/whole-chain.ts'
import { type MissingBlock, NothingProvenError, rescueChain } from '#node/rescue-chain.ts'
import { JournalError } from '#node/storage/journal.ts'
import type { Clock } from '#primitives/clock.ts'
import { JOURNAL_FILE, openFileJournal } from './journal/file-journal.ts'
import { toJournalError } from './journal/file-journal-errors.ts'
import { readDamaged } from './journal/read-damaged.ts'

/** How many missing blocks are named. */
const MOST_NAMED = 1_000
/** Bytes of entries per write. The record that describes the chain comes last: without it a chain counts as damaged. */
const WRITE_BYTES = 64 * 1024 * 1024

/**
 * Writes what can be proven of the chain in a directory into another one. The first one stays as it is.
 *
 * @returns What was found, what is missing, and where the chain is, for a person.
 * @throws {JournalError} If nothing can be proven, a directory cannot be used, or the other one has anything in it.
 */
export async function rescue(directory: string, into: string, clock: Clock): Promise<string> {
  try {
    await requireEmpty(into)
    const found = await readDamaged(path.join(directory, JOURNAL_FILE))
    const { entries, head, missing, isAsWritten } = await rescueChain(found, clock)
    await write(entries, into)
    const { damagedAt, bytes } = found
    return [
      damagedAt < bytes
        ? `The chain in ${directory} is damaged at byte ${damagedAt} of ${bytes}.`
        : `No write to ${directory} is damaged.`,
      head.number === 0
        ? `Only block 0 (${head.hash}) can be proven.`
        : `Blocks 0 to ${head.number} (${head.hash}) are proven.`,
      isAsWritten
        ? 'The pending block, the mempool and the snapshots are those of the last write before the damage.'
        : 'The pending block and the snapshots are not among it; of the mempool, what is signed is.',
      ...describeMissing(missing),
      `${directory} is unchanged. To continue: blinknet --data ${into}`,
    ].join('\n')
  } catch (error) {
    if (!(error instanceof NothingProvenError)) throw toJournalError(error, directory)
    throw new JournalError('unavailable', `Nothing of ${directory} can be rescued: ${error.message}.`, { cause: error })
  }
}

/** One line for each block that is missing. */
export function describeMissing(missing: readonly MissingBlock[]): string[] {
  if (missing.length === 0) return ['No block is missing.']
  const lines = missing.slice(0, MOST_NAMED).map(({ number, hash, isWhole }) => {
    const name = `  block ${number}${hash === undefined ? '' : ` (${hash})`}`
    return `${name}: ${isWhole ? 'intact, but the chain up to it is not' : 'lost'}`
  })
  const more = missing.length - lines.length
  return ['Missing:', ...lines, ...(more > 0 ? [`  and ${more} more, up to block ${missing.at(-1)?.number}`] : [])]
}

async function write(entries: readonly JournalEntry[], into: string): Promise<void> {
  const journal = await openFileJournal(into, { onWarning: () => {} })
  try {
    const inOrder = [...entries.filter(({ part }) => part !== 'meta'), ...entries.filter(({ part }) => part === 'meta')]
    for (let first = 0; first < inOrder.length; ) {
      let last = first
      for (let bytes = 0; last < inOrder.length && bytes < WRITE_BYTES; last++)
        bytes += inOrder[last]?.value.length ?? 0
      const piece = inOrder.slice(first, last)
      await journal.write(
        piece.map((entry) => ({ kind: 'put', ...entry }) as const),
        'strict',
      )
      first = last
    }
  } finally {
    await journal.close()
  }
}

/** @throws {JournalError} If it has anything in it. */
async function requireEmpty(directory: string): Promise<void> {
  try {
    if ((await readdir(directory)).length === 0) return
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  throw new JournalError('unavailable', `${directory} is not empty: name a new directory for what is rescued.`)
}
