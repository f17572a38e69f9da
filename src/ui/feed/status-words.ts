import { InvariantError } from '#primitives/invariant.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import type { FeedStatus, FeedTransaction } from './feed-state.ts'

const LABELS: Readonly<Record<FeedStatus, string>> = {
  mempool: 'In the mempool',
  preconfirmed: 'Pre-confirmed',
  sealed: 'Sealed',
  replaced: 'Replaced',
  dropped: 'Dropped',
}

export function statusLabel(status: FeedStatus): string {
  return LABELS[status]
}

/** A transaction's progress for an accessible name: `pre-confirmed in block 3, partial block 5, success`. */
export function describeProgress(
  tx: Pick<FeedTransaction, 'status' | 'outcome' | 'blockNumber' | 'partialIndex'>,
): string {
  const outcome = tx.outcome ? `, ${tx.outcome}` : ''
  switch (tx.status) {
    case 'preconfirmed': {
      const partial = tx.partialIndex === undefined ? '' : `, partial block ${partialNumber(tx.partialIndex)}`
      return `pre-confirmed in block ${tx.blockNumber}${partial}${outcome}`
    }
    case 'sealed':
      return `sealed in block ${tx.blockNumber}${outcome}`
    case 'mempool':
      return 'in the mempool'
    case 'replaced':
      return 'replaced by another transaction'
    case 'dropped':
      return 'dropped from the mempool'
    default:
      throw new InvariantError(`no such status: ${String(tx.status satisfies never)}`)
  }
}
