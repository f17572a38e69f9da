import { toQuantity } from '#primitives/hex.ts'
import { createPacer } from '../../evm/pacer.ts'
import { defineMethod } from '../define-method.ts'
import { formatBlock, formatFullBlockInSlices } from '../format/block.ts'
import { formatReceipt } from '../format/receipt.ts'
import { mapInSlices } from '../map-in-slices.ts'
import { blockNumber, blockRef } from '../params/block-params.ts'
import { hash } from '../params/hex-params.ts'
import { boolean } from '../params/plain-params.ts'
import { findBlock } from '../resolve-block.ts'

/** `eth_getBlockByNumber`: `null` above the head; `pending` is the live block. */
export const ethGetBlockByNumber = defineMethod(
  'eth_getBlockByNumber',
  [blockNumber, boolean],
  (context, ref, fullTransactions) => {
    const block = findBlock(context, ref)
    if (!block) return null
    return fullTransactions ? formatFullBlockInSlices(block, createPacer(context.clock)) : formatBlock(block)
  },
)

/** `eth_getBlockByHash`: sealed blocks only. */
export const ethGetBlockByHash = defineMethod(
  'eth_getBlockByHash',
  [hash, boolean],
  ({ chain, clock }, blockHash, fullTransactions) => {
    const block = chain.blockByHash(blockHash)
    if (!block) return null
    return fullTransactions ? formatFullBlockInSlices(block, createPacer(clock)) : formatBlock(block)
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
  return mapInSlices(block.transactions, (included) => formatReceipt(included, block), createPacer(context.clock))
})
