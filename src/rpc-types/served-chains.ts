import type { Quantity } from '#primitives/hex.ts'

/** Where a server of several chains lists them, for the page and for programs. */
export const CHAIN_LIST_PATH = '/chains.json'

/** The path below which a server has chains on demand. */
export const POOL_PATH = 'pool'

/**
 * First parts of paths that a page or a server has for itself: no chain of a server is named so. The page's screens are among
 * them.
 */
export const TAKEN_PATHS: readonly string[] = [
  ...['rpc', POOL_PATH, 'chains', 'assets'],
  ...['explore', 'send', 'contracts', 'block', 'tx', 'call', 'address', 'rpc-console', 'settings'],
]

/** A chain of a server. */
export interface ServedChainInfo {
  readonly name: string
  readonly chainId: Quantity
  /** Where it answers, over HTTP and WebSocket: `/base`. */
  readonly path: string
}

/** What {@link CHAIN_LIST_PATH} answers. */
export interface ServedChains {
  /** In the order of the command line; the first one also answers at the bare address. */
  readonly chains: readonly ServedChainInfo[]
  /** Only with `--pool`. */
  readonly pool?: {
    /** Chains that there may be. */
    readonly size: number
    /** Seconds without use after which one is gone. */
    readonly idleSeconds: number
    /** Names of those that are there. */
    readonly names: readonly string[]
  }
}
