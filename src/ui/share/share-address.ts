import { queryOfNodeOptions } from '#client/node/node-options-from-url.ts'
import type { DevnetStatus } from '#rpc-types/methods/devnet.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'

/** The prefix of a scenario in the hash of an address. */
export const SCENARIO_PREFIX = '#s='

/**
 * The options in force, as far as blocks depend on them and the node reports them. The page's own options are not
 * reliable: a stored chain, or one run by another tab, has its own.
 */
export function optionsInForce(status: DevnetStatus): NodeOptions {
  const { options, seed, chainId, partialMs, partialsPerBlock, mode } = status
  return { ...options, seed, chainId: Number(chainId), partialMs, partialsPerBlock, mode }
}

/**
 * The address of a chain in memory with these options, so that it never touches a stored chain of the person who opens
 * it. Leaves out options that an address cannot have.
 *
 * @param page - The screen that it opens, without a query: `https://blinknet.example/`.
 * @param scenario - The packed steps to replay.
 */
export function shareAddress(page: string, options: NodeOptions, scenario: string | undefined): string {
  return `${page}?storage=off&${queryOfNodeOptions(options)}${scenario === undefined ? '' : `${SCENARIO_PREFIX}${scenario}`}`
}
