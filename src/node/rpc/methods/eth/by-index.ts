import { bytesToHex, type Hex } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import type { Block } from '../../../payload/block.ts'
import { defineMethod } from '../../define-method.ts'
import { formatIncluded } from '../../format/transaction.ts'
import { blockNumber } from '../../params/block-params.ts'
import { hash, index } from '../../params/hex-params.ts'
import { findBlock } from '../../resolve-block.ts'

/** `eth_getTransactionByBlockNumberAndIndex`: `null` without such a block or position. */
export const ethGetTransactionByBlockNumberAndIndex = defineMethod(
  'eth_getTransactionByBlockNumberAndIndex',
  [blockNumber, index],
  (context, ref, position) => transactionAt(findBlock(context, ref), position),
)

/** `eth_getTransactionByBlockHashAndIndex`: `null` without such a block or position. */
export const ethGetTransactionByBlockHashAndIndex = defineMethod(
  'eth_getTransactionByBlockHashAndIndex',
  [hash, index],
  ({ chain }, blockHash, position) => transactionAt(chain.blockByHash(blockHash), position),
)

/** `eth_getRawTransactionByBlockNumberAndIndex`: the bytes as they were submitted. */
export const ethGetRawTransactionByBlockNumberAndIndex = defineMethod(
  'eth_getRawTransactionByBlockNumberAndIndex',
  [blockNumber, index],
  (context, ref, position) => rawTransactionAt(findBlock(context, ref), position),
)

/** `eth_getRawTransactionByBlockHashAndIndex`: the bytes as they were submitted. */
export const ethGetRawTransactionByBlockHashAndIndex = defineMethod(
  'eth_getRawTransactionByBlockHashAndIndex',
  [hash, index],
  ({ chain }, blockHash, position) => rawTransactionAt(chain.blockByHash(blockHash), position),
)

function transactionAt(block: Block | undefined, position: number): RpcTransaction | null {
  const included = block?.transactions[position]
  return block && included ? formatIncluded(included, block) : null
}

function rawTransactionAt(block: Block | undefined, position: number): Hex {
  const included = block?.transactions[position]
  return included ? bytesToHex(included.tx.raw) : '0x'
}
