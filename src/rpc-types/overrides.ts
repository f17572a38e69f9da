import type { Address, Hash, Hex, Quantity } from '#primitives/hex.ts'

/** Overrides of an account for one call. */
export interface RpcAccountOverride {
  /** Wei. */
  readonly balance?: Quantity
  readonly nonce?: Quantity
  readonly code?: Hex
  /** All slots of the account; not together with `stateDiff`. */
  readonly state?: Readonly<Record<Hash, Hash>>
  /** Some slots of the account. */
  readonly stateDiff?: Readonly<Record<Hash, Hash>>
  /** The address to which the precompile of this account moves. */
  readonly movePrecompileToAddress?: Address
}

export type RpcStateOverrides = Readonly<Record<Address, RpcAccountOverride>>

/** Overrides of the block for one call. */
export interface RpcBlockOverrides {
  readonly number?: Quantity
  /** Taken and passed over: there is no proof of work. */
  readonly difficulty?: Quantity
  /** Seconds since the Unix epoch. */
  readonly time?: Quantity
  readonly gasLimit?: Quantity
  readonly feeRecipient?: Address
  /** The older name of `feeRecipient`. */
  readonly coinbase?: Address
  readonly prevRandao?: Hash
  /** The older name of `prevRandao`. */
  readonly random?: Hash
  /** Wei per gas. */
  readonly baseFeePerGas?: Quantity
  /** The older name of `baseFeePerGas`. */
  readonly baseFee?: Quantity
  /** Wei per unit of blob gas. */
  readonly blobBaseFee?: Quantity
  /** Only of the blocks of `eth_simulateV1`. */
  readonly beaconRoot?: Hash
}
