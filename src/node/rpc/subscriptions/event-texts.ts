import { type Hash, toQuantity } from '#primitives/hex.ts'
import { lazily } from '#primitives/lazily.ts'
import type { PartialBlockBase, PartialBlockDiff, PreconfirmedTransaction } from '#rpc-types/subscriptions.ts'
import type { Block, IncludedTransaction, Log, PartialBlock, SealedBlock } from '../../payload/block.ts'
import type { Transaction } from '../../tx/transaction.ts'
import { formatFullBlock, formatHeader } from '../format/block.ts'
import { formatLog, formatReceipt } from '../format/receipt.ts'
import { formatIncluded, formatPooled } from '../format/transaction.ts'
import type { LogFilter } from '../logs/log-filter-params.ts'
import { hasMatchingLog, type LogSelector, selectLogs } from '../logs/log-selector.ts'
import { type FlashblockSequence, flashblockTexts } from './flashblocks.ts'

/** A partial block as JSON for its subscribers; each text is created at most once for all of them. */
export interface PartialTexts {
  /** Hashes of the new transactions. */
  hashes(): readonly string[]
  /** The new transactions with their outcomes. */
  transactions(): readonly string[]
  /** Receipts of the new transactions, by hash. */
  receipts(): ReceiptTexts
  /** Logs of the new transactions that the selector matches. */
  logs(selector: LogSelector): readonly string[]
  /** Texts of {@link transactions} with a log that the filter matches. */
  transactionsMatching(filter: LogFilter): readonly string[]
  /** The difference from the previous partial block. */
  diff(): string
  /** The whole block so far as a difference, for new subscribers. */
  firstDiff(): string
  /** The whole block so far, as in `eth_getBlockByNumber`. */
  block(): string
  /** The header of the block so far. */
  header(): string
  /** The difference as the Flashblocks stream has it. @param sequence - What its receiver has got before. */
  flashblock(sequence: FlashblockSequence): string
}

/** Creates a partial block's texts. */
export function partialTexts(partial: PartialBlock): PartialTexts {
  const fresh = partial.transactions.slice(partial.firstNew)
  const transactions = lazily(() => fresh.map((included) => JSON.stringify(formatPreconfirmed(included, partial))))
  return {
    hashes: lazily(() => fresh.map(({ tx }) => JSON.stringify(tx.hash))),
    transactions,
    receipts: lazily(() => receiptTexts(partial, fresh)),
    logs: logTexts(partial, fresh, false),
    transactionsMatching(filter) {
      if (!fresh.some(({ receipt }) => hasMatchingLog(receipt.logs, filter))) return []
      return transactions().filter((_, i) => hasMatchingLog(fresh[i]?.receipt.logs ?? [], filter))
    },
    diff: lazily(() => JSON.stringify(formatPartialDiff(partial, false))),
    firstDiff: lazily(() => JSON.stringify(formatPartialDiff(partial, true))),
    block: lazily(() => JSON.stringify(formatFullBlock(partial))),
    header: lazily(() => JSON.stringify(formatHeader(partial))),
    flashblock: flashblockTexts(partial),
  }
}

/** A sealed block's texts. */
export interface SealTexts {
  /** Whether the block was sealed before, and reverted. */
  readonly restored: boolean
  header(): string
  /** Receipts of all transactions, by hash. */
  receipts(): ReceiptTexts
  /** Logs that the selector matches. */
  logs(selector: LogSelector): readonly string[]
}

/** Creates a sealed block's texts. */
export function sealTexts(block: SealedBlock, restored: boolean): SealTexts {
  return {
    restored,
    header: lazily(() => JSON.stringify(formatHeader(block))),
    receipts: lazily(() => receiptTexts(block, block.transactions)),
    logs: logTexts(block, block.transactions, false),
  }
}

/** The texts of reverted blocks and withdrawn partial blocks. */
export interface RemovedTexts {
  /** Removed logs that the selector matches, marked as removed, last one first. */
  logs(selector: LogSelector): readonly string[]
}

/**
 * Creates the texts of reverted blocks.
 *
 * @param removed - Newest first.
 */
export function reorgTexts(removed: readonly SealedBlock[]): RemovedTexts {
  const blocks = removed.map((block) => logTexts(block, block.transactions, true))
  return { logs: (selector) => blocks.flatMap((logs) => logs(selector).toReversed()) }
}

/** Creates the texts of transactions that are no longer pre-confirmed. */
export function unconfirmedTexts(block: Block, transactions: readonly IncludedTransaction[]): RemovedTexts {
  const logs = logTexts(block, transactions, true)
  return { logs: (selector) => logs(selector).toReversed() }
}

/** Receipts as JSON, in the order of the block. */
type ReceiptTexts = ReadonlyMap<Hash, string>

function receiptTexts(block: Block, transactions: readonly IncludedTransaction[]): ReceiptTexts {
  return new Map(transactions.map((included) => [included.tx.hash, JSON.stringify(formatReceipt(included, block))]))
}

/** The logs of a block's transactions; each text is created at most once. */
function logTexts(block: Block, transactions: readonly IncludedTransaction[], removed: boolean) {
  const texts = new Map<Log, string>()
  return (selector: LogSelector): readonly string[] =>
    selectLogs(block, transactions, selector).map((placed) => {
      const text = texts.get(placed.log) ?? JSON.stringify(formatLog(placed, removed))
      texts.set(placed.log, text)
      return text
    })
}

/** A pooled transaction's texts. */
export interface AcceptedTexts {
  hash(): string
  transaction(): string
}

/** Creates a pooled transaction's texts. */
export function acceptedTexts(tx: Transaction): AcceptedTexts {
  return {
    hash: lazily(() => JSON.stringify(tx.hash)),
    transaction: lazily(() => JSON.stringify(formatPooled(tx))),
  }
}

/** A pre-confirmed transaction with its outcome. */
function formatPreconfirmed(included: IncludedTransaction, partial: PartialBlock): PreconfirmedTransaction {
  const { logs, logsBloom, gasUsed, cumulativeGasUsed, status, contractAddress } = formatReceipt(included, partial)
  return {
    ...formatIncluded(included, partial),
    logs,
    logsBloom,
    gasUsed,
    cumulativeGasUsed,
    status,
    contractAddress,
  }
}

/**
 * A partial block as the difference from the previous one; complete if subscribers must start over.
 *
 * @param first - For a new subscriber: with the block's constant fields and all transactions so far.
 */
function formatPartialDiff(partial: PartialBlock, first: boolean): PartialBlockDiff {
  const { index, payloadId, header, transactions, cutAtMs, tookMs } = partial
  const { stateRoot, transactionsRoot, receiptsRoot, logsBloom, gasUsed, blobGasUsed, ...fixed } = formatHeader(partial)
  const whole = first || partial.restarts
  const shown = whole ? transactions : transactions.slice(partial.firstNew)
  return {
    index,
    payloadId,
    ...(whole && { base: baseOf(fixed) }),
    diff: {
      blockHash: partial.hash,
      stateRoot,
      transactionsRoot,
      receiptsRoot,
      logsBloom,
      gasUsed,
      blobGasUsed,
      size: toQuantity(partial.size),
      transactions: shown.map((included) => formatIncluded(included, partial)),
      receipts: shown.map((included) => formatReceipt(included, partial)),
    },
    metadata: {
      blockNumber: toQuantity(header.number),
      transactionCount: transactions.length,
      cutAtMs,
      tookMs,
    },
  }
}

function baseOf(fixed: PartialBlockBase): PartialBlockBase {
  const { parentHash, miner, mixHash, number, gasLimit } = fixed
  const { timestamp, extraData, baseFeePerGas, parentBeaconBlockRoot } = fixed
  return { parentHash, miner, mixHash, number, gasLimit, timestamp, extraData, baseFeePerGas, parentBeaconBlockRoot }
}
