import type { AnvilMethods } from '#rpc-types/families/anvil-methods.ts'
import type { MethodTable } from '../define-method.ts'
import {
  anvilAddBalance,
  anvilAutoImpersonateAccount,
  anvilImpersonateAccount,
  anvilSetBalance,
  anvilSetCode,
  anvilSetNonce,
  anvilSetStorageAt,
  anvilStopImpersonatingAccount,
} from '../methods/dev-accounts.ts'
import { anvilRevert, anvilRollback, anvilSnapshot, ethSendUnsignedTransaction } from '../methods/dev-chain.ts'
import {
  anvilSetBlockGasLimit,
  anvilSetCoinbase,
  anvilSetMinGasPrice,
  anvilSetNextBlockBaseFeePerGas,
} from '../methods/dev-header.ts'
import {
  anvilGetAutomine,
  anvilGetIntervalMining,
  anvilMine,
  anvilSetAutomine,
  anvilSetIntervalMining,
} from '../methods/dev-mining.ts'
import {
  anvilDumpState,
  anvilLoadState,
  anvilMetadata,
  anvilNodeInfo,
  anvilReset,
  anvilSetLoggingEnabled,
  anvilSetRpcUrl,
} from '../methods/dev-node.ts'
import { anvilDropAllTransactions, anvilDropTransaction, anvilRemovePoolTransactions } from '../methods/dev-pool.ts'
import {
  anvilIncreaseTime,
  anvilRemoveBlockTimestampInterval,
  anvilSetBlockTimestampInterval,
  anvilSetNextBlockTimestamp,
  anvilSetTime,
} from '../methods/dev-time.ts'

/** Does not compile while a method of the contract is missing. */
export const ANVIL_METHODS: MethodTable<keyof AnvilMethods> = {
  anvil_setBalance: anvilSetBalance,
  anvil_addBalance: anvilAddBalance,
  anvil_setNonce: anvilSetNonce,
  anvil_setCode: anvilSetCode,
  anvil_setStorageAt: anvilSetStorageAt,
  anvil_impersonateAccount: anvilImpersonateAccount,
  anvil_stopImpersonatingAccount: anvilStopImpersonatingAccount,
  anvil_autoImpersonateAccount: anvilAutoImpersonateAccount,
  anvil_mine: anvilMine,
  anvil_setAutomine: anvilSetAutomine,
  anvil_getAutomine: anvilGetAutomine,
  anvil_setIntervalMining: anvilSetIntervalMining,
  anvil_getIntervalMining: anvilGetIntervalMining,
  anvil_snapshot: anvilSnapshot,
  anvil_revert: anvilRevert,
  anvil_increaseTime: anvilIncreaseTime,
  anvil_setNextBlockTimestamp: anvilSetNextBlockTimestamp,
  anvil_setTime: anvilSetTime,
  anvil_setBlockTimestampInterval: anvilSetBlockTimestampInterval,
  anvil_removeBlockTimestampInterval: anvilRemoveBlockTimestampInterval,
  anvil_setBlockGasLimit: anvilSetBlockGasLimit,
  anvil_setNextBlockBaseFeePerGas: anvilSetNextBlockBaseFeePerGas,
  anvil_setCoinbase: anvilSetCoinbase,
  anvil_setMinGasPrice: anvilSetMinGasPrice,
  anvil_dropTransaction: anvilDropTransaction,
  anvil_dropAllTransactions: anvilDropAllTransactions,
  anvil_removePoolTransactions: anvilRemovePoolTransactions,
  anvil_dumpState: anvilDumpState,
  anvil_loadState: anvilLoadState,
  anvil_nodeInfo: anvilNodeInfo,
  anvil_metadata: anvilMetadata,
  anvil_reset: anvilReset,
  anvil_setRpcUrl: anvilSetRpcUrl,
  anvil_setLoggingEnabled: anvilSetLoggingEnabled,
  anvil_rollback: anvilRollback,
  eth_sendUnsignedTransaction: ethSendUnsignedTransaction,
}
