import { queryOfNodeOptions } from '#client/node/node-options-from-url.ts'
import type { DevnetStatus } from '#rpc-types/devnet.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'

/** The prefix of a scenario in the hash of an address. */
export const SCENARIO_PREFIX = '#s='

/**
 * The options that a chain runs with, as far as its blocks depend on them and its node tells them. What this page asked for
 * says nothing of them: a stored chain, or one that another tab runs, has its own.
 */
export function optionsInForce(status: DevnetStatus): NodeOptions {
  const { options, seed, chainId, partialMs, partialsPerBlock, mode } = status
  return { ...options, seed, chainId: Number(chainId), partialMs, partialsPerBlock, mode }
}

/**
 * The address of a chain in memory with these options, so that no stored chain of the person who opens it is in the
 * way, or lost. Options that no address can have are left out.
 *
 * @param page - The live screen: `https://blinknet.example/`.
 * @param scenario - What is to be done on it, packed.
 */
export function shareAddress(page: string, options: NodeOptions, scenario: string | undefined): string {
  return `${page}?storage=off&${queryOfNodeOptions(options)}${scenario === undefined ? '' : `${SCENARIO_PREFIX}${scenario}`}`
}
