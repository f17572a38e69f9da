import type { Hash } from '#primitives/hex.ts'
import type { RepeatableOf } from '#rpc-types/method.ts'

/** Base's names. */
export interface ChainMethods {
  /** Whether the node knows a transaction: in the mempool, pre-confirmed or sealed. */
  chain_transactionStatus: { params: [hash: Hash]; result: { status: 'Known' | 'Unknown' } }
}

export const CHAIN_REPEATABLE: RepeatableOf<ChainMethods> = {
  chain_transactionStatus: true,
}
