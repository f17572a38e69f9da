import { RpcRefusedError } from '../errors.ts'
import type { LogQuery } from './log-filter-params.ts'

/** Which logs to come a filter or a subscription wants. */
export interface LiveRange {
  /** Of the first block. */
  readonly from: number
  /** Of the last block; infinite where there is none. */
  readonly to: number
  /** Logs as soon as they are pre-confirmed, rather than when their block is sealed. */
  readonly preconfirmed: boolean
}

/**
 * The range of a query that looks ahead. As in geth an end is a number or `latest`, the first block may be `earliest`;
 * here the last may be `pending`, too. One block by its hash has nothing to come.
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

/** Geth's error for a range that is none. */
export function invalidRange(): RpcRefusedError {
  return new RpcRefusedError('invalid-params', 'invalid block range params')
}

/** Geth's error for a range with a block that is yet to come. */
export function beyondHead(): RpcRefusedError {
  return new RpcRefusedError('invalid-params', 'block range extends beyond current head block')
}
