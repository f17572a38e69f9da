import type { BlinknetProvider } from '#client/session/provider.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import type { KnownContract } from '#ui/decode/known-contracts.ts'

/** What stands at an address, by its code. */
export interface CodeStanding {
  readonly codeHash: Hash
  /** The contract with this code, if the page or the node has its build, or if it is well-known. */
  readonly contract: KnownContract | undefined
  /** The contracts whose code it runs, if it is a proxy. */
  readonly behind: readonly Address[]
}

/** Where to look. */
export interface Where {
  readonly provider: BlinknetProvider
  /** As `chainKeyOf` names it. */
  readonly chain: string
  /** Whether the node knows builds. */
  readonly devnet: boolean
}
