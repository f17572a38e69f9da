import type { Address, BytesMax32, Hash, Hex, Quantity } from '#primitives/hex.ts'
import type { DevnetStatus, TransactionTimeline } from './devnet.ts'
import type { AccountMethods } from './families/account-methods.ts'
import type { DebugMethods } from './families/debug-methods.ts'
import type { DevnetMethods } from './families/devnet-methods.ts'
import type { LogMethods } from './families/log-methods.ts'
import type {
  BlockNumberOrTag,
  BlockSelector,
  RpcBlock,
  RpcCall,
  RpcFeeHistory,
  RpcReceipt,
  RpcTransaction,
} from './objects.ts'
import type { OpenRpcDocument } from './open-rpc.ts'
import type { RpcBlockOverrides, RpcStateOverrides } from './overrides.ts'

/** Method → positional parameters and result. The node implements exactly these; the page calls nothing else. */
export interface RpcMethods extends LogMethods, DebugMethods, AccountMethods, DevnetMethods {
  /** This document: all methods and what they take and answer (OpenRPC). */
  rpc_discover: { params: []; result: OpenRpcDocument }
  /** Name and version of the node. */
  web3_clientVersion: { params: []; result: string }
  /** The chain id in decimal. */
  net_version: { params: []; result: string }
  /** The chain id. */
  eth_chainId: { params: []; result: Quantity }
  /** Number of the newest sealed block. */
  eth_blockNumber: { params: []; result: Quantity }
  /** Wei per gas that a legacy transaction does well to offer. */
  eth_gasPrice: { params: []; result: Quantity }
  /** Tip in wei per gas that a transaction does well to offer. */
  eth_maxPriorityFeePerGas: { params: []; result: Quantity }
  /** Base fees, gas used and tips of a range of blocks. */
  eth_feeHistory: {
    params: [blockCount: Quantity | number, newestBlock: BlockNumberOrTag, rewardPercentiles?: readonly number[]]
    result: RpcFeeHistory
  }
  /** The block of a number or a tag; `pending` names the block that is being built. */
  eth_getBlockByNumber: { params: [block: BlockNumberOrTag, fullTransactions: boolean]; result: RpcBlock | null }
  /** The sealed block of a hash. */
  eth_getBlockByHash: { params: [hash: Hash, fullTransactions: boolean]; result: RpcBlock | null }
  /** How many transactions a block has. */
  eth_getBlockTransactionCountByNumber: { params: [block: BlockNumberOrTag]; result: Quantity | null }
  /** Wei held by an account. */
  eth_getBalance: { params: [address: Address, block?: BlockSelector]; result: Quantity }
  /** Nonce of an account; at `pending`, the next one after what waits in the pool. */
  eth_getTransactionCount: { params: [address: Address, block?: BlockSelector]; result: Quantity }
  /** Code of an account. */
  eth_getCode: { params: [address: Address, block?: BlockSelector]; result: Hex }
  /** A storage slot of an account. */
  eth_getStorageAt: { params: [address: Address, slot: BytesMax32, block?: BlockSelector]; result: Hash }
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
  /** Submits a signed transaction; its hash. */
  eth_sendRawTransaction: { params: [data: Hex]; result: Hash }
  /** A transaction: sealed, pre-confirmed or in the mempool. */
  eth_getTransactionByHash: { params: [hash: Hash]; result: RpcTransaction | null }
  /** Outcome of a sealed or pre-confirmed transaction. */
  eth_getTransactionReceipt: { params: [hash: Hash]; result: RpcReceipt | null }
  /** Outcomes of all transactions of a block. */
  eth_getBlockReceipts: { params: [block: BlockSelector]; result: readonly RpcReceipt[] | null }
  /** The accounts with which the node signs. */
  eth_accounts: { params: []; result: readonly Address[] }
  /** Starts a subscription of a kind of `x-subscriptions`, with its parameter; its id. */
  eth_subscribe: { params: [kind: string, mode?: unknown]; result: Quantity }
  /** Ends a subscription; whether there was one. */
  eth_unsubscribe: { params: [id: Quantity]; result: boolean }
  /** Whether the node knows a transaction: in the mempool, pre-confirmed or sealed. */
  chain_transactionStatus: { params: [hash: Hash]; result: { status: 'Known' | 'Unknown' } }
  /** The chain's settings and where it stands. */
  devnet_status: { params: []; result: DevnetStatus }
  /** Runs `n` ticks at once (default 1); the number of the pending block and its index afterwards. */
  devnet_tick: { params: [n?: number | Quantity]; result: { number: Quantity; index: number } }
  /** Stops the clock: nothing ticks by itself. */
  devnet_pause: { params: []; result: true }
  /** Lets the clock run on. */
  devnet_resume: { params: []; result: true }
  /** Chain time over real time, above 0 up to 100. */
  devnet_setSpeed: { params: [factor: number]; result: true }
  /** Adds wei (default 100 ETH) to an account, visible at `pending` at once; the account's new balance. */
  devnet_faucet: { params: [address: Address, wei?: Quantity]; result: Quantity }
  /** When a transaction was received, pre-confirmed, sealed, withdrawn, dropped or replaced. */
  devnet_getTransactionTimeline: { params: [hash: Hash]; result: TransactionTimeline | null }
  /** Transactions waiting in the pool, best first, at most 1,000. */
  txpool_content: {
    params: []
    result: {
      pending: Record<Address, Record<string, RpcTransaction>>
      queued: Record<Address, Record<string, RpcTransaction>>
    }
  }
}

export type MethodName = keyof RpcMethods
export type ParamsOf<Name extends MethodName> = RpcMethods[Name]['params']
export type ResultOf<Name extends MethodName> = RpcMethods[Name]['result']
