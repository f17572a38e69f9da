import { bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import type { Block } from '../../../payload/block.ts'
import { encodeBlock } from '../../../payload/encode-block.ts'
import { encodeHeader } from '../../../payload/header.ts'
import { encodeReceipt } from '../../../payload/receipt.ts'
import { guardFor } from '../../caller-guard.ts'
import type { NodeContext } from '../../context.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { mapInSlices } from '../../map-in-slices.ts'
import { type BlockRef, blockRef } from '../../params/block-params.ts'
import { hash } from '../../params/hex-params.ts'
import { findBlock } from '../../resolve-block.ts'

/** Transactions, headers, blocks and receipts as bytes. */
export const DEBUG_RAW_METHODS = {
  /** The bytes as they were submitted, wherever the transaction stands. */
  eth_getRawTransactionByHash: defineMethod([hash], rawTransaction),
  debug_getRawTransaction: defineMethod([hash], rawTransaction),

  /** RLP of a header. */
  debug_getRawHeader: defineMethod([blockRef], (context, ref) =>
    bytesToHex(encodeHeader(requirePart(context, ref, 'header').header)),
  ),

  /** RLP of a block, as long as its `size` says. */
  debug_getRawBlock: defineMethod(
    [blockRef],
    (context, ref) => bytesToHex(encodeBlock(requirePart(context, ref, 'block'))),
    { queue: 'answer' },
  ),

  /** The receipts of a block as its receipts trie holds them. */
  debug_getRawReceipts: defineMethod(
    [blockRef],
    (context, ref) =>
      mapInSlices(
        requirePart(context, ref, 'block').transactions,
        ({ receipt }) => bytesToHex(encodeReceipt(receipt)),
        guardFor(context),
      ),
    { queue: 'answer' },
  ),
} satisfies Partial<MethodTable>

function rawTransaction({ chain, pool }: Pick<NodeContext, 'chain' | 'pool'>, transactionHash: Hash): Hex {
  const tx = chain.findTransaction(transactionHash)?.included.tx ?? pool.get(transactionHash)
  return tx ? bytesToHex(tx.raw) : '0x'
}

function requirePart(context: NodeContext, ref: BlockRef, part: 'header' | 'block'): Block {
  const block = findBlock(context, ref)
  if (block) return block
  throw new RpcRefusedError('server', `${part} #${typeof ref === 'object' ? ref.hash : ref} not found`)
}
