import { defineMethod } from '../../define-method.ts'
import { formatReceipt } from '../../format/receipt.ts'
import { formatIncluded, formatPooled } from '../../format/transaction.ts'
import { hash, rawTransaction } from '../../params/hex-params.ts'

/** `eth_sendRawTransaction`: takes a signed transaction into the pool, to be considered at the next tick. */
export const ethSendRawTransaction = defineMethod(
  'eth_sendRawTransaction',
  [rawTransaction],
  async (context, raw) => context.submit(await context.decoder.decode(raw)).hash,
)

/** `eth_getTransactionByHash`: sealed, pre-confirmed or in the mempool. */
export const ethGetTransactionByHash = defineMethod(
  'eth_getTransactionByHash',
  [hash],
  ({ chain, pool }, transactionHash) => {
    const found = chain.findTransaction(transactionHash)
    if (found) return formatIncluded(found.included, found.block)
    const pooled = pool.get(transactionHash)
    return pooled ? formatPooled(pooled) : null
  },
)

/** `eth_getTransactionReceipt`: sealed or pre-confirmed; `null` in the mempool. */
export const ethGetTransactionReceipt = defineMethod(
  'eth_getTransactionReceipt',
  [hash],
  ({ chain }, transactionHash) => {
    const found = chain.findTransaction(transactionHash)
    return found ? formatReceipt(found.included, found.block) : null
  },
)

/** `chain_transactionStatus`: whether the node has the transaction, in whatever state. */
export const chainTransactionStatus = defineMethod(
  'chain_transactionStatus',
  [hash],
  ({ chain, pool }, transactionHash) => {
    const known = chain.findTransaction(transactionHash) ?? pool.get(transactionHash)
    return { status: known ? 'Known' : 'Unknown' }
  },
)
