import type { DevnetStatus } from '#rpc-types/devnet.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'

const DEFAULTS = { chainId: 31337, partialMs: 200, partialsPerBlock: 10 }

/** The prefix of a scenario in the hash of an address. */
export const SCENARIO_PREFIX = '#s='

/**
 * The options that a chain runs with, as far as its blocks depend on them.
 *
 * @param asked - What its node was asked for when it was started.
 */
export function optionsInForce(status: DevnetStatus, asked: NodeOptions): NodeOptions {
  const { gasLimit, minBaseFee } = asked
  return {
    seed: status.seed,
    chainId: Number(status.chainId),
    partialMs: status.partialMs,
    partialsPerBlock: status.partialsPerBlock,
    mode: status.mode,
    ...(gasLimit !== undefined && { gasLimit }),
    ...(minBaseFee !== undefined && { minBaseFee }),
  }
}

/**
 * The address of a chain in memory with these options, so that no stored chain of the person who opens it is in the
 * way, or lost.
 *
 * @param page - The live screen: `https://blinknet.example/`.
 * @param scenario - What is to be done on it, packed.
 */
export function shareAddress(page: string, options: NodeOptions, scenario: string | undefined): string {
  const query = new URLSearchParams({ storage: 'off', seed: String(options.seed) })
  const { chainId, partialMs, partialsPerBlock, gasLimit, minBaseFee } = options
  if (chainId !== DEFAULTS.chainId) query.set('chainId', String(chainId))
  if (partialMs !== DEFAULTS.partialMs) query.set('partialMs', String(partialMs))
  if (partialsPerBlock !== DEFAULTS.partialsPerBlock) query.set('partials', String(partialsPerBlock))
  if (gasLimit !== undefined) query.set('gasLimit', String(gasLimit))
  if (minBaseFee !== undefined) query.set('minBaseFee', String(minBaseFee))
  if (options.mode === 'manual') query.set('clock', 'manual')
  return `${page}?${query}${scenario === undefined ? '' : `${SCENARIO_PREFIX}${scenario}`}`
}
