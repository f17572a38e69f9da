import { ProviderRpcError } from '#client/session/provider.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { type ErrorWords, explainError } from '#ui/format/explain-error.ts'
import { formatDuration } from '#ui/format/numbers.ts'
import type { GuestTransaction } from './guest.ts'

/** Why a guest could not enter or send, and what to do. */
export function explainRefusal(error: unknown, what: 'join' | 'send'): ErrorWords {
  if (!(error instanceof ProviderRpcError)) return explainError(error)
  switch (error.code) {
    case ERROR_CODES.disconnected:
      return {
        what: 'The room does not answer.',
        why: 'Is this phone still on the same network, and is the room still open? This page keeps trying.',
      }
    case ERROR_CODES['limit-exceeded']:
      return what === 'send'
        ? { what: 'Too fast for this room.', why: `Wait a moment, then send again. The room says: ${error.message}` }
        : {
            what: 'You could not join yet.',
            why: `Try again in a moment, or look around without joining. The room says: ${error.message}`,
          }
    case ERROR_CODES['invalid-params']:
      return { what: 'The room does not take this name.', why: `Choose another. The room says: ${error.message}` }
    default:
      return explainError(error)
  }
}

/** Milliseconds as one says them: whole under a second, else seconds with one decimal. */
function inShort(ms: number): string {
  const words = ms < 1_000 ? formatDuration(ms) : `${(ms / 1_000).toFixed(1)} s`
  // A number and its unit stay in one line.
  return words.replace(' ', '\u00A0')
}

/** What became of a transaction, in one line. */
export function transactionWords({
  progress: { status, outcome, blockNumber },
  preconfirmedMs,
  preconfirmedAtMs,
  sealedAtMs,
  withdrawals,
}: GuestTransaction): string {
  const preconfirmed = preconfirmedMs === undefined ? 'Pre-confirmed' : `Pre-confirmed in ${inShort(preconfirmedMs)}`
  const reverted = outcome === 'reverted' ? ', reverted' : ''
  const again = withdrawals > 0
  switch (status) {
    case 'mempool':
      return again ? 'Withdrawn: the promise was broken, and it waits again' : 'Sent, waiting for a partial block'
    case 'preconfirmed':
      return again ? `Withdrawn, then pre-confirmed again${reverted}` : preconfirmed + reverted
    case 'sealed': {
      const isKnown = preconfirmedAtMs !== undefined && sealedAtMs !== undefined
      const later = isKnown ? ` ${inShort(Math.max(0, sealedAtMs - preconfirmedAtMs))} later` : ''
      const inBlock = blockNumber === undefined ? '' : ` in block ${blockNumber}`
      return `${again ? 'Withdrawn, then pre-confirmed again' : preconfirmed}, sealed${later}${inBlock}${reverted}`
    }
    case 'dropped':
      return again ? 'Withdrawn and lost: send again' : 'Dropped from the mempool: send again'
    case 'replaced':
      return 'Replaced by another transaction'
  }
}
