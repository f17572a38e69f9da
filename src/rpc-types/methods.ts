import type { Address, Hash, Hex } from '#primitives/hex.ts'
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
  eth_chainId: { params: []; result: Hex }
  eth_blockNumber: { params: []; result: Hex }
  eth_gasPrice: { params: []; result: Hex }
  eth_maxPriorityFeePerGas: { params: []; result: Hex }
  eth_feeHistory: {
    params: [blockCount: Hex | number, newestBlock: BlockTag | Hex, rewardPercentiles?: readonly number[]]
    result: RpcFeeHistory
  }
  eth_getBlockByNumber: { params: [block: BlockTag | Hex, fullTransactions: boolean]; result: RpcBlock | null }
  eth_getBlockByHash: { params: [hash: Hash, fullTransactions: boolean]; result: RpcBlock | null }
  eth_getBlockTransactionCountByNumber: { params: [block: BlockTag | Hex]; result: Hex | null }
  eth_getBalance: { params: [address: Address, block?: BlockSelector]; result: Hex }
  eth_getTransactionCount: { params: [address: Address, block?: BlockSelector]; result: Hex }
  eth_getCode: { params: [address: Address, block?: BlockSelector]; result: Hex }
  eth_getStorageAt: { params: [address: Address, slot: Hex, block?: BlockSelector]; result: Hash }
  eth_getProof: {
    params: [address: Address, slots: readonly Hex[], block?: BlockSelector]
    result: {
      address: Address
      accountProof: readonly Hex[]
      balance: Hex
      codeHash: Hash
      nonce: Hex
      storageHash: Hash
      storageProof: readonly { key: Hex; value: Hex; proof: readonly Hex[] }[]
    }
  }
  eth_call: {
    params: [call: RpcCall, block?: BlockSelector, state?: RpcStateOverrides, env?: RpcBlockOverrides]
    result: Hex
  }
  eth_estimateGas: {
    params: [call: RpcCall, block?: BlockSelector, state?: RpcStateOverrides, env?: RpcBlockOverrides]
    result: Hex
  }
  eth_sendRawTransaction: { params: [data: Hex]; result: Hash }
  eth_getTransactionByHash: { params: [hash: Hash]; result: RpcTransaction | null }
  eth_getTransactionReceipt: { params: [hash: Hash]; result: RpcReceipt | null }
  eth_getBlockReceipts: { params: [block: BlockSelector]; result: readonly RpcReceipt[] | null }
  eth_accounts: { params: []; result: readonly Address[] }
  eth_subscribe: { params: [kind: string, mode?: unknown]; result: Hex }
  eth_unsubscribe: { params: [id: Hex]; result: boolean }
  chain_transactionStatus: { params: [hash: Hash]; result: { status: 'Known' | 'Unknown' } }
  devnet_status: { params: []; result: DevnetStatus }
  /** Runs `n` ticks at once (default 1); the number of the live block and its index afterwards. */
  devnet_tick: { params: [n?: number | Hex]; result: { number: Hex; index: number } }
  devnet_pause: { params: []; result: true }
  devnet_resume: { params: []; result: true }
  /** Chain time over real time, above 0 up to 100. */
  devnet_setSpeed: { params: [factor: number]; result: true }
  /** Adds wei (default 100 ETH) to an account, visible at `pending` at once; the account's new balance. */
  devnet_faucet: { params: [address: Address, wei?: Hex]; result: Hex }
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
