import type { LogMethods } from '#rpc-types/families/log-methods.ts'
import type { MethodTable } from '../define-method.ts'
import {
  ethGetBlockTransactionCountByHash,
  ethGetHeaderByHash,
  ethGetHeaderByNumber,
  ethGetUncleByBlockHashAndIndex,
  ethGetUncleByBlockNumberAndIndex,
  ethGetUncleCountByBlockHash,
  ethGetUncleCountByBlockNumber,
} from '../methods/block-parts.ts'
import {
  ethGetRawTransactionByBlockHashAndIndex,
  ethGetRawTransactionByBlockNumberAndIndex,
  ethGetTransactionByBlockHashAndIndex,
  ethGetTransactionByBlockNumberAndIndex,
} from '../methods/by-index.ts'
import {
  ethCapabilities,
  ethCoinbase,
  ethSyncing,
  netListening,
  netPeerCount,
  rpcModules,
  web3Sha3,
} from '../methods/chain-info.ts'
import { ethConfig } from '../methods/config.ts'
import { ethBaseFee, ethBlobBaseFee } from '../methods/fees.ts'
import {
  ethGetFilterChanges,
  ethGetFilterLogs,
  ethGetLogs,
  ethNewBlockFilter,
  ethNewFilter,
  ethNewPendingTransactionFilter,
  ethUninstallFilter,
} from '../methods/logs.ts'
import {
  debugGetRawBlock,
  debugGetRawHeader,
  debugGetRawReceipts,
  debugGetRawTransaction,
  ethGetRawTransactionByHash,
} from '../methods/raw.ts'
import { ethSendRawTransactionSync } from '../methods/send-sync.ts'
import { ethGetStorageValues } from '../methods/state.ts'
import { txpoolContentFrom, txpoolInspect, txpoolStatus } from '../methods/txpool.ts'

/** Does not compile while a method of the contract is missing. */
export const LOG_METHODS: MethodTable<keyof LogMethods> = {
  eth_getLogs: ethGetLogs,
  eth_newFilter: ethNewFilter,
  eth_newBlockFilter: ethNewBlockFilter,
  eth_newPendingTransactionFilter: ethNewPendingTransactionFilter,
  eth_getFilterChanges: ethGetFilterChanges,
  eth_getFilterLogs: ethGetFilterLogs,
  eth_uninstallFilter: ethUninstallFilter,
  eth_syncing: ethSyncing,
  eth_getBlockTransactionCountByHash: ethGetBlockTransactionCountByHash,
  eth_getUncleCountByBlockNumber: ethGetUncleCountByBlockNumber,
  eth_getUncleCountByBlockHash: ethGetUncleCountByBlockHash,
  eth_getUncleByBlockNumberAndIndex: ethGetUncleByBlockNumberAndIndex,
  eth_getUncleByBlockHashAndIndex: ethGetUncleByBlockHashAndIndex,
  eth_getTransactionByBlockNumberAndIndex: ethGetTransactionByBlockNumberAndIndex,
  eth_getTransactionByBlockHashAndIndex: ethGetTransactionByBlockHashAndIndex,
  eth_getRawTransactionByHash: ethGetRawTransactionByHash,
  eth_getRawTransactionByBlockNumberAndIndex: ethGetRawTransactionByBlockNumberAndIndex,
  eth_getRawTransactionByBlockHashAndIndex: ethGetRawTransactionByBlockHashAndIndex,
  eth_getHeaderByNumber: ethGetHeaderByNumber,
  eth_getHeaderByHash: ethGetHeaderByHash,
  eth_baseFee: ethBaseFee,
  eth_coinbase: ethCoinbase,
  eth_capabilities: ethCapabilities,
  eth_getStorageValues: ethGetStorageValues,
  eth_blobBaseFee: ethBlobBaseFee,
  eth_config: ethConfig,
  eth_sendRawTransactionSync: ethSendRawTransactionSync,
  net_listening: netListening,
  net_peerCount: netPeerCount,
  web3_sha3: web3Sha3,
  rpc_modules: rpcModules,
  txpool_status: txpoolStatus,
  txpool_inspect: txpoolInspect,
  txpool_contentFrom: txpoolContentFrom,
  debug_getRawTransaction: debugGetRawTransaction,
  debug_getRawHeader: debugGetRawHeader,
  debug_getRawBlock: debugGetRawBlock,
  debug_getRawReceipts: debugGetRawReceipts,
}
