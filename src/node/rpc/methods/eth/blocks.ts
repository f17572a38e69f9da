import { toQuantity } from '#primitives/hex.ts'
import type { Block } from '../../../payload/block.ts'
import { guardFor } from '../../caller-guard.ts'
import { type CallerContext, defineMethod } from '../../define-method.ts'
import { formatBlock, formatFullBlockInSlices } from '../../format/block.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { mapInSlices } from '../../map-in-slices.ts'
import { blockNumber, blockRef } from '../../params/block-params.ts'
import { hash } from '../../params/hex-params.ts'
import { boolean } from '../../params/plain-params.ts'
import { findBlock } from '../../resolve-block.ts'

/** Bytes of a block from which on its transactions are a large answer, and have to wait for their turn. */
const LARGE_BYTES = 256 * 1024

function formatFull(context: CallerContext, block: Block) {
  const format = () => formatFullBlockInSlices(block, guardFor(context))
  return block.size < LARGE_BYTES ? format() : context.work.answers.run(context.caller, format)
}

/** `eth_getBlockByNumber`: `null` above the head; `pending` is the live block. */
export const ethGetBlockByNumber = defineMethod(
  'eth_getBlockByNumber',
  [blockNumber, boolean],
  (context, ref, fullTransactions) => {
    const block = findBlock(context, ref)
    if (!block) return null
    return fullTransactions ? formatFull(context, block) : formatBlock(block)
  },
)

/** `eth_getBlockByHash`: sealed blocks only. */
export const ethGetBlockByHash = defineMethod(
  'eth_getBlockByHash',
  [hash, boolean],
  (context, blockHash, fullTransactions) => {
    const block = context.chain.blockByHash(blockHash)
    if (!block) return null
    return fullTransactions ? formatFull(context, block) : formatBlock(block)
  },
)

/** `eth_getBlockTransactionCountByNumber`: `null` above the head. */
export const ethGetBlockTransactionCountByNumber = defineMethod(
  'eth_getBlockTransactionCountByNumber',
  [blockNumber],
  (context, ref) => {
    const block = findBlock(context, ref)
    return block ? toQuantity(block.transactions.length) : null
  },
)

/** `eth_getBlockReceipts`: in the order of the transactions; `null` without such a block. */
export const ethGetBlockReceipts = defineMethod('eth_getBlockReceipts', [blockRef], async (context, ref) => {
  const block = findBlock(context, ref)
  if (!block) return null
  return mapInSlices(block.transactions, (included) => formatReceipt(included, block), guardFor(context))
})
