import { bloomBits, hasBloomBits, isEmptyBloom } from '../../evm/bloom.ts'
import type { Block, Header, IncludedTransaction, Log } from '../../payload/block.ts'
import { RpcRefusedError } from '../errors.ts'
import type { PlacedLog } from '../format/receipt.ts'
import type { LogFilter, LogQuery } from './log-filter-params.ts'

/** Whether the filter selects at least one of the logs. */
export function hasMatchingLog(logs: readonly Log[], filter: LogFilter): boolean {
  return logs.some((log) => matchesLog(log, filter))
}

/** Matches as in `eth_getLogs`: one of the addresses, and at each named position one of its topics. */
export function matchesLog({ address, topics }: Log, filter: LogFilter): boolean {
  if (filter.addresses.length > 0 && !filter.addresses.includes(address)) return false
  if (filter.topics.length > topics.length) return false
  return filter.topics.every(
    (wanted, i) => wanted.length === 0 || wanted.includes(topics[i] as (typeof topics)[number]),
  )
}

/** The range of future logs for a filter or a subscription. */
export interface LiveRange {
  /** Number of the first block. */
  readonly from: number
  /** Number of the last block; infinite if there is none. */
  readonly to: number
  /** Whether logs come when they are pre-confirmed, rather than when their block is sealed. */
  readonly preconfirmed: boolean
}

/**
 * The range of a query for future logs. As in geth, an end is a number or `latest`, and the first block may be
 * `earliest`; here the last may also be `pending`. A block by its hash has no future logs.
 *
 * @throws {RpcRefusedError} `invalid-params` for any other range.
 */
export function liveRange({ blockHash, fromBlock = 'latest', toBlock = 'latest' }: LogQuery): LiveRange {
  if (blockHash !== undefined) return { from: 0, to: -1, preconfirmed: false }
  const from = typeof fromBlock === 'number' ? fromBlock : 0
  if (toBlock === 'pending') {
    if (fromBlock === 'safe' || fromBlock === 'finalized') throw invalidRange()
    return { from, to: Number.POSITIVE_INFINITY, preconfirmed: true }
  }
  if (fromBlock !== 'latest' && fromBlock !== 'earliest' && typeof fromBlock !== 'number') throw invalidRange()
  if (toBlock === 'latest') return { from, to: Number.POSITIVE_INFINITY, preconfirmed: false }
  if (typeof toBlock !== 'number' || fromBlock === 'latest' || from > toBlock) throw invalidRange()
  return { from, to: toBlock, preconfirmed: false }
}

/** Geth's error for an invalid range. */
export function invalidRange(): RpcRefusedError {
  return new RpcRefusedError('invalid-params', 'invalid block range params')
}

/** Geth's error for a range with a future block. */
export function beyondHead(): RpcRefusedError {
  return new RpcRefusedError('invalid-params', 'block range extends beyond current head block')
}

/** A log filter prepared for repeated use. */
export interface LogSelector {
  /** `false` if it selects none of the block's logs, because of its number or its bloom. */
  mayMatch(header: Pick<Header, 'number' | 'logsBloom'>): boolean
  matches(log: Log): boolean
}

/**
 * Prepares a filter by hashing its addresses and topics once.
 *
 * @param range - Numbers of the first and the last block; all blocks without it.
 */
export function createLogSelector(filter: LogFilter, range?: Pick<LiveRange, 'from' | 'to'>): LogSelector {
  const required = [filter.addresses, ...filter.topics]
    .filter((alternatives) => alternatives.length > 0)
    .map((alternatives) => alternatives.map(bloomBits))
  return {
    mayMatch({ number, logsBloom }) {
      if (range && (number < range.from || number > range.to)) return false
      // Without logs the block need not be read.
      if (isEmptyBloom(logsBloom)) return false
      return required.every((alternatives) => alternatives.some((bits) => hasBloomBits(logsBloom, bits)))
    },
    matches: (log) => matchesLog(log, filter),
  }
}

/** The logs of some of a block's transactions that the selector matches, in block order. */
export function selectLogs(
  block: Block,
  transactions: readonly IncludedTransaction[],
  selector: LogSelector,
): readonly PlacedLog[] {
  if (!selector.mayMatch(block.header)) return []
  return transactions.flatMap((included) => selectTransactionLogs(block, included, selector))
}

/** The logs of one transaction that the selector matches. */
export function selectTransactionLogs(block: Block, included: IncludedTransaction, selector: LogSelector): PlacedLog[] {
  const selected: PlacedLog[] = []
  included.receipt.logs.forEach((log, position) => {
    if (selector.matches(log)) selected.push({ block, included, log, position })
  })
  return selected
}
