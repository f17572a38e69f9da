import { defineMethod, type MethodTable } from '../../define-method.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { formatIncluded, formatPooled } from '../../format/transaction.ts'
import { hash, rawTransaction } from '../../params/hex-params.ts'

/** Transactions and their receipts. */
export const TRANSACTION_METHODS = {
  /** Takes a signed transaction into the pool, to be considered at the next tick. */
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

  /** Sealed or pre-confirmed; `null` in the mempool. */
  eth_getTransactionReceipt: defineMethod([hash], ({ chain }, transactionHash) => {
    const found = chain.findTransaction(transactionHash)
    return found ? formatReceipt(found.included, found.block) : null
  }),

  /** Whether the node has the transaction, in whatever state. */
  chain_transactionStatus: defineMethod([hash], ({ chain, pool }, transactionHash) => {
    const known = chain.findTransaction(transactionHash) ?? pool.get(transactionHash)
    return { status: known ? 'Known' : 'Unknown' }
  }),
} satisfies Partial<MethodTable>
