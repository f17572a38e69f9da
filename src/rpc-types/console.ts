import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'

/** Where `console.log` of Hardhat's and forge-std's libraries calls: the text `console.log`. Nothing answers there. */
export const CONSOLE_ADDRESS: Address = '0x000000000000000000636f6e736f6c652e6c6f67'

/** What an execution wrote with `console.log`, also in frames that failed. */
export interface RpcConsoleLogs {
  /** The transaction; `null` for a call that failed. */
  readonly transactionHash: Hash | null
  /** The method of a call that failed: `eth_call` or `eth_estimateGas`; `null` for a transaction. */
  readonly method: string | null
  readonly from: Address
  /** `null` for a creation. */
  readonly to: Address | null
  readonly blockNumber: Quantity
  /** Why it failed; `null` if it succeeded. */
  readonly error: string | null
  readonly lines: readonly RpcConsoleLine[]
  /** Number of further lines, for which there is no room: at most 1,000 lines of 128 KiB are kept of one execution. */
  readonly more: number
}

/** One call of `console.log`. The texts are the contract's: they may hold line breaks and control characters. */
export interface RpcConsoleLine {
  readonly input: Hex
  /** As it is printed: format specifiers replaced, values joined by spaces. */
  readonly text: string
  /** Each argument as text. */
  readonly values: readonly string[]
  /** Signature such as `log(string,uint256)`; `null` if no console has such a function. */
  readonly signature: string | null
}
