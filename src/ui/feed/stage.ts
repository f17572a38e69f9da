import { InvariantError } from '#primitives/invariant.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import type { FeedTransaction, Stage } from './feed-state.ts'

const LABELS: Readonly<Record<Stage, string>> = {
  mempool: 'In the mempool',
  preconfirmed: 'Pre-confirmed',
  sealed: 'Sealed',
  replaced: 'Replaced',
  dropped: 'Dropped',
}

export function stageLabel(stage: Stage): string {
  return LABELS[stage]
}

/** A transaction's progress for an accessible name: `pre-confirmed in block 3, partial block 5, success`. */
export function describeProgress(
  tx: Pick<FeedTransaction, 'stage' | 'outcome' | 'blockNumber' | 'partialIndex'>,
): string {
  const outcome = tx.outcome ? `, ${tx.outcome}` : ''
  switch (tx.stage) {
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
      throw new InvariantError(`no such stage: ${String(tx.stage satisfies never)}`)
  }
}
