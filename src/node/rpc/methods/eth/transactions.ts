import { bytesToHex, type Hash, type Hex } from '#primitives/hex.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'
import type { Block } from '../../../payload/block.ts'
import { includedAt } from '../../../storage/stored-block.ts'
import type { Transaction } from '../../../tx/transaction.ts'
import type { NodeContext } from '../../context.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { findNewest } from '../../find-newest.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { formatIncluded, formatPooled } from '../../format/transaction.ts'
import { blockNumber, findBlock } from '../../params/block-params.ts'
import { address, hash, index, rawTransaction } from '../../params/hex-params.ts'
import { hexOrDecimal } from '../../params/plain-params.ts'

/** Transactions, by hash or by position in a block, and their receipts. */
export const ETH_TRANSACTION_METHODS = {
  /** Accepts a signed transaction into the pool; it can be included at the next tick. */
  eth_sendRawTransaction: defineMethod(
    [rawTransaction],
    async (context, raw) => context.submit(await context.decoder.decode(raw)).hash,
  ),

  /** Sealed, pre-confirmed or in the mempool. */
  eth_getTransactionByHash: defineMethod([hash], ({ chain, pool }, transactionHash) => {
    const found = chain.findTransaction(transactionHash)
    if (found) return formatIncluded(found.included, found.block)
    const pooled = pool.get(transactionHash)
    return pooled ? formatPooled(pooled) : null
  }),

  /** The newest one, where a nonce was set back. */
  eth_getTransactionBySenderAndNonce: defineMethod([address, hexOrDecimal], async (context, sender, nonce) => {
    const isWanted = (tx: Transaction) => tx.nonce === nonce && tx.sender === sender
    const { pending, queued } = context.pool.contentFrom(sender)
    const pooled = [...pending, ...queued].find(isWanted)
    if (pooled) return formatPooled(pooled)
    const found = await findNewest(context, ({ tx }) => isWanted(tx))
    return found ? formatIncluded(found.included, found.block) : null
  }),

  /** Sealed or pre-confirmed; `null` in the mempool. */
  eth_getTransactionReceipt: defineMethod([hash], ({ chain }, transactionHash) => {
    const found = chain.findTransaction(transactionHash)
    return found ? formatReceipt(found.included, found.block) : null
  }),

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

  /** The bytes as they were submitted, in any state. */
  eth_getRawTransactionByHash: defineMethod([hash], rawTransactionByHash),
} satisfies Partial<MethodTable>

function transactionAt(block: Block | undefined, position: number): RpcTransaction | null {
  const included = block && includedAt(block, position)
  return block && included ? formatIncluded(included, block) : null
}

function rawTransactionAt(block: Block | undefined, position: number): Hex {
  const included = block && includedAt(block, position)
  return included ? bytesToHex(included.tx.raw) : '0x'
}

/** The bytes of a transaction as they were submitted, or `0x`. */
export function rawTransactionByHash({ chain, pool }: Pick<NodeContext, 'chain' | 'pool'>, transactionHash: Hash): Hex {
  const tx = chain.findTransaction(transactionHash)?.included.tx ?? pool.get(transactionHash)
  return tx ? bytesToHex(tx.raw) : '0x'
}
