import { JournalError } from '#node/storage/journal.ts'

/** The disk, or this user's share of it, is full. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Turns a file system error into a journal error; bugs and journal errors stay as they are.
 *
 * @param place - The directory, for the message.
 */
export function toJournalError(error: unknown, place: string): unknown {
  if (error instanceof JournalError || !(error instanceof Error)) return error
  if (error instanceof FileEndedError) {
    return new JournalError('corrupt', `The journal in ${place} is cut short: ${error.message}.`, { cause: error })
  }
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) return error
  if (NO_ROOM.has(code)) {
    return new JournalError('quota', `There is no room left for the chain in ${place} (${code}).`, { cause: error })
  }
  return new JournalError('unavailable', `${place} cannot store the chain: ${error.message}.`, { cause: error })
}

/** A file ended earlier than expected. */
export class FileEndedError extends Error {
  override readonly name = 'FileEndedError'
}
