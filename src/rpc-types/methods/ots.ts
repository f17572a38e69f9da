import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'
import type { ExamplesOf, RepeatableOf } from '#rpc-types/method.ts'
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
  /** The same above a block, the nearest ones, newest first. */
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
  /** Of these transactions. */
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

export const OTS_REPEATABLE: RepeatableOf<OtsMethods> = {
  ots_getApiLevel: true,
  ots_hasCode: true,
  ots_getInternalOperations: true,
  ots_getTransactionError: true,
  ots_traceTransaction: true,
  ots_getBlockDetails: true,
  ots_getBlockDetailsByHash: true,
  ots_getBlockTransactions: true,
  ots_searchTransactionsBefore: true,
  ots_searchTransactionsAfter: true,
  ots_getTransactionBySenderAndNonce: true,
  ots_getContractCreator: true,
}

export const OTS_EXAMPLES: ExamplesOf<OtsMethods> = {
  ots_getBlockTransactions: () => ['latest', 0, 25],
  ots_searchTransactionsBefore: ({ account }) => [account, 0, 25],
  ots_searchTransactionsAfter: ({ account }) => [account, 0, 25],
  ots_getTransactionBySenderAndNonce: ({ account }) => [account, '0x0'],
}
