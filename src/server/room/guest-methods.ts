import { isObject } from '#node/rpc/params/param.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { SubscriptionKind } from '#rpc-types/subscriptions.ts'

/** What a call costs: `call` reads something small, `heavy` executes, searches or answers much. */
type Cost = 'call' | 'heavy' | 'transaction' | 'subscription'

type EthMethod = Extract<MethodName, `eth_${string}`>

/**
 * What a guest may call: of `eth_` each method says so, or that it is the speaker's. All others that are not named are
 * the speaker's.
 */
const ALLOWED: { readonly [Name in EthMethod]: Cost | 'speaker' } & {
  readonly [Name in Exclude<MethodName, EthMethod>]?: Cost
} = {
  chain_transactionStatus: 'call',
  devnet_getTransactionTimeline: 'call',
  devnet_status: 'call',
  eth_accounts: 'speaker',
  eth_baseFee: 'call',
  eth_blobBaseFee: 'call',
  eth_blockNumber: 'call',
  eth_call: 'heavy',
  eth_callMany: 'heavy',
  eth_capabilities: 'call',
  eth_chainId: 'call',
  eth_coinbase: 'call',
  eth_config: 'call',
  eth_createAccessList: 'heavy',
  eth_estimateGas: 'heavy',
  eth_feeHistory: 'heavy',
  eth_fillTransaction: 'heavy',
  eth_gasPrice: 'call',
  eth_getBalance: 'call',
  eth_getBlockByHash: 'heavy',
  eth_getBlockByNumber: 'heavy',
  eth_getBlockReceipts: 'heavy',
  eth_getBlockTransactionCountByHash: 'call',
  eth_getBlockTransactionCountByNumber: 'call',
  eth_getCode: 'call',
  eth_getFilterChanges: 'speaker',
  eth_getFilterLogs: 'speaker',
  eth_getHeaderByHash: 'call',
  eth_getHeaderByNumber: 'call',
  eth_getLogs: 'heavy',
  eth_getProof: 'heavy',
  eth_getRawTransactionByBlockHashAndIndex: 'call',
  eth_getRawTransactionByBlockNumberAndIndex: 'call',
  eth_getRawTransactionByHash: 'call',
  eth_getStorageAt: 'call',
  eth_getStorageValues: 'heavy',
  eth_getTransactionByBlockHashAndIndex: 'call',
  eth_getTransactionByBlockNumberAndIndex: 'call',
  eth_getTransactionByHash: 'call',
  eth_getTransactionBySenderAndNonce: 'call',
  eth_getTransactionCount: 'call',
  eth_getTransactionReceipt: 'call',
  eth_getUncleByBlockHashAndIndex: 'call',
  eth_getUncleByBlockNumberAndIndex: 'call',
  eth_getUncleCountByBlockHash: 'call',
  eth_getUncleCountByBlockNumber: 'call',
  eth_maxPriorityFeePerGas: 'call',
  eth_newBlockFilter: 'speaker',
  eth_newFilter: 'speaker',
  eth_newPendingTransactionFilter: 'speaker',
  eth_pendingTransactions: 'speaker',
  eth_requestAccounts: 'speaker',
  eth_sendRawTransaction: 'transaction',
  eth_sendRawTransactionSync: 'transaction',
  eth_sendTransaction: 'speaker',
  eth_sendTransactionSync: 'speaker',
  eth_sendUnsignedTransaction: 'speaker',
  eth_sign: 'speaker',
  eth_signTransaction: 'speaker',
  eth_signTypedData_v4: 'speaker',
  eth_simulateV1: 'heavy',
  eth_subscribe: 'subscription',
  eth_syncing: 'call',
  eth_uninstallFilter: 'speaker',
  eth_unsubscribe: 'subscription',
  net_listening: 'call',
  net_peerCount: 'call',
  net_version: 'call',
  txpool_contentFrom: 'heavy',
  txpool_status: 'call',
  web3_clientVersion: 'call',
  web3_sha3: 'call',
}

const costs: ReadonlyMap<string, Cost | 'speaker'> = new Map(Object.entries(ALLOWED))

/** What a guest's call costs; `undefined` if it is not for guests. */
export function costOf(method: string): Cost | undefined {
  const cost = costs.get(method)
  return cost === 'speaker' ? undefined : cost
}

/** Subscriptions of the node that guests may have; whole blocks after each partial block are not among them. */
const SUBSCRIPTIONS: { readonly [Kind in SubscriptionKind]?: (mode: unknown) => boolean } = {
  logs: (query) => query === undefined || isObject(query),
  newPartialBlocks: (mode) => mode === undefined || mode === 'diff',
  newPartialBlockTransactions: (mode) => mode === undefined || typeof mode === 'boolean' || isObject(mode),
  newPendingTransactions: (full) => full === undefined || typeof full === 'boolean',
  pendingLogs: (query) => query === undefined || isObject(query),
  syncing: () => true,
  transactionReceipts: (query) => query === undefined || isObject(query),
}

const subscriptions: ReadonlyMap<unknown, (mode: unknown) => boolean> = new Map(Object.entries(SUBSCRIPTIONS))

/** Whether a guest may have this subscription of the node. */
export function mayFollow(kind: unknown, mode: unknown): boolean {
  return subscriptions.get(kind)?.(mode) === true
}
