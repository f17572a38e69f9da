import type { Hash } from '#primitives/hex.ts'
import { type FactsOf, own } from '#rpc-types/method.ts'

/** Base's names. */
export interface ChainMethods {
  /** Whether the node knows a transaction: in the mempool, pre-confirmed or sealed. */
  chain_transactionStatus: { params: [hash: Hash]; result: { status: 'Known' | 'Unknown' } }
}

export const CHAIN_FACTS = {
  chain_transactionStatus: {
    effect: 'reads',
    subject: own('submission'),
    guest: 'call',
    aliases: ['base_transactionStatus'],
  },
} as const satisfies FactsOf<ChainMethods>
