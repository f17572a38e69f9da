import type { Address } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'

/** Features of a chain beyond those that every chain has. */
export interface Capabilities {
  /** It says of transactions that they will be sealed as they are, before they are. */
  readonly preconfirms: boolean
  /**
   * The way in which partial blocks arrive: each with what is new, or the whole live block each time; otherwise by
   * polling.
   */
  readonly partialBlocks: 'diffs' | 'blocks' | 'none'
  /** Sealed blocks arrive by themselves. */
  readonly pushes: boolean
  /** Clock controls, status and the timelines of transactions. */
  readonly devnet: boolean
  /** The development accounts that it lists as its own. */
  readonly accounts: readonly Address[]
}

/** Features of the built-in chain: all of them. */
export const BUILT_IN_CAPABILITIES: Capabilities = {
  preconfirms: true,
  partialBlocks: 'diffs',
  pushes: true,
  devnet: true,
  accounts: DEV_KEYS.map(({ address }) => address),
}

/** No features, as long as the chain is not known. */
export const NO_CAPABILITIES: Capabilities = {
  preconfirms: false,
  partialBlocks: 'none',
  pushes: false,
  devnet: false,
  accounts: [],
}
