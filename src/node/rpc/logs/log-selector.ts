import { bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import { lazily } from '#primitives/lazily.ts'
import { bloomBits, hasBloomBits, isEmptyBloom } from '../../evm/bloom.ts'
import type { Block, Header, IncludedTransaction, Log } from '../../payload/block.ts'
import { type LogBytesFilter, readBlockLogs } from '../../storage/block-record.ts'
import type { BloomQuery } from '../../storage/log-index.ts'
import { bloomOf, mayHold, StoredBlock } from '../../storage/stored-block.ts'
import { RpcRefusedError } from '../errors.ts'
import { logBlock, type PlacedLog, placeLog } from '../format/receipt.ts'
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
  /** What the bloom of a block with a selected log has. */
  readonly query: BloomQuery
  /** Whether the block may have a selected log; decodes nothing. */
  mayHaveLogs(block: Block): boolean
  readonly bytes: () => LogBytesFilter
}

/** Values up to which a block's bytes are searched for each of several. */
const MOST_SEARCHED = 4

/**
 * Prepares a filter by hashing its addresses and topics once.
 *
 * @param range - Numbers of the first and the last block; all blocks without it.
 */
export function createLogSelector(filter: LogFilter, range?: Pick<LiveRange, 'from' | 'to'>): LogSelector {
  const positions = [filter.addresses, ...filter.topics].filter((alternatives) => alternatives.length > 0)
  const query = positions.map((alternatives) => alternatives.map(bloomBits))
  // Who only waits for logs never looks into stored blocks.
  const searched = lazily(() =>
    positions
      .filter((alternatives) => alternatives.length <= MOST_SEARCHED)
      .map((alternatives) => alternatives.map(hexToBytes)),
  )
  const bytes = lazily(() => ({ address: anyOf(filter.addresses), topics: filter.topics.map(anyOf) }))
  const mayBeIn = (bloom: Uint8Array) =>
    // Without logs the block need not be read.
    !isEmptyBloom(bloom) && query.every((alternatives) => alternatives.some((bits) => hasBloomBits(bloom, bits)))
  return {
    mayMatch({ number, logsBloom }) {
      if (range && (number < range.from || number > range.to)) return false
      return mayBeIn(logsBloom)
    },
    matches: (log) => matchesLog(log, filter),
    query,
    mayHaveLogs(block) {
      const bloom = bloomOf(block)
      if (bloom.length === 0 || !mayBeIn(bloom)) return false
      return searched().every((alternatives) => alternatives.some((value) => mayHold(block, value)))
    },
    bytes,
  }
}

/** Whether one of the values stands at a place; any value, if there are none. All have the same length. */
function anyOf(values: readonly Hex[]): (record: Uint8Array, at: number) => boolean {
  const [first] = values
  if (first === undefined) return () => true
  const length = first.length / 2 - 1
  if (values.length <= MOST_SEARCHED) {
    const few = values.map(hexToBytes)
    return (record, at) => few.some((bytes) => bytes.every((byte, i) => record[at + i] === byte))
  }
  const many: ReadonlySet<Hex> = new Set(values)
  return (record, at) => many.has(bytesToHex(record.subarray(at, at + length)))
}

/** The logs of a block that the selector matches, those of each transaction at a time. */
export function* logsOfBlock(block: Block, selector: LogSelector): Generator<readonly PlacedLog[]> {
  if (block instanceof StoredBlock) {
    const place = logBlock(block)
    for (const logs of readBlockLogs(block.record, selector.bytes())) {
      yield logs.map(({ log, transactionHash, transactionIndex, logIndex }) => ({
        block: place,
        log,
        transactionHash,
        transactionIndex,
        logIndex,
      }))
    }
  } else {
    for (const included of block.transactions) yield selectTransactionLogs(block, included, selector)
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
  let place: PlacedLog['block'] | undefined
  included.receipt.logs.forEach((log, position) => {
    if (!selector.matches(log)) return
    place ??= logBlock(block)
    selected.push(placeLog(place, included, log, position))
  })
  return selected
}
