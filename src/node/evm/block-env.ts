import type { Address, Hash } from '#primitives/hex.ts'

/** What code can learn of the block that it runs in. */
export interface BlockEnv {
  readonly number: number
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly coinbase: Address
  readonly prevRandao: Hash
  readonly gasLimit: bigint
  /** Wei per gas. */
  readonly baseFee: bigint
  /** Hash of a block before this one, as BLOCKHASH sees it (the last 256); `undefined` beyond. */
  blockHash(number: number): Hash | undefined
}
