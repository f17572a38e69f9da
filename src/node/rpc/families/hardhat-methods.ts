import type { HardhatMethods } from '#rpc-types/families/hardhat-methods.ts'
import type { MethodTable } from '../define-method.ts'
import {
  hardhatImpersonateAccount,
  hardhatSetBalance,
  hardhatSetCode,
  hardhatSetNonce,
  hardhatSetStorageAt,
  hardhatStopImpersonatingAccount,
} from '../methods/dev-accounts.ts'
import {
  hardhatSetCoinbase,
  hardhatSetMinGasPrice,
  hardhatSetNextBlockBaseFeePerGas,
  hardhatSetPrevRandao,
} from '../methods/dev-header.ts'
import { hardhatGetAutomine, hardhatMine } from '../methods/dev-mining.ts'
import {
  hardhatDumpState,
  hardhatLoadState,
  hardhatMetadata,
  hardhatReset,
  hardhatSetLoggingEnabled,
  hardhatSetRpcUrl,
} from '../methods/dev-node.ts'
import { hardhatDropTransaction } from '../methods/dev-pool.ts'
import { hardhatRemoveBlockTimestampInterval, hardhatSetBlockTimestampInterval } from '../methods/dev-time.ts'

/** Does not compile while a method of the contract is missing. */
export const HARDHAT_METHODS: MethodTable<keyof HardhatMethods> = {
  hardhat_setBalance: hardhatSetBalance,
  hardhat_setNonce: hardhatSetNonce,
  hardhat_setCode: hardhatSetCode,
  hardhat_setStorageAt: hardhatSetStorageAt,
  hardhat_impersonateAccount: hardhatImpersonateAccount,
  hardhat_stopImpersonatingAccount: hardhatStopImpersonatingAccount,
  hardhat_mine: hardhatMine,
  hardhat_getAutomine: hardhatGetAutomine,
  hardhat_setNextBlockBaseFeePerGas: hardhatSetNextBlockBaseFeePerGas,
  hardhat_setCoinbase: hardhatSetCoinbase,
  hardhat_setPrevRandao: hardhatSetPrevRandao,
  hardhat_setMinGasPrice: hardhatSetMinGasPrice,
  hardhat_dropTransaction: hardhatDropTransaction,
  hardhat_metadata: hardhatMetadata,
  hardhat_reset: hardhatReset,
  hardhat_setLoggingEnabled: hardhatSetLoggingEnabled,
  hardhat_dumpState: hardhatDumpState,
  hardhat_loadState: hardhatLoadState,
  hardhat_setBlockTimestampInterval: hardhatSetBlockTimestampInterval,
  hardhat_removeBlockTimestampInterval: hardhatRemoveBlockTimestampInterval,
  hardhat_setRpcUrl: hardhatSetRpcUrl,
}
