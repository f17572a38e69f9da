import type { Address, Hash } from '#primitives/hex.ts'

/** `manual`: only `devnet_tick` advances the chain. */
export type ClockMode = 'auto' | 'manual'

/** Where the time of a fork begins; a number is in seconds since the Unix epoch. */
export type ForkTime = 'block' | 'now' | number

/** Options for a new chain, from the page's address, the server's command line or a test. JSON, each with a default. */
export interface NodeOptions {
  /**
   * The answer of `web3_clientVersion`, 1 to 100 characters of ASCII; default `Blinknet/v…`. Some tools only help nodes
   * whose name they know.
   */
  readonly clientVersion?: string
  /** Default 31337. */
  readonly chainId?: number
  /** Default 1. */
  readonly seed?: number
  /** Default `auto`. */
  readonly mode?: ClockMode
  /** Milliseconds from tick to tick; default 200. */
  readonly partialMs?: number
  /** Default 10. */
  readonly partialsPerBlock?: number
  /** The engine that executes transactions and calls; default `wasm`. The results are the same. */
  readonly engine?: EngineName
  /** Chain time over real time; default 1. */
  readonly speed?: number
  /** Gas of a block; default 400,000,000. */
  readonly gasLimit?: number
  /** Wei per gas of block 0, not below `minBaseFee`; default 1,000,000,000, or `minBaseFee` where that is more. */
  readonly baseFee?: number
  /** Wei per gas, floor of the base fee; default 5,000,000, or `baseFee` where that is less. */
  readonly minBaseFee?: number
  /** Wei per gas, the tip in `eth_gasPrice`, `eth_maxPriorityFeePerGas` and what the node fills in; default 1,000,000,000. */
  readonly suggestedTip?: number
  /** A full or an empty block moves the base fee by about one part in this many; default 250. */
  readonly baseFeeDenominator?: number
  /** Gas limit over gas target; default 6. */
  readonly baseFeeElasticity?: number
  /**
   * Timestamp of block 0, in seconds since the Unix epoch; default the present second, or 1735689600 on a manual clock.
   * The chain's time continues from there on a manual clock, or where it lies in the future.
   */
  readonly genesisTimestamp?: number
  /**
   * Where the time of a fork begins. `block`: at the time of the fork's block; `now`: at the present, which it then follows;
   * or at that many seconds since the Unix epoch. Default `block`.
   */
  readonly forkTime?: ForkTime
  /** The account that gets the tips; default 0x4200000000000000000000000000000000000011. */
  readonly coinbase?: Address
  /** Milliseconds of execution after which a tick leaves the rest to the next one; default 120. */
  readonly tickBudgetMs?: number
  /** Blocks from the head back to `safe`; default 32, or `finalizedDistance` where that is less. */
  readonly safeDistance?: number
  /** Blocks from the head back to `finalized`, not below `safeDistance`; default 64, or `safeDistance` where that is more. */
  readonly finalizedDistance?: number
  /** Largest contract code in bytes; initcode may have twice as many. Default 24,576 (EIP-170). */
  readonly codeSizeLimit?: number
  /** Blocks may have the timestamp of the block before; default false: each is at least a second later. */
  readonly allowSameTimestamp?: boolean
  /** Accept legacy transactions without a chain id; default false. */
  readonly allowUnprotected?: boolean
  /** Sign typed data (EIP-712) whose domain names another chain id; default false. */
  readonly allowForeignTypedData?: boolean
  /** In automine, answer the send of a transaction that fails with an error, as Hardhat does; default false. */
  readonly throwOnTransactionFailures?: boolean
  /** The development accounts; default the ten of `DEV_KEYS`, with 10,000 ETH each. */
  readonly accounts?: readonly AccountOption[]
  /** Accounts of block 0 by their address, merged over the development accounts and the preinstalled contracts. */
  readonly genesis?: Readonly<Record<string, GenesisAccountOption>>
}

export const CLOCK_MODES: readonly ClockMode[] = ['auto', 'manual']

/** The words among the values of `forkTime`, the default first. */
export const FORK_TIMES = ['block', 'now'] as const satisfies readonly ForkTime[]

/** Blinknet's own in WebAssembly, or @ethereumjs/evm. */
export type EngineName = 'wasm' | 'reference'

export const ENGINE_NAMES: readonly EngineName[] = ['wasm', 'reference']

/** A development account. */
export interface AccountOption {
  readonly address: Address
  /** With it the node signs for the account; without it the account is only funded. */
  readonly privateKey?: Hash
  /** Wei, in decimal or as 0x hex. */
  readonly balance: string
}

/**
 * An account of block 0 as in geth's genesis files, whose `balance` may be left out here. What is left out keeps its
 * default: that of the development account or of the preinstalled contract, or nothing.
 */
export interface GenesisAccountOption {
  /** Wei: a number, or a string in decimal or 0x hex. */
  readonly balance?: string | number
  /** A number, or a string in decimal or 0x hex. */
  readonly nonce?: string | number
  /** 0x hex. */
  readonly code?: string
  /** Slot → word, each up to 32 bytes of hex. */
  readonly storage?: Readonly<Record<string, string>>
}
