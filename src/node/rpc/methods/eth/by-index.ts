import { bytesToHex, type Hex } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import type { Block } from '../../../payload/block.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { formatIncluded } from '../../format/transaction.ts'
import { blockNumber } from '../../params/block-params.ts'
import { hash, index } from '../../params/hex-params.ts'
import { findBlock } from '../../resolve-block.ts'

/** Transactions by their position in a block. */
export const BY_INDEX_METHODS = {
  /** `null` without such a block or position. */
  eth_getTransactionByBlockNumberAndIndex: defineMethod([blockNumber, index], (context, ref, position) =>
    transactionAt(findBlock(context, ref), position),
  ),

  /** `null` without such a block or position. */
  eth_getTransactionByBlockHashAndIndex: defineMethod([hash, index], ({ chain }, blockHash, position) =>
    transactionAt(chain.blockByHash(blockHash), position),
  ),

  /** The bytes as they were submitted. */
  eth_getRawTransactionByBlockNumberAndIndex: defineMethod([blockNumber, index], (context, ref, position) =>
    rawTransactionAt(findBlock(context, ref), position),
  ),

  /** The bytes as they were submitted. */
  eth_getRawTransactionByBlockHashAndIndex: defineMethod([hash, index], ({ chain }, blockHash, position) =>
    rawTransactionAt(chain.blockByHash(blockHash), position),
  ),
} satisfies Partial<MethodTable>

function transactionAt(block: Block | undefined, position: number): RpcTransaction | null {
  const included = block?.transactions[position]
  return block && included ? formatIncluded(included, block) : null
}

function rawTransactionAt(block: Block | undefined, position: number): Hex {
  const included = block?.transactions[position]
  return included ? bytesToHex(included.tx.raw) : '0x'
}
