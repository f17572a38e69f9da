import { JournalError, type JournalFailure } from '#node/storage/journal.ts'

/** What the browser's errors mean for a journal. All others mean that storage is currently unavailable. */
const FAILURES: Readonly<Record<string, readonly [JournalFailure, string]>> = {
  QuotaExceededError: ['quota', 'The browser has no room left for the chain.'],
  VersionError: ['newer', 'The chain was stored by a newer version of Blinknet.'],
  DataError: ['corrupt', 'The stored chain is not readable.'],
  NotReadableError: ['corrupt', 'The browser lost part of the stored chain.'],
  NotFoundError: ['corrupt', 'Part of the stored chain is missing.'],
}

/** Chromium and Firefox use one error name for all internal storage failures; only the message says which. */
const SAYS_CORRUPT = /corrupt|data ?loss/i

/** Turns an error of IndexedDB into a journal error; bugs and journal errors stay as they are. */
export function toJournalError(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error
  const [code, sentence] = FAILURES[error.name] ??
    (error.name === 'UnknownError' && SAYS_CORRUPT.test(error.message) ? FAILURES['DataError'] : undefined) ?? [
      'unavailable',
      'The browser gives no access to its storage.',
    ]
  return new JournalError(code, `${sentence} (${error.name}${error.message === '' ? '' : `: ${error.message}`})`, {
    cause: error,
  })
}

/**
 * Waits for all requests of a transaction to end.
 *
 * @throws The error that caused the failure. Requests that failed because of it say `AbortError`, and so may the
 * transaction.
 */
export async function settle(requests: readonly Promise<unknown>[]): Promise<void> {
  const reasons: unknown[] = []
  for (const outcome of await Promise.allSettled(requests)) {
    if (outcome.status === 'rejected') reasons.push(outcome.reason)
  }
  if (reasons.length === 0) return
  throw reasons.find((reason) => !(reason instanceof DOMException && reason.name === 'AbortError')) ?? reasons[0]
}
