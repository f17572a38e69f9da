import type { DevnetMethods } from '#rpc-types/families/devnet-methods.ts'
import type { MethodTable } from '../define-method.ts'
import {
  devnetDelaySeal,
  devnetDropPartialBlocks,
  devnetFailNext,
  devnetReorg,
  devnetSeal,
  devnetSetTiming,
  devnetStallPartialBlocks,
  devnetWithdrawNext,
} from '../methods/devnet-faults.ts'
import {
  devnetExportState,
  devnetImportState,
  devnetReset,
  devnetRevert,
  devnetSnapshot,
} from '../methods/devnet-state.ts'
import {
  devnetExportChain,
  devnetForgetSnapshots,
  devnetGetStorage,
  devnetImportChain,
  devnetStartChain,
} from '../methods/devnet-storage.ts'
import { ANVIL_METHODS } from './anvil-methods.ts'
import { EVM_METHODS } from './evm-methods.ts'
import { HARDHAT_METHODS } from './hardhat-methods.ts'

/** Does not compile while a method of the contract is missing. */
export const DEVNET_METHODS: MethodTable<keyof DevnetMethods> = {
  ...EVM_METHODS,
  ...ANVIL_METHODS,
  ...HARDHAT_METHODS,
  devnet_seal: devnetSeal,
  devnet_setTiming: devnetSetTiming,
  devnet_dropPartialBlocks: devnetDropPartialBlocks,
  devnet_withdrawNext: devnetWithdrawNext,
  devnet_reorg: devnetReorg,
  devnet_stallPartialBlocks: devnetStallPartialBlocks,
  devnet_delaySeal: devnetDelaySeal,
  devnet_failNext: devnetFailNext,
  devnet_snapshot: devnetSnapshot,
  devnet_revert: devnetRevert,
  devnet_reset: devnetReset,
  devnet_exportState: devnetExportState,
  devnet_importState: devnetImportState,
  devnet_getStorage: devnetGetStorage,
  devnet_exportChain: devnetExportChain,
  devnet_importChain: devnetImportChain,
  devnet_startChain: devnetStartChain,
  devnet_forgetSnapshots: devnetForgetSnapshots,
}
