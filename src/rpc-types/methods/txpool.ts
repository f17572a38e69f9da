import type { Address, Quantity } from '#primitives/hex.ts'
import { type FactsOf, NOTHING } from '#rpc-types/method.ts'
import type { RpcTransaction } from '#rpc-types/objects.ts'

/** Transactions that wait in the pool. */
export interface TxpoolMethods {
  /** Transactions waiting in the pool, best first, at most 1,000. */
  txpool_content: {
    params: []
    result: {
      pending: Record<Address, Record<string, RpcTransaction>>
      queued: Record<Address, Record<string, RpcTransaction>>
    }
  }
  /** Number of transactions in the pool. */
  txpool_status: { params: []; result: { pending: Quantity; queued: Quantity } }
  /** Transactions in the pool by sender and decimal nonce, a line each; best first, at most 1,000. */
  txpool_inspect: { params: []; result: { pending: Record<Address, Text>; queued: Record<Address, Text> } }
  /** Transactions of one sender in the pool, by decimal nonce. */
  txpool_contentFrom: { params: [address: Address]; result: { pending: Transactions; queued: Transactions } }
}

export const TXPOOL_FACTS = {
  txpool_content: { effect: 'reads', subject: NOTHING, guest: 'never' },
  txpool_status: { effect: 'reads', subject: NOTHING, guest: 'call' },
  txpool_inspect: { effect: 'reads', subject: NOTHING, guest: 'never' },
  txpool_contentFrom: { effect: 'reads', subject: NOTHING, guest: 'heavy' },
} as const satisfies FactsOf<TxpoolMethods>

type Text = Readonly<Record<string, string>>

type Transactions = Readonly<Record<string, RpcTransaction>>
