import type { Quantity } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'

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
  ...['explore', 'send', 'contracts', 'block', 'tx', 'call', 'address', 'rpc-console', 'break', 'settings'],
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

/** What a name or a path of a list may be, so that it leads to the same server and can be shown as it is. */
const NAME = /^[\w.~/-]{1,130}$/
const PATH = /^\/[\w-]{0,64}$/
/** More than a server has. */
const MAX_LISTED = 2_000

/** The list of a server's chains, if the JSON is one. Whatever answers at the address may have written it. */
export function readServedChains(value: unknown): ServedChains | undefined {
  if (!isObject(value) || !isListOf(value['chains'], isChain)) return undefined
  const { chains, pool } = value
  if (pool === undefined) return { chains }
  if (!isObject(pool) || !isListOf(pool['names'], isName)) return undefined
  const { size, idleSeconds, names } = pool
  return typeof size === 'number' && typeof idleSeconds === 'number'
    ? { chains, pool: { size, idleSeconds, names } }
    : undefined
}

function isChain(value: unknown): value is ServedChainInfo {
  if (!isObject(value)) return false
  const { name, chainId, path } = value
  return isName(name) && typeof chainId === 'string' && /^0x[\da-f]{1,16}$/.test(chainId) && isPath(path)
}

const isName = (value: unknown): value is string => typeof value === 'string' && NAME.test(value)
const isPath = (value: unknown): value is string => typeof value === 'string' && PATH.test(value)

function isListOf<Item>(value: unknown, is: (item: unknown) => item is Item): value is readonly Item[] {
  return Array.isArray(value) && value.length <= MAX_LISTED && value.every(is)
}
