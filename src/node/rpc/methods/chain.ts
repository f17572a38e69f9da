import { defineMethod, type MethodTable } from '../define-method.ts'
import { hash } from '../params/hex-params.ts'

/** Methods that Base's nodes have. */
export const CHAIN_METHODS = {
  /** Whether the node knows the transaction, in any state. */
  chain_transactionStatus: defineMethod([hash], ({ chain, pool }, transactionHash) => {
    const known = chain.findTransaction(transactionHash) ?? pool.get(transactionHash)
    return { status: known ? 'Known' : 'Unknown' }
  }),
} satisfies Partial<MethodTable>
