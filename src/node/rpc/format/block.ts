import { bytesToHex, type Hash, toQuantity } from '#primitives/hex.ts'
import type { RpcBlock, RpcHeader, RpcTransaction } from '#rpc-types/objects.ts'
import type { Block } from '../../payload/block.ts'
import { EMPTY_REQUESTS_HASH, EMPTY_UNCLES_HASH, EMPTY_WITHDRAWALS_ROOT } from '../../payload/header.ts'
import { transactionHashesOf } from '../../storage/stored-block.ts'
import type { ExecutionGuard } from '../../turns/guard.ts'
import { mapInSlices } from '../../turns/map-in-slices.ts'
import { formatIncluded } from './transaction.ts'

/** A header's fields and its hash, as pushed by `newHeads`. */
export function formatHeader({ header, hash }: Block): RpcHeader {
  return {
    number: toQuantity(header.number),
    hash,
    parentHash: header.parentHash,
    nonce: '0x0000000000000000',
    sha3Uncles: EMPTY_UNCLES_HASH,
    logsBloom: bytesToHex(header.logsBloom),
    transactionsRoot: header.transactionsRoot,
    stateRoot: header.stateRoot,
    receiptsRoot: header.receiptsRoot,
    miner: header.coinbase,
    difficulty: '0x0',
    mixHash: header.mixHash,
    extraData: bytesToHex(header.extraData),
    gasLimit: toQuantity(header.gasLimit),
    gasUsed: toQuantity(header.gasUsed),
    timestamp: toQuantity(header.timestamp),
    withdrawalsRoot: EMPTY_WITHDRAWALS_ROOT,
    baseFeePerGas: toQuantity(header.baseFeePerGas),
    blobGasUsed: '0x0',
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: header.parentBeaconBlockRoot,
    requestsHash: EMPTY_REQUESTS_HASH,
  }
}

/** A block with the hashes of its transactions; the live block has the same shape as a sealed one. */
export function formatBlock(block: Block): RpcBlock<Hash> {
  return assemble(block, transactionHashesOf(block))
}

/** A block with full transactions. */
export function formatFullBlock(block: Block): RpcBlock<RpcTransaction> {
  return assemble(
    block,
    block.transactions.map((included) => formatIncluded(included, block)),
  )
}

/** Formats a block with thousands of transactions; pauses as `guard` says. */
export async function formatFullBlockInSlices(block: Block, guard: ExecutionGuard): Promise<RpcBlock<RpcTransaction>> {
  return assemble(block, await mapInSlices(block.transactions, (included) => formatIncluded(included, block), guard))
}

function assemble<Tx extends Hash | RpcTransaction>(block: Block, transactions: readonly Tx[]): RpcBlock<Tx> {
  return { ...formatHeader(block), size: toQuantity(block.size), transactions, uncles: [], withdrawals: [] }
}
