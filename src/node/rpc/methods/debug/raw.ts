import { bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import type { Block } from '../../../payload/block.ts'
import { encodeBlock } from '../../../payload/encode-block.ts'
import { encodeHeader } from '../../../payload/header.ts'
import { encodeReceipt } from '../../../payload/receipt.ts'
import { guardFor } from '../../caller-guard.ts'
import type { NodeContext } from '../../context.ts'
import { defineMethod } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { mapInSlices } from '../../map-in-slices.ts'
import { type BlockRef, blockRef } from '../../params/block-params.ts'
import { hash } from '../../params/hex-params.ts'
import { findBlock } from '../../resolve-block.ts'

/** `eth_getRawTransactionByHash`: the bytes as they were submitted, wherever the transaction stands. */
export const ethGetRawTransactionByHash = defineMethod('eth_getRawTransactionByHash', [hash], rawTransaction)

/** `debug_getRawTransaction`: the same. */
export const debugGetRawTransaction = defineMethod('debug_getRawTransaction', [hash], rawTransaction)

/** `debug_getRawHeader`: RLP of a header. */
export const debugGetRawHeader = defineMethod('debug_getRawHeader', [blockRef], (context, ref) =>
  bytesToHex(encodeHeader(requirePart(context, ref, 'header').header)),
)

/** `debug_getRawBlock`: RLP of a block, as long as its `size` says. */
export const debugGetRawBlock = defineMethod('debug_getRawBlock', [blockRef], (context, ref) =>
  bytesToHex(encodeBlock(requirePart(context, ref, 'block'))),
)

/** `debug_getRawReceipts`: the receipts of a block as its receipts trie holds them. */
export const debugGetRawReceipts = defineMethod('debug_getRawReceipts', [blockRef], (context, ref) =>
  mapInSlices(
    requirePart(context, ref, 'block').transactions,
    ({ receipt }) => bytesToHex(encodeReceipt(receipt)),
    guardFor(context),
  ),
)

function rawTransaction({ chain, pool }: Pick<NodeContext, 'chain' | 'pool'>, transactionHash: Hash): Hex {
  const tx = chain.findTransaction(transactionHash)?.included.tx ?? pool.get(transactionHash)
  return tx ? bytesToHex(tx.raw) : '0x'
}

function requirePart(context: NodeContext, ref: BlockRef, part: 'header' | 'block'): Block {
  const block = findBlock(context, ref)
  if (block) return block
  throw new RpcRefusedError('server', `${part} #${typeof ref === 'object' ? ref.hash : ref} not found`)
}
