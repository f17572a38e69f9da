import { JournalError, type JournalFailure } from '#node/storage/journal.ts'

/** Meanings of the browser's errors for a journal; all others mean that storage is unavailable now. */
const FAILURES: Readonly<Record<string, readonly [JournalFailure, string]>> = {
  QuotaExceededError: ['quota', 'The browser has no room left for the chain.'],
  VersionError: ['newer', 'The chain was stored by a newer version of Blinknet.'],
  DataError: ['corrupt', 'What the browser stored of the chain makes no sense.'],
  NotReadableError: ['corrupt', 'The browser lost part of what it stored of the chain.'],
  NotFoundError: ['corrupt', 'Part of what the browser stored of the chain is missing.'],
}

/** Chromium and Firefox give all inner failures of their storage one name, and say only in words what they are. */
const SAYS_CORRUPT = /corrupt|data ?loss/i

/** The journal's error for whatever IndexedDB threw; bugs, and errors of the journal itself, stay as they are. */
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
 * Waits for all of a transaction's requests to end.
 *
 * @throws Whatever made it fail: requests that only went down with it say `AbortError`, and so may the transaction.
 */
export async function settle(requests: readonly Promise<unknown>[]): Promise<void> {
  const reasons: unknown[] = []
  for (const outcome of await Promise.allSettled(requests)) {
    if (outcome.status === 'rejected') reasons.push(outcome.reason)
  }
  if (reasons.length === 0) return
  throw reasons.find((reason) => !(reason instanceof DOMException && reason.name === 'AbortError')) ?? reasons[0]
}
