import type { NodeOptions } from '#rpc-types/node-options.ts'
import type { Rollup } from '../evm/rollup.ts'
import type { ChainSpec } from '../spec/chain-spec.ts'

/** What makes a chain one of the OP stack. */
export interface OpenedRollup {
  readonly rollup: Rollup
  /** The chain's parameters with the predeploys in block 0. */
  withRules(spec: ChainSpec): ChainSpec
}

/**
 * What the options ask for; other chains load none of it.
 *
 * @param isFork - Whether the chain has another one's contracts.
 */
export async function openRollup({ op }: NodeOptions, isFork: boolean): Promise<OpenedRollup | undefined> {
  // Any other value is refused with the other options.
  if (op !== true) return undefined
  const [{ createRollup }, { withPredeploys }] = await Promise.all([import('./l1-block.ts'), import('./predeploys.ts')])
  return {
    rollup: createRollup(isFork),
    withRules: (spec) => ({ ...spec, alloc: withPredeploys(spec.alloc) }),
  }
}
