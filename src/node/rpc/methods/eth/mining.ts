import { defineMethod, type MethodTable } from '../../define-method.ts'

/** What is left of the time when blocks were mined. */
export const ETH_MINING_METHODS = {
  /** Nobody mines. */
  eth_hashrate: defineMethod([], () => '0x0'),
} satisfies Partial<MethodTable>
