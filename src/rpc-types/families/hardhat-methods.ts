import type { Address, BytesMax32, Hash, Hex, Quantity } from '#primitives/hex.ts'
import type { StateDump } from '#rpc-types/state-dump.ts'
import type { HardhatMetadata, ResetOptions } from './anvil-methods.ts'

/**
 * Hardhat's names, answered as Hardhat answers them, and those that viem makes up for its mode `hardhat`. Edits of the state
 * are sealed at once, as with anvil's names.
 */
export interface HardhatMethods {
  /** Wei. */
  hardhat_setBalance: { params: [account: Address, wei: number | string]; result: true }
  /** Refused where the nonce would become lower. */
  hardhat_setNonce: { params: [account: Address, nonce: number | string]; result: true }
  hardhat_setCode: { params: [account: Address, code: Hex]; result: true }
  hardhat_setStorageAt: { params: [account: Address, slot: number | BytesMax32, value: BytesMax32]; result: true }
  hardhat_impersonateAccount: { params: [account: Address]; result: true }
  /** Whether it was impersonated. */
  hardhat_stopImpersonatingAccount: { params: [account: Address]; result: boolean }
  /** As `anvil_mine`. */
  hardhat_mine: { params: [blocks?: number | Quantity, intervalSeconds?: number | Quantity]; result: true }
  hardhat_getAutomine: { params: []; result: boolean }
  hardhat_setNextBlockBaseFeePerGas: { params: [baseFee: number | string]; result: true }
  hardhat_setCoinbase: { params: [account: Address]; result: true }
  /** What PREVRANDAO answers in the next block alone. */
  hardhat_setPrevRandao: { params: [value: Hash]; result: true }
  /** Refused, as by Hardhat: not supported when EIP-1559 is active. */
  hardhat_setMinGasPrice: { params: [gasPrice: number | string]; result: true }
  /** Whether the transaction was in the pool. */
  hardhat_dropTransaction: { params: [hash: Hash]; result: boolean }
  hardhat_metadata: { params: []; result: HardhatMetadata }
  hardhat_reset: { params: [options?: ResetOptions]; result: true }
  hardhat_setLoggingEnabled: { params: [enabled: boolean]; result: true }
  hardhat_dumpState: { params: [preserveHistoricalStates?: boolean]; result: Hex }
  hardhat_loadState: { params: [state: Hex | StateDump]; result: true }
  /** As `anvil_setBlockTimestampInterval`, in milliseconds, as viem has it: whole seconds only. */
  hardhat_setBlockTimestampInterval: { params: [ms: number | Quantity]; result: true }
  hardhat_removeBlockTimestampInterval: { params: []; result: boolean }
  /** Refused: the node is nobody's fork. */
  hardhat_setRpcUrl: { params: [url: string]; result: true }
}
