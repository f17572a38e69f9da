import { toQuantity } from '#primitives/hex.ts'
import type { PartialBlockBase, PartialBlockDiff, PreconfirmedTransaction } from '#rpc-types/subscriptions.ts'
import type { IncludedTransaction, PartialBlock } from '../../payload/block.ts'
import { formatHeader } from '../format/block.ts'
import { formatReceipt } from '../format/receipt.ts'
import { formatIncluded } from '../format/transaction.ts'

/** A pre-confirmed transaction with what came of it. */
export function formatPreconfirmed(included: IncludedTransaction, partial: PartialBlock): PreconfirmedTransaction {
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
 * A partial block as the step from the one before; whole where who follows must start anew.
 *
 * @param first - For a caller that has seen none: with the fields fixed for the block and all transactions so far.
 */
export function formatPartialDiff(partial: PartialBlock, first: boolean): PartialBlockDiff {
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
