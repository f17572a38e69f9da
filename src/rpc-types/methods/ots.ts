import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'
import { ACCOUNT, blockBy, bothSides, type FactsOf, NOTHING, stateAt, transaction } from '#rpc-types/method.ts'
import type { BlockNumberOrTag, BlockSelector, RpcBlock, RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'

/** What Otterscan, a block explorer, asks of its node. */
export interface OtsMethods {
  /** The version of these methods. */
  ots_getApiLevel: { params: []; result: 8 }
  /** Whether an address has code. */
  ots_hasCode: { params: [address: Address, block?: BlockSelector]; result: boolean }
  /** Wei that contracts sent within a transaction, contracts that they created, and self-destructions, without failed calls. */
  ots_getInternalOperations: { params: [hash: Hash]; result: readonly RpcOtsOperation[] }
  /** The data with which a transaction was reverted; `0x` if it was not. */
  ots_getTransactionError: { params: [hash: Hash]; result: Hex }
  /** Frames of a transaction in the order in which they began, calls of precompiled contracts left out. */
  ots_traceTransaction: { params: [hash: Hash]; result: readonly RpcOtsFrame[] }
  /** A block without its transactions, and the fees they paid. */
  ots_getBlockDetails: { params: [block: BlockNumberOrTag | number]; result: RpcOtsBlockDetails | null }
  /** As `ots_getBlockDetails`, of a sealed block. */
  ots_getBlockDetailsByHash: { params: [hash: Hash]; result: RpcOtsBlockDetails | null }
  /** Transactions of a block, at most 1,000, with 4 bytes of their input; page 0 has the last ones. */
  ots_getBlockTransactions: {
    params: [block: BlockNumberOrTag | number, page: number | Quantity, pageSize: number | Quantity]
    result: RpcOtsBlockTransactions | null
  }
  /**
   * Sealed transactions below a block, 0 for all, newest first: those that an account sent, or that were sent to it, created
   * it, have a log of it, or called it or were called by it within. Calls within are found by executing transactions once
   * more: those whose states are kept, of 1,000,000,000 gas together. A page, of at most 100, ends with a whole block.
   */
  ots_searchTransactionsBefore: {
    params: [address: Address, block: number | Quantity, pageSize: number | Quantity]
    result: RpcOtsPage
  }
  /** Transactions of an account above a block, the nearest ones, newest first; as `ots_searchTransactionsBefore`. */
  ots_searchTransactionsAfter: {
    params: [address: Address, block: number | Quantity, pageSize: number | Quantity]
    result: RpcOtsPage
  }
  /** Hash of a transaction by its sender and nonce: pre-confirmed or sealed. */
  ots_getTransactionBySenderAndNonce: { params: [sender: Address, nonce: Quantity | number]; result: Hash | null }
  /** The transaction that created a contract, and its creator; `null` for genesis contracts and code set by hand. */
  ots_getContractCreator: {
    params: [address: Address]
    result: { readonly hash: Hash; readonly creator: Address } | null
  }
}

export const OTS_FACTS = {
  ots_getApiLevel: { effect: 'reads', subject: NOTHING, guest: 'never' },
  ots_hasCode: { effect: 'reads', subject: stateAt(1, 'boolean'), guest: 'never' },
  ots_getInternalOperations: { effect: 'reads', subject: transaction('list'), guest: 'never' },
  ots_getTransactionError: { effect: 'reads', subject: transaction('text'), guest: 'never' },
  ots_traceTransaction: { effect: 'reads', subject: transaction('list'), guest: 'never' },
  ots_getBlockDetails: { effect: 'reads', subject: blockBy('number', 'object'), guest: 'never' },
  ots_getBlockDetailsByHash: { effect: 'reads', subject: blockBy('hash', 'object'), guest: 'never' },
  ots_getBlockTransactions: {
    effect: 'reads',
    subject: blockBy('number', 'object'),
    guest: 'never',
    example: ['latest', 0, 25],
  },
  ots_searchTransactionsBefore: {
    effect: 'reads',
    subject: bothSides('object'),
    guest: 'never',
    example: [ACCOUNT, 0, 25],
  },
  ots_searchTransactionsAfter: {
    effect: 'reads',
    subject: bothSides('object'),
    guest: 'never',
    example: [ACCOUNT, 0, 25],
  },
  ots_getTransactionBySenderAndNonce: {
    effect: 'reads',
    subject: bothSides('text'),
    guest: 'never',
    example: [ACCOUNT, '0x0'],
  },
  ots_getContractCreator: { effect: 'reads', subject: bothSides('object'), guest: 'never' },
} as const satisfies FactsOf<OtsMethods>

export interface RpcOtsOperation {
  /** 0: a transfer, 1: a self-destruction, 2: CREATE, 3: CREATE2. */
  readonly type: 0 | 1 | 2 | 3
  readonly from: Address
  readonly to: Address
  /** Wei. */
  readonly value: Quantity
}

export interface RpcOtsFrame {
  readonly type: 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2' | 'SELFDESTRUCT'
  /** 0 for that of the transaction. */
  readonly depth: number
  readonly from: Address
  /** `null` where a creation failed. */
  readonly to: Address | null
  /** Wei; `null` where none can be sent. */
  readonly value: Quantity | null
  readonly input: Hex
  readonly output: Hex
}

/** A block as Otterscan wants it. */
export type RpcOtsBlock = Omit<RpcBlock, 'transactions' | 'logsBloom'> & {
  readonly logsBloom: null
  readonly transactionCount: number
}

export interface RpcOtsBlockDetails {
  readonly block: RpcOtsBlock
  /** 0: blocks have no reward. */
  readonly issuance: { readonly blockReward: '0x0'; readonly uncleReward: '0x0'; readonly issuance: '0x0' }
  /** Wei, base fees included. */
  readonly totalFees: Quantity
}

export interface RpcOtsBlockTransactions {
  readonly fullblock: RpcOtsBlock & { readonly transactions: readonly RpcTransaction[] }
  /** Receipts of these transactions. */
  readonly receipts: readonly (Omit<RpcReceipt, 'logs' | 'logsBloom'> & {
    readonly logs: null
    readonly logsBloom: null
    readonly timestamp: Quantity
  })[]
}

export interface RpcOtsPage {
  readonly txs: readonly RpcTransaction[]
  /** In the same order. */
  readonly receipts: readonly (RpcReceipt & { readonly timestamp: Quantity })[]
  /** Whether none is newer. */
  readonly firstPage: boolean
  /** Whether none is older. */
  readonly lastPage: boolean
}
