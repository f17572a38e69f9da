import { isObject } from '#node/rpc/params/param.ts'
import type { MethodName } from '#rpc-types/methods.ts'
import type { SubscriptionKind } from '#rpc-types/subscriptions.ts'

/** What a call costs: `call` reads something small, `heavy` executes, searches or answers much. */
type Cost = 'call' | 'heavy' | 'transaction' | 'subscription'

/** Every method of the node that a guest may call. All others are the speaker's. */
const ALLOWED: { readonly [Name in MethodName]?: Cost } = {
  chain_transactionStatus: 'call',
  devnet_getTransactionTimeline: 'call',
  devnet_status: 'call',
  eth_blobBaseFee: 'call',
  eth_blockNumber: 'call',
  eth_call: 'heavy',
  eth_callMany: 'heavy',
  eth_chainId: 'call',
  eth_config: 'call',
  eth_createAccessList: 'heavy',
  eth_estimateGas: 'heavy',
  eth_feeHistory: 'heavy',
  eth_gasPrice: 'call',
  eth_getBalance: 'call',
  eth_getBlockByHash: 'heavy',
  eth_getBlockByNumber: 'heavy',
  eth_getBlockReceipts: 'heavy',
  eth_getBlockTransactionCountByHash: 'call',
  eth_getBlockTransactionCountByNumber: 'call',
  eth_getCode: 'call',
  eth_getHeaderByHash: 'call',
  eth_getHeaderByNumber: 'call',
  eth_getLogs: 'heavy',
  eth_getProof: 'heavy',
  eth_getRawTransactionByHash: 'call',
  eth_getStorageAt: 'call',
  eth_getStorageValues: 'heavy',
  eth_getTransactionByBlockHashAndIndex: 'call',
  eth_getTransactionByBlockNumberAndIndex: 'call',
  eth_getTransactionByHash: 'call',
  eth_getTransactionBySenderAndNonce: 'call',
  eth_getTransactionCount: 'call',
  eth_getTransactionReceipt: 'call',
  eth_maxPriorityFeePerGas: 'call',
  eth_sendRawTransaction: 'transaction',
  eth_sendRawTransactionSync: 'transaction',
  eth_simulateV1: 'heavy',
  eth_subscribe: 'subscription',
  eth_syncing: 'call',
  eth_unsubscribe: 'subscription',
  net_listening: 'call',
  net_peerCount: 'call',
  net_version: 'call',
  txpool_contentFrom: 'heavy',
  txpool_status: 'call',
  web3_clientVersion: 'call',
  web3_sha3: 'call',
}

const allowed: ReadonlyMap<string, Cost> = new Map(Object.entries(ALLOWED))

/** What a guest's call costs; `undefined` if it is not for guests. */
export function costOf(method: string): Cost | undefined {
  return allowed.get(method)
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
