import type { Address, BytesMax32, Hash, Hex, Quantity } from '#primitives/hex.ts'
import { type FactsOf, NOTHING, own } from '#rpc-types/method.ts'
import type { AnvilStateDump, StateDump } from '#rpc-types/state-dump.ts'
import type { HardhatMetadata, ResetOptions } from './anvil.ts'

/**
 * Hardhat's names, answered as Hardhat answers them, and those that viem makes up for its mode `hardhat`. Edits of the state
 * are sealed at once, as with anvil's names.
 */
export interface HardhatMethods {
  /** Sets a balance in wei. */
  hardhat_setBalance: { params: [account: Address, wei: number | string]; result: true }
  /** Sets the nonce; refused where it would become lower. */
  hardhat_setNonce: { params: [account: Address, nonce: number | string]; result: true }
  /** Sets the code. */
  hardhat_setCode: { params: [account: Address, code: Hex]; result: true }
  /** Sets one slot to 32 bytes. */
  hardhat_setStorageAt: { params: [account: Address, slot: number | BytesMax32, value: BytesMax32]; result: true }
  /** As `anvil_impersonateAccount`. */
  hardhat_impersonateAccount: { params: [account: Address]; result: true }
  /** Ends what `hardhat_impersonateAccount` began; whether it was impersonated. */
  hardhat_stopImpersonatingAccount: { params: [account: Address]; result: boolean }
  /** As `anvil_mine`. */
  hardhat_mine: { params: [blocks?: number | Quantity, intervalSeconds?: number | Quantity]; result: true }
  /** As `evm_setAutomine`. */
  hardhat_setAutomine: { params: [enabled: boolean]; result: true }
  /** As `anvil_getAutomine`. */
  hardhat_getAutomine: { params: []; result: boolean }
  /** Wei per gas, of the next block alone. */
  hardhat_setNextBlockBaseFeePerGas: { params: [baseFee: number | string]; result: true }
  /** Fee recipient of the next block and of all later ones. */
  hardhat_setCoinbase: { params: [account: Address]; result: true }
  /** Sets the value that PREVRANDAO answers in the next block only. */
  hardhat_setPrevRandao: { params: [value: Hash]; result: true }
  /** Refused, as by Hardhat: not supported when EIP-1559 is active. */
  hardhat_setMinGasPrice: { params: [gasPrice: number | string]; result: true }
  /** Takes a transaction out of the pool; whether it was there. */
  hardhat_dropTransaction: { params: [hash: Hash]; result: boolean }
  /** The node's version and its newest block. */
  hardhat_metadata: { params: []; result: HardhatMetadata }
  /** As `anvil_reset`. */
  hardhat_reset: { params: [options?: ResetOptions]; result: true }
  /** Whether the node reports to its host's log. */
  hardhat_setLoggingEnabled: { params: [enabled: boolean]; result: true }
  /** As `anvil_dumpState`. */
  hardhat_dumpState: { params: [preserveHistoricalStates?: boolean]; result: Hex }
  /** As `anvil_loadState`. */
  hardhat_loadState: { params: [state: Hex | StateDump | AnvilStateDump]; result: true }
  /** As `anvil_setBlockTimestampInterval`, in milliseconds, as viem has it: whole seconds only. */
  hardhat_setBlockTimestampInterval: { params: [ms: number | Quantity]; result: true }
  /** Whether there was an interval to remove. */
  hardhat_removeBlockTimestampInterval: { params: []; result: boolean }
  /**
   * Adds a compilation, so that errors of its contracts say where they come from: the compiler's version, and standard JSON
   * as it went in and came out.
   */
  hardhat_addCompilationResult: { params: [solcVersion: string, input: object, output: object]; result: boolean }
  /** As `anvil_setRpcUrl`. */
  hardhat_setRpcUrl: { params: [url: string]; result: true }
}

export const HARDHAT_FACTS = {
  hardhat_setBalance: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_setNonce: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_setCode: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_setStorageAt: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_impersonateAccount: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_stopImpersonatingAccount: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_mine: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_setAutomine: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_getAutomine: { effect: 'reads', subject: NOTHING, guest: 'never' },
  hardhat_setNextBlockBaseFeePerGas: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_setCoinbase: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_setPrevRandao: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_setMinGasPrice: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_dropTransaction: { effect: 'changes', subject: own('changes'), guest: 'never' },
  hardhat_metadata: { effect: 'reads', subject: NOTHING, guest: 'never' },
  hardhat_reset: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_setLoggingEnabled: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_dumpState: { effect: 'exports', subject: NOTHING, guest: 'never' },
  hardhat_loadState: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_setBlockTimestampInterval: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_removeBlockTimestampInterval: { effect: 'changes', subject: NOTHING, guest: 'never' },
  hardhat_addCompilationResult: { effect: 'session', subject: NOTHING, guest: 'never' },
  hardhat_setRpcUrl: { effect: 'changes', subject: NOTHING, guest: 'never' },
} as const satisfies FactsOf<HardhatMethods>
