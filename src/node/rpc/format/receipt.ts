import { bytesToHex, type Hash, toQuantity, toWord } from '#primitives/hex.ts'
import type { RpcL1Charge, RpcLog, RpcReceipt } from '#rpc-types/objects.ts'
import { logsBloom } from '../../evm/bloom.ts'
import type { L1Charge } from '../../evm/rollup.ts'
import type { Block, IncludedTransaction, Log } from '../../payload/block.ts'
import type { PlacedBlockLog } from '../../storage/block-record.ts'

/** Block hash in receipts and logs while the block is not sealed. */
const UNSEALED_HASH = toWord(0)

/** The receipt of a transaction in a block. */
export function formatReceipt(included: IncludedTransaction, block: Block): RpcReceipt {
  const { tx, receipt, transactionIndex } = included
  return {
    type: toQuantity(tx.type),
    status: receipt.status === 1 ? '0x1' : '0x0',
    transactionHash: tx.hash,
    transactionIndex: toQuantity(transactionIndex),
    blockHash: finalHash(block),
    blockNumber: toQuantity(block.header.number),
    from: tx.sender,
    to: tx.to,
    contractAddress: receipt.contractAddress,
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    gasUsed: toQuantity(receipt.gasUsed),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    logs: formatLogs(included, block),
    logsBloom: bytesToHex(logsBloom(receipt.logs)),
    ...(receipt.l1 && formatL1(receipt.l1)),
  }
}

/** As op-geth and op-reth have it: the operator's fee only where there is one. */
function formatL1(l1: L1Charge): RpcL1Charge {
  const hasOperatorFee = l1.operatorFeeScalar > 0n || l1.operatorFeeConstant > 0n
  return {
    l1GasPrice: toQuantity(l1.baseFee),
    l1GasUsed: toQuantity(l1.gasUsed),
    l1Fee: toQuantity(l1.fee),
    l1BaseFeeScalar: toQuantity(l1.baseFeeScalar),
    l1BlobBaseFee: toQuantity(l1.blobBaseFee),
    l1BlobBaseFeeScalar: toQuantity(l1.blobBaseFeeScalar),
    ...(hasOperatorFee && {
      operatorFeeScalar: toQuantity(l1.operatorFeeScalar),
      operatorFeeConstant: toQuantity(l1.operatorFeeConstant),
    }),
  }
}

/** Logs of a transaction, numbered through the whole block. */
export function formatLogs(included: IncludedTransaction, block: Block): readonly RpcLog[] {
  const place = logBlock(block)
  return included.receipt.logs.map((log, position) => formatLog(placeLog(place, included, log, position), false))
}

/** What a log says of its block. */
type LogBlock = Pick<RpcLog, 'blockHash' | 'blockNumber' | 'blockTimestamp'>

/** What each log of a block says of it: its fields are read from bytes, once for all logs. */
export function logBlock(block: Block): LogBlock {
  const { number, timestamp } = block.header
  return { blockHash: finalHash(block), blockNumber: toQuantity(number), blockTimestamp: toQuantity(timestamp) }
}

/** A log with its block and its place there. */
export interface PlacedLog extends PlacedBlockLog {
  readonly block: LogBlock
}

/** @param position - Index among the logs of its transaction. */
export function placeLog(block: LogBlock, included: IncludedTransaction, log: Log, position: number): PlacedLog {
  const { tx, transactionIndex, firstLogIndex } = included
  return { block, log, transactionHash: tx.hash, transactionIndex, logIndex: firstLogIndex + position }
}

/**
 * Formats a log with its place.
 *
 * @param removed - Whether its block was reverted.
 */
export function formatLog(
  { block, log, transactionHash, transactionIndex, logIndex }: PlacedLog,
  removed: boolean,
): RpcLog {
  return {
    address: log.address,
    topics: log.topics,
    data: bytesToHex(log.data),
    blockHash: block.blockHash,
    blockNumber: block.blockNumber,
    blockTimestamp: block.blockTimestamp,
    transactionHash,
    transactionIndex: toQuantity(transactionIndex),
    logIndex: toQuantity(logIndex),
    removed,
  }
}

function finalHash(block: Block): Hash {
  return block.kind === 'sealed' ? block.hash : UNSEALED_HASH
}
