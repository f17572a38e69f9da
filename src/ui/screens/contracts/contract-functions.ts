import type { Abi, AbiFunction } from 'viem'

/** An ABI's functions by what calling them takes. */
export interface ContractFunctions {
  /** They change nothing. */
  readonly reads: readonly AbiFunction[]
  /** They need a transaction. */
  readonly writes: readonly AbiFunction[]
}

export function functionsOf(abi: Abi): ContractFunctions {
  const functions = abi.filter((item) => item.type === 'function')
  const isRead = ({ stateMutability }: AbiFunction) => stateMutability === 'view' || stateMutability === 'pure'
  return { reads: functions.filter(isRead), writes: functions.filter((item) => !isRead(item)) }
}
