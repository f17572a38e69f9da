import { bytesToHex } from '#primitives/hex.ts'
import type { Block } from '../../../payload/block.ts'
import { encodeBlock } from '../../../payload/encode-block.ts'
import { encodeHeader } from '../../../payload/header.ts'
import { encodeReceipt } from '../../../payload/receipt.ts'
import { mapInSlices } from '../../../turns/map-in-slices.ts'
import { guardFor } from '../../caller-guard.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { type BlockRef, blockRef, findBlock } from '../../params/block-params.ts'
import { hash } from '../../params/hex-params.ts'
import { rawTransactionByHash } from '../eth/transactions.ts'

/** Transactions, headers, blocks and receipts as bytes. */
export const DEBUG_RAW_METHODS = {
  /** Answers as `eth_getRawTransactionByHash` does. */
  debug_getRawTransaction: defineMethod([hash], rawTransactionByHash),

  /** Every code that the chain has had is kept by its hash. A fork has those that it has run. */
  debug_codeByHash: defineMethod([hash], ({ chain }, codeHash) => {
    const { codes } = chain.pending().state
    return codes.has(codeHash) ? bytesToHex(codes.get(codeHash)) : '0x'
  }),

  /** RLP of a header. */
  debug_getRawHeader: defineMethod([blockRef], (context, ref) =>
    bytesToHex(encodeHeader(requirePart(context, ref, 'header').header)),
  ),

  /** RLP of a block; its length is the block's `size`. */
  debug_getRawBlock: defineMethod(
    [blockRef],
    (context, ref) => bytesToHex(encodeBlock(requirePart(context, ref, 'block'))),
    { queue: 'answer' },
  ),

  /** The receipts of a block, encoded as in its receipts trie. */
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

function requirePart(context: CallerContext, ref: BlockRef, part: 'header' | 'block'): Block {
  const block = findBlock(context, ref)
  if (block) return block
  throw new RpcRefusedError('server', `${part} #${typeof ref === 'object' ? ref.hash : ref} not found`)
}
