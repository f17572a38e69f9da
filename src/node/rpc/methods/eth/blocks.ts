import { type Hex, toQuantity } from '#primitives/hex.ts'
import type { Block } from '../../../payload/block.ts'
import { transactionCountOf } from '../../../storage/stored-block.ts'
import { mapInSlices } from '../../../turns/map-in-slices.ts'
import { guardFor } from '../../caller-guard.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { formatBlock, formatFullBlockInSlices, formatHeader } from '../../format/block.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { blockNumber, blockRef, findBlock } from '../../params/block-params.ts'
import { hash, index } from '../../params/hex-params.ts'
import { boolean } from '../../params/plain-params.ts'

/** Block size in bytes from which its transactions count as a large answer, which has to wait for its turn. */
const LARGE_BYTES = 256 * 1024

function formatFull(context: CallerContext, block: Block) {
  const format = () => formatFullBlockInSlices(block, guardFor(context))
  return block.size < LARGE_BYTES ? format() : context.work.answers.run(context.caller, format)
}

/** Blocks, their headers and their contents. */
export const ETH_BLOCK_METHODS = {
  /** `null` above the head; `pending` is the live block. */
  eth_getBlockByNumber: defineMethod([blockNumber, boolean], (context, ref, fullTransactions) => {
    const block = findBlock(context, ref)
    if (!block) return null
    return fullTransactions ? formatFull(context, block) : formatBlock(block)
  }),

  /** Sealed blocks only. */
  eth_getBlockByHash: defineMethod([hash, boolean], (context, blockHash, fullTransactions) => {
    const block = context.chain.blockByHash(blockHash)
    if (!block) return null
    return fullTransactions ? formatFull(context, block) : formatBlock(block)
  }),

  /** `null` above the head. */
  eth_getBlockTransactionCountByNumber: defineMethod([blockNumber], (context, ref) => {
    const block = findBlock(context, ref)
    return block ? toQuantity(transactionCountOf(block)) : null
  }),

  /** In the order of the transactions; `null` without such a block. */
  eth_getBlockReceipts: defineMethod(
    [blockRef],
    async (context, ref) => {
      const block = findBlock(context, ref)
      if (!block) return null
      return mapInSlices(block.transactions, (included) => formatReceipt(included, block), guardFor(context))
    },
    { queue: 'answer' },
  ),

  /** `null` without such a block. */
  eth_getBlockTransactionCountByHash: defineMethod([hash], ({ chain }, blockHash) => {
    const block = chain.blockByHash(blockHash)
    return block ? toQuantity(transactionCountOf(block)) : null
  }),

  /** `null` above the head. */
  eth_getHeaderByNumber: defineMethod([blockNumber], (context, ref) => {
    const block = findBlock(context, ref)
    return block ? formatHeader(block) : null
  }),

  /** Sealed blocks only. */
  eth_getHeaderByHash: defineMethod([hash], ({ chain }, blockHash) => {
    const block = chain.blockByHash(blockHash)
    return block ? formatHeader(block) : null
  }),

  /** This chain has no uncles; `null` without such a block. */
  eth_getUncleCountByBlockNumber: defineMethod([blockNumber], (context, ref) => uncleCount(findBlock(context, ref))),

  /** This chain has no uncles; `null` without such a block. */
  eth_getUncleCountByBlockHash: defineMethod([hash], ({ chain }, blockHash) =>
    uncleCount(chain.blockByHash(blockHash)),
  ),

  /** This chain has no uncles. */
  eth_getUncleByBlockNumberAndIndex: defineMethod([blockNumber, index], (_context, _ref, _position) => null),

  /** This chain has no uncles. */
  eth_getUncleByBlockHashAndIndex: defineMethod([hash, index], (_context, _blockHash, _position) => null),
} satisfies Partial<MethodTable>

function uncleCount(block: Block | undefined): Hex | null {
  return block ? '0x0' : null
}
