import type { Address, Hash, Hex } from '#primitives/hex.ts'

/** What a call pretends of an account. */
export interface RpcAccountOverride {
  /** Wei. */
  readonly balance?: Hex
  readonly nonce?: Hex
  readonly code?: Hex
  /** All slots of the account; not together with `stateDiff`. */
  readonly state?: Readonly<Record<Hash, Hash>>
  /** Some slots of the account. */
  readonly stateDiff?: Readonly<Record<Hash, Hash>>
  /** Where the precompile at the account's address answers instead. */
  readonly movePrecompileToAddress?: Address
}

export type RpcStateOverrides = Readonly<Record<Address, RpcAccountOverride>>

/** What a call pretends of its block. */
export interface RpcBlockOverrides {
  readonly number?: Hex
  /** Taken and passed over: there is no proof of work. */
  readonly difficulty?: Hex
  /** Seconds since the Unix epoch. */
  readonly time?: Hex
  readonly gasLimit?: Hex
  readonly feeRecipient?: Address
  /** The older name of `feeRecipient`. */
  readonly coinbase?: Address
  readonly prevRandao?: Hash
  /** The older name of `prevRandao`. */
  readonly random?: Hash
  /** Wei per gas. */
  readonly baseFeePerGas?: Hex
  /** The older name of `baseFeePerGas`. */
  readonly baseFee?: Hex
  /** Wei per unit of blob gas. */
  readonly blobBaseFee?: Hex
}
