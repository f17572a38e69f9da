import { type Hex, toQuantity } from '#primitives/hex.ts'
import type { Block } from '../../../payload/block.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { formatHeader } from '../../format/block.ts'
import { blockNumber } from '../../params/block-params.ts'
import { hash, index } from '../../params/hex-params.ts'
import { findBlock } from '../../resolve-block.ts'

/** Headers, counts and uncles of blocks. */
export const BLOCK_PART_METHODS = {
  /** `null` without such a block. */
  eth_getBlockTransactionCountByHash: defineMethod([hash], ({ chain }, blockHash) => {
    const block = chain.blockByHash(blockHash)
    return block ? toQuantity(block.transactions.length) : null
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
