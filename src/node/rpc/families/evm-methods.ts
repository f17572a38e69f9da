import type { EvmMethods } from '#rpc-types/families/evm-methods.ts'
import type { MethodTable } from '../define-method.ts'
import { evmRevert, evmSnapshot } from '../methods/dev-chain.ts'
import { evmSetBlockGasLimit } from '../methods/dev-header.ts'
import { evmMine, evmSetAutomine, evmSetIntervalMining } from '../methods/dev-mining.ts'
import { evmIncreaseTime, evmSetNextBlockTimestamp, evmSetTime } from '../methods/dev-time.ts'

/** Does not compile while a method of the contract is missing. */
export const EVM_METHODS: MethodTable<keyof EvmMethods> = {
  evm_mine: evmMine,
  evm_snapshot: evmSnapshot,
  evm_revert: evmRevert,
  evm_increaseTime: evmIncreaseTime,
  evm_setNextBlockTimestamp: evmSetNextBlockTimestamp,
  evm_setTime: evmSetTime,
  evm_setBlockGasLimit: evmSetBlockGasLimit,
  evm_setAutomine: evmSetAutomine,
  evm_setIntervalMining: evmSetIntervalMining,
}
