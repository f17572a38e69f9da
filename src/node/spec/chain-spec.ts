import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'

/** An account that exists in block 0. */
export interface GenesisAccount {
  /** Wei. */
  readonly balance: bigint
  readonly nonce?: bigint
  readonly code?: Hex
  /** 32-byte slot → 32-byte word. */
  readonly storage?: Readonly<Record<Hash, Hash>>
}

/** An account for development, funded in block 0. */
export interface DevAccount {
  readonly address: Address
  /** Wei. */
  readonly balance: bigint
  /** 32 bytes; with it the node signs for the account. */
  readonly privateKey: Uint8Array | undefined
}

/** The options but for the accounts, each with a value. */
export type PlainOptions = Required<Omit<NodeOptions, 'accounts' | 'genesis' | 'fundAccounts'>>

/** What a chain has besides its options, and options that it has in another form. */
interface OwnForms {
  /** Gas. */
  readonly gasLimit: bigint
  /** Wei per gas, the floor of every base fee. */
  readonly minBaseFee: bigint
  /** Wei per gas, the tip that the node suggests. */
  readonly suggestedTip: bigint
  /** Wei per gas of block 0. */
  readonly baseFee: bigint
  /** Seconds since the Unix epoch; `undefined` for the time at the start. */
  readonly genesisTimestamp: number | undefined
  /** The accounts of `alloc` for general use. */
  readonly accounts: readonly DevAccount[]
  readonly alloc: Readonly<Record<Address, GenesisAccount>>
  /** Wei that accounts have from the start, whatever else they are; block 0 has it in `alloc`, too. */
  readonly funded: Readonly<Record<Address, bigint>>
  readonly pool: PoolLimits
  /** Whether a transaction has at most the gas of EIP-7825; else it may have a block's. */
  readonly capsTransactionGas: boolean
  /** Gas that `eth_call` and `eth_estimateGas` may use. */
  readonly callGasLimit: bigint
  /** Milliseconds that `eth_call` and `eth_estimateGas` may run. */
  readonly callTimeoutMs: number
}

/** Everything that distinguishes one chain from another: its options as {@link NodeOptions} describes them, and its own. */
export interface ChainSpec extends Omit<PlainOptions, keyof OwnForms>, OwnForms {}

export interface PoolLimits {
  /** Executable transactions in all. */
  readonly maxPending: number
  /** Transactions behind a nonce gap in all. */
  readonly maxQueued: number
  /** Transactions of one sender. */
  readonly maxPerSender: number
  /** What a replacement must pay: 10 % more, as in geth, or anything more. */
  readonly replacement: 'tenth' | 'any'
  /** Whether a block drops the executable transactions whose fee cap is below its base fee; else they wait, as in geth. */
  readonly dropsUnpriced: boolean
}
