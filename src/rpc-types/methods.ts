import type { Address, BytesMax32, Hash, Hex, Quantity } from '#primitives/hex.ts'
import type { DevnetStatus, TransactionTimeline } from './devnet.ts'
import type { AccountMethods } from './families/account-methods.ts'
import type { DebugMethods } from './families/debug-methods.ts'
import type { DevnetMethods } from './families/devnet-methods.ts'
import type { LogMethods } from './families/log-methods.ts'
import type {
  BlockSelector,
  BlockTag,
  RpcBlock,
  RpcCall,
  RpcFeeHistory,
  RpcReceipt,
  RpcTransaction,
} from './objects.ts'
import type { RpcBlockOverrides, RpcStateOverrides } from './overrides.ts'

/** Method → positional parameters and result. The node implements exactly these; the page calls nothing else. */
export interface RpcMethods extends LogMethods, DebugMethods, AccountMethods, DevnetMethods {
  web3_clientVersion: { params: []; result: string }
  net_version: { params: []; result: string }
  eth_chainId: { params: []; result: Quantity }
  eth_blockNumber: { params: []; result: Quantity }
  eth_gasPrice: { params: []; result: Quantity }
  eth_maxPriorityFeePerGas: { params: []; result: Quantity }
  eth_feeHistory: {
    params: [blockCount: Quantity | number, newestBlock: BlockTag | Quantity, rewardPercentiles?: readonly number[]]
    result: RpcFeeHistory
  }
  eth_getBlockByNumber: { params: [block: BlockTag | Quantity, fullTransactions: boolean]; result: RpcBlock | null }
  eth_getBlockByHash: { params: [hash: Hash, fullTransactions: boolean]; result: RpcBlock | null }
  eth_getBlockTransactionCountByNumber: { params: [block: BlockTag | Quantity]; result: Quantity | null }
  eth_getBalance: { params: [address: Address, block?: BlockSelector]; result: Quantity }
  eth_getTransactionCount: { params: [address: Address, block?: BlockSelector]; result: Quantity }
  eth_getCode: { params: [address: Address, block?: BlockSelector]; result: Hex }
  eth_getStorageAt: { params: [address: Address, slot: BytesMax32, block?: BlockSelector]; result: Hash }
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
  eth_call: {
    params: [call: RpcCall, block?: BlockSelector, state?: RpcStateOverrides, env?: RpcBlockOverrides]
    result: Quantity
  }
  eth_estimateGas: {
    params: [call: RpcCall, block?: BlockSelector, state?: RpcStateOverrides, env?: RpcBlockOverrides]
    result: Quantity
  }
  eth_sendRawTransaction: { params: [data: Hex]; result: Hash }
  eth_getTransactionByHash: { params: [hash: Hash]; result: RpcTransaction | null }
  eth_getTransactionReceipt: { params: [hash: Hash]; result: RpcReceipt | null }
  eth_getBlockReceipts: { params: [block: BlockSelector]; result: readonly RpcReceipt[] | null }
  eth_accounts: { params: []; result: readonly Address[] }
  eth_subscribe: { params: [kind: string, mode?: unknown]; result: Quantity }
  eth_unsubscribe: { params: [id: Quantity]; result: boolean }
  chain_transactionStatus: { params: [hash: Hash]; result: { status: 'Known' | 'Unknown' } }
  devnet_status: { params: []; result: DevnetStatus }
  /** Runs `n` ticks at once (default 1); the number of the live block and its index afterwards. */
  devnet_tick: { params: [n?: number | Quantity]; result: { number: Quantity; index: number } }
  devnet_pause: { params: []; result: true }
  devnet_resume: { params: []; result: true }
  /** Chain time over real time, above 0 up to 100. */
  devnet_setSpeed: { params: [factor: number]; result: true }
  /** Adds wei (default 100 ETH) to an account, visible at `pending` at once; the account's new balance. */
  devnet_faucet: { params: [address: Address, wei?: Quantity]; result: Quantity }
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
