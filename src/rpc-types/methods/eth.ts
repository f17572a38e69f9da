// Longer than most files: a namespace stands in one file, with the facts of its methods beside them, as all that is derived
// from them reads it.
import type { Address, Bytes65, BytesMax32, Hash, Hex, Quantity } from '#primitives/hex.ts'
import {
  ACCOUNT,
  blockBy,
  bothSides,
  type FactsOf,
  FEES,
  LOGS,
  NOTHING,
  OTHER,
  own,
  stateAt,
  transaction,
} from '#rpc-types/method.ts'
import type {
  BlockNumberOrTag,
  BlockSelector,
  RpcAccessListItem,
  RpcAuthorization,
  RpcBlock,
  RpcCall,
  RpcFeeHistory,
  RpcHeader,
  RpcLog,
  RpcReceipt,
  RpcTransaction,
} from '#rpc-types/objects.ts'
import type { RpcBlockOverrides, RpcStateOverrides } from '#rpc-types/overrides.ts'
import type { RpcLogQuery } from '#rpc-types/subscriptions.ts'

/** The chain, its blocks, transactions, state and logs; calls, transactions and signatures. */
export interface EthMethods {
  /** The chain id. */
  eth_chainId: { params: []; result: Quantity }
  /** Number of the newest sealed block. */
  eth_blockNumber: { params: []; result: Quantity }
  /** `false`: there is no one to sync with. */
  eth_syncing: { params: []; result: false }
  /** The rules that the chain runs by (EIP-7910). */
  eth_config: { params: []; result: { current: RpcForkConfig; next: null; last: null } }
  /** From which block on the node has data of each kind. */
  eth_capabilities: {
    params: []
    result: { readonly head: { readonly number: Quantity; readonly hash: Hash } } & Readonly<
      Record<'state' | 'tx' | 'logs' | 'receipts' | 'blocks' | 'stateproofs', RpcKeptData>
    >
  }
  /** 0: nobody mines. */
  eth_hashrate: { params: []; result: Quantity }
  /** The account that gets the tips of the pending block. */
  eth_coinbase: { params: []; result: Address }
  /** The accounts that the node sends for: the development accounts whose keys it has, then those that are impersonated. */
  eth_accounts: { params: []; result: readonly Address[] }
  /** EIP-1102: as `eth_accounts`. */
  eth_requestAccounts: { params: []; result: readonly Address[] }
  /** Wei per gas that a legacy transaction does well to offer. */
  eth_gasPrice: { params: []; result: Quantity }
  /** Tip in wei per gas that a transaction does well to offer. */
  eth_maxPriorityFeePerGas: { params: []; result: Quantity }
  /** Wei per gas of the pending block, which is the next one. */
  eth_baseFee: { params: []; result: Quantity }
  /** Wei per blob gas. */
  eth_blobBaseFee: { params: []; result: Quantity }
  /** Base fees, gas used and tips of a range of blocks. */
  eth_feeHistory: {
    params: [blockCount: Quantity | number, newestBlock: BlockNumberOrTag, rewardPercentiles?: readonly number[]]
    result: RpcFeeHistory
  }
  /** The block of a number or a tag; `pending` names the block that is being built. */
  eth_getBlockByNumber: { params: [block: BlockNumberOrTag, fullTransactions: boolean]; result: RpcBlock | null }
  /** The sealed block of a hash. */
  eth_getBlockByHash: { params: [hash: Hash, fullTransactions: boolean]; result: RpcBlock | null }
  /** Header of the block of a number or a tag. */
  eth_getHeaderByNumber: { params: [block: BlockNumberOrTag]; result: RpcHeader | null }
  /** Header of a sealed block. */
  eth_getHeaderByHash: { params: [hash: Hash]; result: RpcHeader | null }
  /** Number of transactions in a block. */
  eth_getBlockTransactionCountByNumber: { params: [block: BlockNumberOrTag]; result: Quantity | null }
  /** Number of transactions in a sealed block. */
  eth_getBlockTransactionCountByHash: { params: [hash: Hash]; result: Quantity | null }
  /** Outcomes of all transactions of a block. */
  eth_getBlockReceipts: { params: [block: BlockSelector]; result: readonly RpcReceipt[] | null }
  /** 0 for every block. */
  eth_getUncleCountByBlockNumber: { params: [block: BlockNumberOrTag]; result: Quantity | null }
  /** 0 for every block. */
  eth_getUncleCountByBlockHash: { params: [hash: Hash]; result: Quantity | null }
  /** `null`: there are no uncles. */
  eth_getUncleByBlockNumberAndIndex: { params: [block: BlockNumberOrTag, index: Quantity]; result: null }
  /** `null`: there are no uncles. */
  eth_getUncleByBlockHashAndIndex: { params: [hash: Hash, index: Quantity]; result: null }
  /** A transaction: sealed, pre-confirmed or in the mempool. */
  eth_getTransactionByHash: { params: [hash: Hash]; result: RpcTransaction | null }
  /** A transaction by its sender and nonce: in the mempool, pre-confirmed or sealed. */
  eth_getTransactionBySenderAndNonce: {
    params: [sender: Address, nonce: Quantity | number]
    result: RpcTransaction | null
  }
  /** Outcome of a sealed or pre-confirmed transaction. */
  eth_getTransactionReceipt: { params: [hash: Hash]; result: RpcReceipt | null }
  /** A transaction by its position in a block. */
  eth_getTransactionByBlockNumberAndIndex: {
    params: [block: BlockNumberOrTag, index: Quantity]
    result: RpcTransaction | null
  }
  /** A transaction by its position in a sealed block. */
  eth_getTransactionByBlockHashAndIndex: { params: [hash: Hash, index: Quantity]; result: RpcTransaction | null }
  /** Bytes of a transaction; `0x` if there is none, as in geth. */
  eth_getRawTransactionByHash: { params: [hash: Hash]; result: Hex }
  /** Bytes of a transaction by its position in a block; `0x` if there is none, as in geth. */
  eth_getRawTransactionByBlockNumberAndIndex: { params: [block: BlockNumberOrTag, index: Quantity]; result: Hex }
  /** Bytes of a transaction by its position in a sealed block; `0x` if there is none, as in geth. */
  eth_getRawTransactionByBlockHashAndIndex: { params: [hash: Hash, index: Quantity]; result: Hex }
  /** Wei held by an account. */
  eth_getBalance: { params: [address: Address, block?: BlockSelector]; result: Quantity }
  /** Nonce of an account; at `pending`, the next one after the transactions that wait in the pool. */
  eth_getTransactionCount: { params: [address: Address, block?: BlockSelector]; result: Quantity }
  /** Code of an account. */
  eth_getCode: { params: [address: Address, block?: BlockSelector]; result: Hex }
  /** An account's balance, nonce and code. */
  eth_getAccountInfo: {
    params: [address: Address, block?: BlockSelector]
    result: { balance: Quantity; nonce: Quantity; code: Hex }
  }
  /** An account as the state trie has it. */
  eth_getAccount: {
    params: [address: Address, block?: BlockSelector]
    result: { balance: Quantity; nonce: Quantity; codeHash: Hash; storageRoot: Hash }
  }
  /** A storage slot of an account. */
  eth_getStorageAt: { params: [address: Address, slot: BytesMax32, block?: BlockSelector]; result: Hash }
  /** Storage slots of several accounts; at most 1,024 slots. */
  eth_getStorageValues: {
    params: [slots: Readonly<Record<Address, readonly BytesMax32[]>>, block?: BlockSelector]
    result: Readonly<Record<Address, readonly Hash[]>>
  }
  /** An account and some of its slots, with Merkle proofs (EIP-1186). */
  eth_getProof: {
    params: [address: Address, slots: readonly BytesMax32[], block?: BlockSelector]
    result: {
      address: Address
      accountProof: readonly Hex[]
      balance: Quantity
      codeHash: Hash
      nonce: Quantity
      storageHash: Hash
      storageProof: readonly { key: BytesMax32; value: Quantity; proof: readonly Hex[] }[]
    }
  }
  /** Output of a call that is made without a transaction. */
  eth_call: {
    params: [call: RpcCall, block?: BlockSelector, state?: RpcStateOverrides, env?: RpcBlockOverrides]
    result: Hex
  }
  /** The least gas with which a call succeeds; without a block, at `pending`. */
  eth_estimateGas: {
    params: [call: RpcCall, block?: BlockSelector, state?: RpcStateOverrides, env?: RpcBlockOverrides]
    result: Quantity
  }
  /**
   * The addresses and slots that a call would touch, and its gas. Without a price the call is free of fees, as for
   * `eth_call`.
   */
  eth_createAccessList: {
    params: [call: RpcCall, block?: BlockSelector, state?: RpcStateOverrides]
    result: { accessList: readonly RpcAccessListItem[]; error?: string; gasUsed: Quantity }
  }
  /** Transactions in the pool, of all senders, those that can be executed first; at most 1,000. */
  eth_pendingTransactions: { params: []; result: readonly RpcTransaction[] }
  /**
   * Calls in sequence on the state after a block, or before its transaction `transactionIndex`, each on the state that the
   * one before leaves; at most 256. Those of a bundle are in the same block. As in Erigon and reth.
   */
  eth_callMany: {
    params: [
      bundles: readonly { transactions: readonly RpcCall[]; blockOverride?: RpcBlockOverrides }[],
      at?: { blockNumber?: BlockSelector; transactionIndex?: number | Quantity },
      state?: RpcStateOverrides,
    ]
    result: readonly (readonly RpcCallOutcome[])[]
  }
  /** Blocks of calls on top of a block; at most 256 blocks and the gas of one `eth_call`. */
  eth_simulateV1: {
    params: [
      simulation: {
        readonly blockStateCalls: readonly {
          readonly blockOverrides?: RpcBlockOverrides
          readonly stateOverrides?: RpcStateOverrides
          readonly calls?: readonly RpcCall[]
        }[]
        /** Shows transfers of ETH as logs of ERC-20 transfers, from 0xeeee…eeee (ERC-7528). */
        readonly traceTransfers?: boolean
        /** Checks nonces and fees as for a real transaction, senders and signatures not. */
        readonly validation?: boolean
        readonly returnFullTransactions?: boolean
      },
      block?: BlockSelector,
    ]
    result: readonly RpcSimulatedBlock[]
  }
  /** Submits a signed transaction; its hash. */
  eth_sendRawTransaction: { params: [data: Hex]; result: Hash }
  /** Submits a signed transaction; its receipt, as soon as it is pre-confirmed. The timeout is in milliseconds, at most 6,000. */
  eth_sendRawTransactionSync: { params: [data: Hex, timeoutMs?: Quantity | number]; result: RpcReceipt }
  /** Fills, signs and submits a transaction; its hash. */
  eth_sendTransaction: { params: [transaction: RpcCall]; result: Hash }
  /** Sends a transaction; answers its receipt, as soon as it is pre-confirmed. The timeout is in milliseconds, at most 6,000. */
  eth_sendTransactionSync: { params: [transaction: RpcCall, timeoutMs?: Quantity | number]; result: RpcReceipt }
  /**
   * Replaces a transaction that waits in the pool: the one of that sender and nonce, if it is what the object describes. It
   * is signed anew with another price, gas limit or both, in wei per gas and gas; its hash. The pool wants 10 % more.
   */
  eth_resend: {
    params: [transaction: RpcCall, gasPrice?: Quantity | null, gasLimit?: Quantity | null]
    result: Hash
  }
  /** Sends a transaction of any account, as if it were impersonated. */
  eth_sendUnsignedTransaction: { params: [transaction: RpcCall]; result: Hash }
  /** Completes a transaction: its fields, ready to be signed, and its bytes with an empty signature. */
  eth_fillTransaction: { params: [transaction: RpcCall]; result: { raw: Hex; tx: RpcFilledTransaction } }
  /** Signs a transaction: the bytes for `eth_sendRawTransaction`. Nonce, gas and fees must be given. */
  eth_signTransaction: { params: [transaction: RpcCall]; result: Hex }
  /** Signs an EIP-191 personal message; the last byte is 27 or 28. */
  eth_sign: { params: [account: Address, message: Hex]; result: Bytes65 }
  /** Signs EIP-712 typed data, given as JSON text or as an object. */
  eth_signTypedData_v4: { params: [account: Address, typedData: RpcTypedData | string]; result: Bytes65 }
  /** Logs that a query selects; with `toBlock: 'pending'` pre-confirmed ones as well. */
  eth_getLogs: { params: [query: RpcLogQuery]; result: readonly RpcLog[] }
  /** Starts a filter for logs; its id. With `toBlock: 'pending'` logs come when they are pre-confirmed. */
  eth_newFilter: { params: [query: RpcLogQuery]; result: Quantity }
  /** Starts a filter for sealed blocks; its id. */
  eth_newBlockFilter: { params: []; result: Quantity }
  /** Starts a filter for transactions that the pool accepts; its id. */
  eth_newPendingTransactionFilter: { params: [fullTransactions?: boolean]; result: Quantity }
  /** Everything new since the last poll: logs, hashes of blocks, or transactions. */
  eth_getFilterChanges: { params: [id: Quantity]; result: readonly (Hash | RpcTransaction | RpcLog)[] }
  /** All logs that the filter's query selects. */
  eth_getFilterLogs: { params: [id: Quantity]; result: readonly RpcLog[] }
  /** Ends a filter; whether there was one. */
  eth_uninstallFilter: { params: [id: Quantity]; result: boolean }
  /** Starts a subscription of a kind of `x-subscriptions`, with its parameter; its id. */
  eth_subscribe: { params: [kind: string, mode?: unknown]; result: Quantity }
  /** Ends a subscription; whether there was one. */
  eth_unsubscribe: { params: [id: Quantity]; result: boolean }
}

export const ETH_FACTS = {
  eth_chainId: { effect: 'reads', subject: NOTHING, guest: 'call' },
  eth_blockNumber: { effect: 'reads', subject: NOTHING, guest: 'call' },
  eth_syncing: { effect: 'reads', subject: NOTHING, guest: 'call' },
  eth_config: { effect: 'reads', subject: NOTHING, guest: 'call' },
  eth_capabilities: { effect: 'reads', subject: NOTHING, guest: 'call' },
  eth_hashrate: { effect: 'reads', subject: NOTHING, guest: 'call' },
  eth_coinbase: { effect: 'reads', subject: NOTHING, guest: 'call' },
  eth_accounts: { effect: 'reads', subject: NOTHING, guest: 'never' },
  eth_requestAccounts: { effect: 'wallet', subject: NOTHING, guest: 'never' },
  eth_gasPrice: { effect: 'reads', subject: NOTHING, guest: 'call' },
  eth_maxPriorityFeePerGas: { effect: 'reads', subject: NOTHING, guest: 'call' },
  eth_baseFee: { effect: 'reads', subject: NOTHING, guest: 'call' },
  eth_blobBaseFee: { effect: 'reads', subject: NOTHING, guest: 'call' },
  eth_feeHistory: { effect: 'reads', subject: FEES, guest: 'heavy', example: ['0x5', 'latest', [25, 50, 75]] },
  eth_getBlockByNumber: {
    effect: 'reads',
    subject: blockBy('number', 'numbered'),
    guest: 'heavy',
    example: ['pending', false],
  },
  eth_getBlockByHash: { effect: 'reads', subject: blockBy('hash', 'numbered'), guest: 'heavy' },
  eth_getHeaderByNumber: {
    effect: 'reads',
    subject: blockBy('number', 'numbered'),
    guest: 'call',
    aliases: ['erigon_getHeaderByNumber'],
  },
  eth_getHeaderByHash: { effect: 'reads', subject: blockBy('hash', 'numbered'), guest: 'call' },
  eth_getBlockTransactionCountByNumber: { effect: 'reads', subject: blockBy('number', 'text'), guest: 'call' },
  eth_getBlockTransactionCountByHash: { effect: 'reads', subject: blockBy('hash', 'text'), guest: 'call' },
  eth_getBlockReceipts: { effect: 'reads', subject: blockBy('either', 'list'), guest: 'heavy' },
  eth_getUncleCountByBlockNumber: { effect: 'reads', subject: blockBy('number', 'text'), guest: 'call' },
  eth_getUncleCountByBlockHash: { effect: 'reads', subject: blockBy('hash', 'text'), guest: 'call' },
  eth_getUncleByBlockNumberAndIndex: { effect: 'reads', subject: blockBy('number', 'object'), guest: 'call' },
  eth_getUncleByBlockHashAndIndex: { effect: 'reads', subject: blockBy('hash', 'object'), guest: 'call' },
  eth_getTransactionByHash: { effect: 'reads', subject: transaction('numbered'), guest: 'call' },
  eth_getTransactionBySenderAndNonce: {
    effect: 'reads',
    subject: bothSides('numbered'),
    guest: 'call',
    example: [ACCOUNT, '0x0'],
  },
  eth_getTransactionReceipt: { effect: 'reads', subject: transaction('numbered'), guest: 'call' },
  eth_getTransactionByBlockNumberAndIndex: { effect: 'reads', subject: blockBy('number', 'numbered'), guest: 'call' },
  eth_getTransactionByBlockHashAndIndex: { effect: 'reads', subject: blockBy('hash', 'numbered'), guest: 'call' },
  eth_getRawTransactionByHash: { effect: 'reads', subject: transaction('bytes'), guest: 'call' },
  eth_getRawTransactionByBlockNumberAndIndex: { effect: 'reads', subject: blockBy('number', 'bytes'), guest: 'call' },
  eth_getRawTransactionByBlockHashAndIndex: { effect: 'reads', subject: blockBy('hash', 'bytes'), guest: 'call' },
  eth_getBalance: { effect: 'reads', subject: stateAt(1, 'text'), guest: 'call', example: [ACCOUNT, 'pending'] },
  eth_getTransactionCount: {
    effect: 'reads',
    subject: stateAt(1, 'text'),
    guest: 'call',
    example: [ACCOUNT, 'pending'],
  },
  eth_getCode: { effect: 'reads', subject: stateAt(1, 'text'), guest: 'call' },
  eth_getAccountInfo: { effect: 'reads', subject: stateAt(1, 'object'), guest: 'call' },
  eth_getAccount: { effect: 'reads', subject: stateAt(1, 'object'), guest: 'call' },
  eth_getStorageAt: { effect: 'reads', subject: { ...stateAt(2, 'text'), slots: true }, guest: 'call' },
  eth_getStorageValues: { effect: 'reads', subject: { ...stateAt(1, 'object'), slots: true }, guest: 'heavy' },
  eth_getProof: { effect: 'reads', subject: { ...stateAt(2, 'object'), slots: true }, guest: 'heavy' },
  eth_call: {
    effect: 'reads',
    subject: stateAt(1, 'text'),
    guest: 'heavy',
    example: [{ from: ACCOUNT, to: OTHER, value: '0x1' }, 'pending'],
  },
  eth_estimateGas: { effect: 'reads', subject: stateAt(1, 'text'), guest: 'heavy' },
  eth_createAccessList: { effect: 'reads', subject: stateAt(1, 'object'), guest: 'heavy' },
  eth_pendingTransactions: { effect: 'reads', subject: NOTHING, guest: 'never' },
  eth_callMany: { effect: 'reads', subject: { ...stateAt(1, 'list'), member: 'blockNumber' }, guest: 'heavy' },
  eth_simulateV1: {
    effect: 'reads',
    subject: stateAt(1, 'list'),
    guest: 'heavy',
    example: [{ blockStateCalls: [{ calls: [{ from: ACCOUNT, to: OTHER, value: '0x1' }] }] }, 'latest'],
  },
  eth_sendRawTransaction: { effect: 'submits', subject: NOTHING, guest: 'transaction' },
  eth_sendRawTransactionSync: { effect: 'awaits', subject: NOTHING, guest: 'transaction' },
  eth_sendTransaction: {
    effect: 'changes',
    subject: NOTHING,
    guest: 'never',
    approval: { asks: 'transaction', sent: true },
  },
  eth_sendTransactionSync: {
    effect: 'changes',
    subject: NOTHING,
    guest: 'never',
    approval: { asks: 'transaction', sent: true },
  },
  eth_resend: { effect: 'changes', subject: NOTHING, guest: 'never' },
  eth_sendUnsignedTransaction: { effect: 'changes', subject: NOTHING, guest: 'never' },
  eth_fillTransaction: { effect: 'reads', subject: NOTHING, guest: 'heavy' },
  eth_signTransaction: {
    effect: 'signs',
    subject: NOTHING,
    guest: 'never',
    approval: { asks: 'transaction', sent: false },
  },
  eth_sign: {
    effect: 'signs',
    subject: NOTHING,
    guest: 'never',
    approval: { asks: 'message', account: 0, message: 1 },
  },
  eth_signTypedData_v4: {
    effect: 'signs',
    subject: NOTHING,
    guest: 'never',
    aliases: ['eth_signTypedData', 'eth_signTypedData_v3'],
    approval: { asks: 'typed-data' },
  },
  eth_getLogs: {
    effect: 'reads',
    subject: LOGS,
    guest: 'heavy',
    example: [{ fromBlock: 'earliest', toBlock: 'pending' }],
  },
  eth_newFilter: { effect: 'session', subject: own('coming'), guest: 'never', example: [{ fromBlock: 'latest' }] },
  eth_newBlockFilter: { effect: 'session', subject: NOTHING, guest: 'never' },
  eth_newPendingTransactionFilter: { effect: 'session', subject: NOTHING, guest: 'never' },
  eth_getFilterChanges: { effect: 'session', subject: NOTHING, guest: 'never' },
  eth_getFilterLogs: { effect: 'reads', subject: NOTHING, guest: 'never' },
  eth_uninstallFilter: { effect: 'session', subject: NOTHING, guest: 'never' },
  eth_subscribe: { effect: 'session', subject: own('coming'), guest: 'subscription', example: ['newHeads'] },
  eth_unsubscribe: { effect: 'session', subject: NOTHING, guest: 'subscription' },
} as const satisfies FactsOf<EthMethods>

/** Configuration of a fork as EIP-7910 has it. */
export interface RpcForkConfig {
  /** Seconds since the Unix epoch; 0: from block 0 on. */
  readonly activationTime: number
  readonly blobSchedule: { readonly baseFeeUpdateFraction: number; readonly max: number; readonly target: number }
  readonly chainId: Quantity
  /** 4 bytes. */
  readonly forkId: Hex
  readonly precompiles: Readonly<Record<string, Address>>
  readonly systemContracts: Readonly<Record<string, Address>>
}

/** The node's answer for one kind of data: all of it is available. */
interface RpcKeptData {
  readonly disabled: false
  readonly oldestBlock: '0x0'
}

/** Outcome of one call of `eth_simulateV1`. */
export interface RpcSimulatedCall {
  readonly status: '0x0' | '0x1'
  readonly returnData: Hex
  readonly gasUsed: Quantity
  /** Before refunds. */
  readonly maxUsedGas: Quantity
  readonly logs: readonly RpcLog[]
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Hex }
}

/** A block that `eth_simulateV1` made. */
export type RpcSimulatedBlock = RpcBlock & { readonly calls: readonly RpcSimulatedCall[] }

/** A transaction that is yet to be signed; its hash is that of the bytes with an empty signature, as in geth. */
export interface RpcFilledTransaction {
  readonly type: '0x0' | '0x1' | '0x2' | '0x4'
  readonly hash: Hash
  readonly chainId: Quantity
  readonly nonce: Quantity
  readonly gas: Quantity
  readonly to: Address | null
  readonly value: Quantity
  readonly input: Hex
  /** `null` for types 2 and 4. */
  readonly gasPrice: Quantity | null
  /** Types 2 and 4. */
  readonly maxFeePerGas?: Quantity
  /** Types 2 and 4. */
  readonly maxPriorityFeePerGas?: Quantity
  /** Not of type 0. */
  readonly accessList?: readonly RpcAccessListItem[]
  /** Type 4 only. */
  readonly authorizationList?: readonly RpcAuthorization[]
  readonly v: '0x0'
  readonly r: '0x0'
  readonly s: '0x0'
  /** Not of type 0. */
  readonly yParity?: '0x0'
}

/** EIP-712. */
export interface RpcTypedData {
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly domain?: Readonly<Record<string, unknown>>
  readonly message: Readonly<Record<string, unknown>>
}

/** What a call returns, or why it failed. */
export interface RpcCallOutcome {
  readonly value?: Hex
  readonly error?: string
}
