import { type Hex, toQuantity } from '#primitives/hex.ts'
import type { Block } from '../../../payload/block.ts'
import { defineMethod } from '../../define-method.ts'
import { formatHeader } from '../../format/block.ts'
import { blockNumber } from '../../params/block-params.ts'
import { hash, index } from '../../params/hex-params.ts'
import { findBlock } from '../../resolve-block.ts'

/** `eth_getBlockTransactionCountByHash`: `null` without such a block. */
export const ethGetBlockTransactionCountByHash = defineMethod(
  'eth_getBlockTransactionCountByHash',
  [hash],
  ({ chain }, blockHash) => {
    const block = chain.blockByHash(blockHash)
    return block ? toQuantity(block.transactions.length) : null
  },
)

/** `eth_getHeaderByNumber`: `null` above the head. */
export const ethGetHeaderByNumber = defineMethod('eth_getHeaderByNumber', [blockNumber], (context, ref) => {
  const block = findBlock(context, ref)
  return block ? formatHeader(block) : null
})

/** `eth_getHeaderByHash`: sealed blocks only. */
export const ethGetHeaderByHash = defineMethod('eth_getHeaderByHash', [hash], ({ chain }, blockHash) => {
  const block = chain.blockByHash(blockHash)
  return block ? formatHeader(block) : null
})

/** `eth_getUncleCountByBlockNumber`: this chain has no uncles; `null` without such a block. */
export const ethGetUncleCountByBlockNumber = defineMethod(
  'eth_getUncleCountByBlockNumber',
  [blockNumber],
  (context, ref) => uncleCount(findBlock(context, ref)),
)

/** `eth_getUncleCountByBlockHash`: this chain has no uncles; `null` without such a block. */
export const ethGetUncleCountByBlockHash = defineMethod(
  'eth_getUncleCountByBlockHash',
  [hash],
  ({ chain }, blockHash) => uncleCount(chain.blockByHash(blockHash)),
)

/** `eth_getUncleByBlockNumberAndIndex`: this chain has no uncles. */
export const ethGetUncleByBlockNumberAndIndex = defineMethod(
  'eth_getUncleByBlockNumberAndIndex',
  [blockNumber, index],
  (_context, _ref, _position) => null,
)

/** `eth_getUncleByBlockHashAndIndex`: this chain has no uncles. */
export const ethGetUncleByBlockHashAndIndex = defineMethod(
  'eth_getUncleByBlockHashAndIndex',
  [hash, index],
  (_context, _blockHash, _position) => null,
)

function uncleCount(block: Block | undefined): Hex | null {
  return block ? '0x0' : null
}
