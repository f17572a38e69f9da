import { bloomBits, hasBloomBits, isEmptyBloom } from '../../evm/bloom.ts'
import type { Block, Header, IncludedTransaction, Log } from '../../payload/block.ts'
import type { PlacedLog } from '../format/receipt.ts'
import type { LogFilter } from './log-filter-params.ts'
import type { LiveRange } from './log-range.ts'
import { matchesLog } from './match-logs.ts'

/** A log filter made ready to be asked often. */
export interface LogSelector {
  /** `false` where it takes none of the block's logs: for its number, or because its bloom says so. */
  mayMatch(header: Pick<Header, 'number' | 'logsBloom'>): boolean
  matches(log: Log): boolean
}

/**
 * Hashes what the filter names, once.
 *
 * @param range - Numbers of the first and the last block; all without it.
 */
export function createLogSelector(filter: LogFilter, range?: Pick<LiveRange, 'from' | 'to'>): LogSelector {
  const required = [filter.addresses, ...filter.topics]
    .filter((alternatives) => alternatives.length > 0)
    .map((alternatives) => alternatives.map(bloomBits))
  return {
    mayMatch({ number, logsBloom }) {
      if (range && (number < range.from || number > range.to)) return false
      // Where there is no log, the block need not be read.
      if (isEmptyBloom(logsBloom)) return false
      return required.every((alternatives) => alternatives.some((bits) => hasBloomBits(logsBloom, bits)))
    },
    matches: (log) => matchesLog(log, filter),
  }
}

/** The logs of some of a block's transactions that the selector takes, in the order of the block. */
export function selectLogs(
  block: Block,
  transactions: readonly IncludedTransaction[],
  selector: LogSelector,
): readonly PlacedLog[] {
  if (!selector.mayMatch(block.header)) return []
  return transactions.flatMap((included) => selectTransactionLogs(block, included, selector))
}

/** The logs of one transaction that the selector takes. */
export function selectTransactionLogs(block: Block, included: IncludedTransaction, selector: LogSelector): PlacedLog[] {
  const selected: PlacedLog[] = []
  included.receipt.logs.forEach((log, position) => {
    if (selector.matches(log)) selected.push({ block, included, log, position })
  })
  return selected
}
