import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { ClockMode, ForkTime } from '#rpc-types/node-options.ts'

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

/** Everything that distinguishes one chain from another. */
export interface ChainSpec {
  /** The node's name in `web3_clientVersion`. */
  readonly clientVersion: string
  readonly chainId: number
  /** Source of `mixHash` and `parentBeaconBlockRoot`; the same seed and transactions give the same blocks. */
  readonly seed: number
  /** `manual`: only `devnet_tick` advances the chain, and chain time starts at `genesisTimestamp`. */
  readonly mode: ClockMode
  /** Milliseconds between ticks. */
  readonly partialMs: number
  readonly partialsPerBlock: number
  /** Gas. */
  readonly gasLimit: bigint
  readonly baseFeeDenominator: number
  readonly baseFeeElasticity: number
  /** Wei per gas, the floor of every base fee. */
  readonly minBaseFee: bigint
  /** Wei per gas, the tip that the node suggests. */
  readonly suggestedTip: bigint
  /** Wei per gas of block 0. */
  readonly genesisBaseFee: bigint
  /** Seconds since the Unix epoch; `undefined` for the time at the start. */
  readonly genesisTimestamp: number | undefined
  /** Where the time of a fork begins; other chains ignore it. */
  readonly forkTime: ForkTime
  readonly coinbase: Address
  /** The accounts of `alloc` for general use. */
  readonly accounts: readonly DevAccount[]
  readonly alloc: Readonly<Record<Address, GenesisAccount>>
  /** Milliseconds of execution after which a tick leaves the rest to the next one. */
  readonly tickBudgetMs: number
  /** Blocks behind the head. */
  readonly safeDistance: number
  /** Blocks behind the head. */
  readonly finalizedDistance: number
  /** Whether a block may have its parent's timestamp. */
  readonly allowSameTimestamp: boolean
  /** Whether legacy transactions without a chain id are accepted. */
  readonly allowUnprotected: boolean
  /** The most bytes of a contract's code; initcode may have twice as many. */
  readonly codeSizeLimit: number
  /** Whether to sign typed data whose domain names another chain id. */
  readonly allowForeignTypedData: boolean
  /** Whether in automine the send of a transaction that fails is an error. */
  readonly throwOnTransactionFailures: boolean
  readonly pool: PoolLimits
  /** Gas that `eth_call` and `eth_estimateGas` may use. */
  readonly callGasLimit: bigint
  /** Milliseconds that `eth_call` and `eth_estimateGas` may run. */
  readonly callTimeoutMs: number
}

export interface PoolLimits {
  /** Executable transactions in all. */
  readonly maxPending: number
  /** Transactions behind a nonce gap in all. */
  readonly maxQueued: number
  /** Transactions of one sender. */
  readonly maxPerSender: number
}
