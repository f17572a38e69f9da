import type { ClockMode } from './devnet.ts'

/** How a person starts a chain: from the page's address, the server's command line or a test. JSON, each with a default. */
export interface NodeOptions {
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
  /** Chain time over real time; default 1. */
  readonly speed?: number
  /** Gas of a block; default 400,000,000. */
  readonly gasLimit?: number
  /** Wei per gas, floor of the base fee; default 5,000,000. */
  readonly minBaseFee?: number
  /** Default 250. */
  readonly baseFeeDenominator?: number
  /** Default 6. */
  readonly baseFeeElasticity?: number
  /** Accept legacy transactions without a chain id; default false. */
  readonly allowUnprotected?: boolean
}
